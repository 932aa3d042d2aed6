// SPDX-License-Identifier: Apache-2.0
// read_record(): JSON, then the tables of fields.
#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "actors/records/text/record_fields.h"
#include "actors/records/text/record_text.h"
#include "topology/text/nearest.h"

namespace tessera::core {
namespace {

using Json = nlohmann::json;

/// A record holds the inputs of at most a few cycles of 4,096 inputs: this program writes no longer
/// text.
constexpr std::size_t kMostBytes = std::size_t{256} << 20;
/// More than any field of a record needs.
constexpr int kMostDepth = 32;
constexpr std::string_view kVersionKey = "v";
constexpr int kVersion = 1;

/// A text as a message quotes it: a hostile text takes no more than one line.
std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 100;
  return '"' + std::string(text.substr(0, kMost)) + (text.size() > kMost ? "..." : "") + '"';
}

/// The place in the record that is being read, and the first fault.
class Place {
 public:
  /// Notes the first fault. Always returns false.
  bool fault(std::string message) {
    if (!error_.message.empty()) return false;
    error_.message = std::move(message);
    error_.where.field = path_;
    return false;
  }
  const Error& error() const { return error_; }

  /// Reads a part. A fault in it is reported with the place of the part.
  template <class Read>
  bool inside(std::string_view key, Read&& read_part) {
    const std::size_t before = path_.size();
    if (before > 0) path_ += '.';
    path_ += key;
    const bool good = read_part();
    path_.resize(before);
    return good;
  }
  template <class Read>
  bool inside(std::size_t position, Read&& read_part) {
    const std::size_t before = path_.size();
    path_ += '[' + std::to_string(position) + ']';
    const bool good = read_part();
    path_.resize(before);
    return good;
  }

 private:
  std::string path_;
  Error error_;
};

/// Fills values from JSON by the tables of fields. Each value is checked for its type and range;
/// the first fault ends the reading and is reported with its place. Goes no deeper than the types
/// that it fills.
class ValueReader : private Place {
 public:
  using Place::error;

  /// False if there was a fault; then `error()` returns it.
  template <HasFields T>
  bool read_object(const Json& json, T& out, std::string_view also_known = {}) {
    if (!is_object(json)) return false;
    std::size_t known = !also_known.empty() && json.contains(also_known) ? 1 : 0;
    bool good = true;
    for_each_field<T>([&](const auto& field) {
      if (!good) return;
      const auto at = json.find(field.key());
      if (at == json.end()) return;
      ++known;
      good = inside(field.key(), [&] { return read(*at, out.*field.member); });
    });
    return good && (known == json.size() || unknown_field<T>(json, also_known));
  }

 private:
  bool is_object(const Json& json) { return json.is_object() || fault("must be an object"); }
  bool is_list(const Json& json) { return json.is_array() || fault("must be a list"); }
  bool is_text(const Json& json) { return json.is_string() || fault("must be a text"); }

  template <class T>
  bool unknown_field(const Json& json, std::string_view also_known) {
    std::vector<std::string> known;
    for_each_field<T>([&](const auto& field) { known.emplace_back(field.key()); });
    if (!also_known.empty()) known.emplace_back(also_known);
    for (const auto& [key, value] : json.items()) {
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        return fault("unknown field " + shown(key) + did_you_mean(key, known));
      }
    }
    return true;
  }

  bool read(const Json& json, bool& out) {
    if (!json.is_boolean()) return fault("must be true or false");
    out = json.get<bool>();
    return true;
  }
  template <std::integral M>
  bool read(const Json& json, M& out) {
    using Limits = std::numeric_limits<M>;
    const auto take = [&](auto number) {
      if (!std::in_range<M>(number)) {
        return fault(std::to_string(number) + " is not within " + std::to_string(Limits::min()) +
                     ".." + std::to_string(Limits::max()));
      }
      out = static_cast<M>(number);
      return true;
    };
    if (json.is_number_unsigned()) return take(json.get<std::uint64_t>());
    if (json.is_number_integer()) return take(json.get<std::int64_t>());
    return fault("must be a whole number of 64 bits");
  }
  template <class E>
  requires std::is_enum_v<E>
  bool read(const Json& json, E& out) {
    if constexpr (HasNames<E>) {
      if (!is_text(json)) return false;
      const auto& name = json.get_ref<const std::string&>();
      std::vector<std::string> known;
      for (std::size_t i = 0; i < std::size(kNames<E>); ++i) {
        if (kNames<E>[i] == name) {
          out = static_cast<E>(i);
          return true;
        }
        known.emplace_back(kNames<E>[i]);
      }
      return fault("unknown name " + shown(name) + did_you_mean(name, known));
    } else {
      std::underlying_type_t<E> number{};
      if (!read(json, number)) return false;
      out = static_cast<E>(number);
      return true;
    }
  }
  bool read(const Json& json, std::string& out) {
    if (!is_text(json)) return false;
    out = json.get_ref<const std::string&>();
    return true;
  }
  bool read(const Json& json, Symbol& out) {
    if (!is_text(json)) return false;
    out = Symbol(json.get_ref<const std::string&>());
    return true;
  }

  bool read(const Json& json, topology::AskedText& out) {
    if (!is_text(json)) return false;
    out = topology::AskedText(json.get_ref<const std::string&>());
    return true;
  }

  template <HasFields T>
  bool read(const Json& json, T& out) {
    return read_object(json, out);
  }
  template <class M>
  bool read(const Json& json, std::optional<M>& out) {
    return read(json, out.emplace());
  }
  template <class M>
  bool read(const Json& json, std::shared_ptr<const M>& out) {
    auto made = std::make_shared<M>();
    if (!read(json, *made)) return false;
    out = std::move(made);
    return true;
  }
  template <class M>
  bool read(const Json& json, std::vector<M>& out) {
    if (!is_list(json)) return false;
    out.clear();
    out.reserve(json.size());
    for (std::size_t i = 0; i < json.size(); ++i) {
      if (!inside(i, [&] { return read(json[i], out.emplace_back()); })) return false;
    }
    return true;
  }
  template <class M>
  bool read(const Json& json, std::pair<M, M>& out) {
    if (!json.is_array() || json.size() != 2) return fault("must be a list of two texts");
    return inside(std::size_t{0}, [&] { return read(json[0], out.first); }) &&
           inside(std::size_t{1}, [&] { return read(json[1], out.second); });
  }

  /// Reads an object with any keys. Calls `take(key, value)` for each.
  template <class M, class Take>
  bool read_entries(const Json& json, Take&& take) {
    if (!is_object(json)) return false;
    for (auto at = json.begin(); at != json.end(); ++at) {
      M value{};
      const auto read_one = [&] { return read(at.value(), value); };
      if (!inside(std::string_view(at.key()), read_one)) return false;
      take(at.key(), std::move(value));
    }
    return true;
  }
  bool read(const Json& json, std::map<std::string, std::vector<std::string>>& out) {
    return read_entries<std::vector<std::string>>(
        json, [&out](const std::string& key, auto list) { out[key] = std::move(list); });
  }
  bool read(const Json& json, topology::Labels& out) {
    return read_entries<Symbol>(
        json, [&out](const std::string& key, Symbol value) { out.set(Symbol(key), value); });
  }
  bool read(const Json& json, Amounts& out) {
    return read_entries<std::int64_t>(
        json, [&out](const std::string& key, std::int64_t value) { out.set(Symbol(key), value); });
  }
  bool read(const Json& json, ResourceFlavors& out) {
    return read_entries<Symbol>(
        json, [&out](const std::string& key, Symbol flavor) { out.set(Symbol(key), flavor); });
  }
  bool read(const Json& json, DomainList& out) {
    if (!is_list(json)) return false;
    out.reserve(json.size(), json.empty() ? 0 : json[0].size());
    std::vector<Symbol> values;
    for (std::size_t i = 0; i < json.size(); ++i) {
      const bool alike = json[i].is_array() && json[i].size() == json[0].size();
      const auto read_one = [&] {
        if (!alike || json[i].size() < 2) {
          return fault("must be a list of values and pods, as long as those before it");
        }
        return read_domain(json[i], values, out);
      };
      if (!inside(i, read_one)) return false;
    }
    return true;
  }
  bool read_domain(const Json& json, std::vector<Symbol>& values, DomainList& out) {
    values.resize(json.size() - 1);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!inside(i, [&] { return read(json[i], values[i]); })) return false;
    }
    std::int64_t pods = 0;
    if (!inside(values.size(), [&] { return read(json[values.size()], pods); })) return false;
    out.add(values, pods);
    return true;
  }
  bool read(const Json& json, std::array<std::uint8_t, 32>& out) {
    if (!is_text(json)) return false;
    constexpr std::string_view kDigits = "0123456789abcdef";
    const auto& text = json.get_ref<const std::string&>();
    if (text.size() != 2 * out.size() || text.find_first_not_of(kDigits) != std::string::npos) {
      return fault("must be 64 digits of 0-9 and a-f");
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] =
          static_cast<std::uint8_t>(kDigits.find(text[2 * i]) * 16 + kDigits.find(text[2 * i + 1]));
    }
    return true;
  }

  bool read(const Json& json, Input& out) {
    if (!is_object(json)) return false;
    if (json.size() != 1) return fault("must have one key, the kind of the input");
    return read_alternative(json, out, std::make_index_sequence<std::variant_size_v<Input>>{});
  }
  template <std::size_t... I>
  bool read_alternative(const Json& json, Input& out, std::index_sequence<I...>) {
    const std::string& kind = json.begin().key();
    const Json& value = json.begin().value();
    bool found = false, good = false;
    const auto attempt = [&]<class T>(std::type_identity<T>) {
      if (kind != kInputName<T>) return;
      found = true;
      good = inside(std::string_view(kind), [&] { return read_object(value, out.emplace<T>()); });
    };
    (attempt(std::type_identity<std::variant_alternative_t<I, Input>>{}), ...);
    if (found) return good;
    const std::vector<std::string> known = {
        std::string(kInputName<std::variant_alternative_t<I, Input>>)...};
    return fault("unknown kind of input " + shown(kind) + did_you_mean(kind, known));
  }
};

/// Thrown to end the parse. The parser does not catch it.
struct Unreadable {
  ErrorCode code;
  std::string message;
};

/// Refuses, during the parse, what JSON allows and a record never holds.
class Guard {
 public:
  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > kMostDepth) {
      throw Unreadable{ErrorCode::kLimit,
                       "goes deeper than " + std::to_string(kMostDepth) + " levels"};
    }
    if (event == Json::parse_event_t::object_start) {
      keys_.emplace_back();
    } else if (event == Json::parse_event_t::object_end) {
      keys_.pop_back();
    } else if (event == Json::parse_event_t::key) {
      const auto& key = parsed.get_ref<const std::string&>();
      if (!keys_.back().insert(key).second) {
        throw Unreadable{ErrorCode::kInvalidInput, "has the key \"" + key + "\" twice"};
      }
    }
    return true;
  }

 private:
  std::vector<std::unordered_set<std::string>> keys_;  // of the objects that are open
};

Result<Json> parse(std::string_view text) {
  if (text.size() > kMostBytes) {
    return fail(ErrorCode::kLimit, "the text of a record has " + std::to_string(text.size()) +
                                       " bytes, at most " + std::to_string(kMostBytes));
  }
  try {
    return Json::parse(text, Guard());
  } catch (const Unreadable& fault) {
    return fail(fault.code, "the text of a record " + fault.message);
  } catch (const Json::exception& fault) {
    constexpr std::size_t kMost = 200;  // it may quote a text of any length
    return fail(ErrorCode::kInvalidInput,
                "the text of a record is not JSON: " + std::string(fault.what()).substr(0, kMost));
  }
}

/// Comes before all else, since another version may have other fields.
Result<void> check_version(const Json& json) {
  if (!json.is_object()) {
    return fail(ErrorCode::kInvalidInput, "the text of a record must be an object");
  }
  const auto at = json.find(kVersionKey);
  if (at == json.end()) return fail(ErrorCode::kInvalidInput, "a record needs a version");
  if (!at->is_number_integer() || *at != kVersion) {
    Where where;
    where.field = kVersionKey;
    return fail(
        ErrorCode::kInvalidInput,
        "a record of another version; this program reads version " + std::to_string(kVersion),
        std::move(where));
  }
  return {};
}

/// Sets the workload of each decided gang that the same record submits.
void link_workloads(CycleRecord& record) {
  std::unordered_map<GangId, std::shared_ptr<const Workload>> submitted;
  for (const Input& input : record.inputs) {
    if (const auto* submit = std::get_if<Submit>(&input)) {
      submitted[submit->gang] = submit->workload;
    }
  }
  const auto link = [&submitted](auto& decided) {
    const auto at = submitted.find(decided.gang);
    if (at != submitted.end()) decided.workload = at->second;
  };
  for (Admitted& admitted : record.admitted) link(admitted);
  for (RefusedWorkload& refused : record.refused) link(refused);
}

}  // namespace

Result<CycleRecord> read_record(std::string_view text) {
  const Result<Json> json = parse(text);
  if (!json) return fail(json.error());
  const Result<void> version = check_version(*json);
  if (!version) return fail(version.error());
  CycleRecord record;
  ValueReader reader;
  if (!reader.read_object(*json, record, kVersionKey)) return fail(reader.error());
  link_workloads(record);
  return record;
}

}  // namespace tessera::core
