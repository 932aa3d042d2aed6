// SPDX-License-Identifier: Apache-2.0
// TextWriter: writes values as canonical JSON: sorted keys, whole numbers, no white
// space, defaults left out (record_text.h).
//
// For one text, in one thread. Allocates nothing but the text. Walks the tables of fields.h.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "actors/records/text/fields.h"
#include "actors/records/text/input_fields.h"
#include "actors/records/text/json_text.h"

namespace tessera::core {

/// Which fields are written: all, or those that a cycle decided.
enum class TextPart { kWhole, kDecisions };

template <TextPart part>
class TextWriter {
 public:
  explicit TextWriter(JsonText& out) : out_(&out) {}

  template <HasFields T>
  void write(const T& value) {
    out_->put('{');
    write_fields(value);
    out_->close('}');
  }

  template <HasFields T>
  void write_fields(const T& value) {
    for_each_field<T>([&](const auto& field) {
      using F = std::remove_cvref_t<decltype(field)>;
      if constexpr (part == TextPart::kDecisions && !F::kDecided) return;
      write_field(field.quoted_key(), value.*field.member, field.otherwise);
    });
  }

 private:
  template <class M>
  void write_field(std::string_view key, const M& value, const DefaultOf<M>& otherwise) {
    if constexpr (std::is_arithmetic_v<M> || std::is_enum_v<M>) {
      if (value == otherwise) return;
    } else if constexpr (HasFields<M>) {
      write_object_field(key, value);
      return;
    } else {
      if (is_absent(value)) return;
    }
    out_->put(key);
    write(value);
    out_->put(',');
  }

  /// Leaves the object out if all its fields are left out.
  template <HasFields M>
  void write_object_field(std::string_view key, const M& value) {
    const std::size_t before = out_->size();
    out_->put(key);
    write(value);
    if (out_->ends_in("{}")) {
      out_->cut(before);
    } else {
      out_->put(',');
    }
  }

  static bool is_absent(const std::array<std::uint8_t, 32>& hash) {
    return hash == std::array<std::uint8_t, 32>{};
  }
  template <class M>
  static bool is_absent(const std::optional<M>& value) {
    return !value;
  }
  template <class M>
  static bool is_absent(const std::shared_ptr<M>& value) {
    return !value;
  }
  template <class M>
  static bool is_absent(const M& value) {
    return value.empty();
  }

  template <class M>
  requires std::is_integral_v<M>
  void write(M number) {
    if constexpr (std::is_same_v<M, bool>) {
      out_->put(number ? std::string_view("true") : std::string_view("false"));
    } else {
      out_->number(number);
    }
  }
  template <class E>
  requires std::is_enum_v<E>
  void write(E value) {
    if constexpr (HasNames<E>) {
      out_->put('"');
      out_->put(name_of(value));
      out_->put('"');
    } else {
      write(static_cast<std::underlying_type_t<E>>(value));
    }
  }
  void write(Symbol symbol) { out_->text(symbol.view()); }
  void write(const topology::AskedText& asked) { out_->text(asked.view()); }
  void write(const std::string& value) { out_->text(value); }
  template <class M>
  void write(const std::optional<M>& value) {
    write(*value);
  }
  template <class M>
  void write(const std::shared_ptr<M>& value) {
    write(*value);
  }
  template <class M>
  void write(const std::vector<M>& list) {
    out_->put('[');
    for (const M& each : list) {
      write(each);
      out_->put(',');
    }
    out_->close(']');
  }
  template <class M>
  void write(const std::pair<M, M>& pair) {
    out_->put('[');
    write(pair.first);
    out_->put(',');
    write(pair.second);
    out_->put(']');
  }
  template <class M>
  void write_entry(std::string_view key, const M& value) {
    out_->text(key);
    out_->put(':');
    write(value);
    out_->put(',');
  }
  void write(const std::map<std::string, std::vector<std::string>>& map) {
    out_->put('{');
    for (const auto& [key, list] : map) write_entry(key, list);
    out_->close('}');
  }
  void write(const topology::Labels& labels) {
    std::map<std::string_view, Symbol> sorted;  // Labels are not in byte order
    for (const auto& [key, value] : labels) sorted.emplace(key.view(), value);
    out_->put('{');
    for (const auto& [key, value] : sorted) write_entry(key, value);
    out_->close('}');
  }
  void write(const Amounts& amounts) {
    out_->put('{');
    for (const topology::Amount& amount : amounts) {
      write_entry(amount.resource.view(), amount.value);
    }
    out_->close('}');
  }
  void write(const ResourceFlavors& flavors) {
    out_->put('{');
    for (const auto& [resource, flavor] : flavors) write_entry(resource.view(), flavor);
    out_->close('}');
  }
  /// Each domain a list: its values, then its pods.
  void write(const DomainList& domains) {
    out_->put('[');
    for (const DomainList::Domain domain : domains) {
      out_->put('[');
      for (const Symbol value : domain.values) {
        write(value);
        out_->put(',');
      }
      write(domain.pods);
      out_->put("],");
    }
    out_->close(']');
  }
  void write(const std::array<std::uint8_t, 32>& hash) { out_->text(hash_text(hash)); }
  /// An object with one key, the kind of the input.
  void write(const Input& input) {
    std::visit(
        [this]<class T>(const T& value) {
          out_->put('{');
          write_entry(kInputName<T>, value);
          out_->close('}');
        },
        input);
  }

  JsonText* out_;
};

}  // namespace tessera::core
