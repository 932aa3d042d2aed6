// SPDX-License-Identifier: Apache-2.0
#include "topology/text/hostlist.h"

namespace tessera::encode {
namespace {

constexpr std::size_t kLongestNumber = 18;  // fits int64

bool digit(char c) { return c >= '0' && c <= '9'; }

std::string padded_number(std::int64_t number, std::size_t width) {
  std::string digits = std::to_string(number);
  return digits.size() < width ? std::string(width - digits.size(), '0') + digits : digits;
}

/// Recursive-descent over one host list. Positions are 1-based columns of the list.
class Expander {
 public:
  Expander(std::string_view list, std::size_t most) : list_(list), most_(most) {}

  Result<std::vector<std::string>> run() {
    while (at_ < list_.size()) {
      if (list_[at_] == ',') {  // empty items are allowed: "a,b,"
        ++at_;
        continue;
      }
      if (auto done = item(); !done) return fail(done.error());
    }
    return std::move(names_);
  }

 private:
  Result<void> item() {
    std::vector<std::string> open{""};
    std::size_t text_after_bracket = 0;
    bool bracket = false;
    while (at_ < list_.size() && list_[at_] != ',') {
      if (list_[at_] == '[') {
        auto numbers = ranges();
        if (!numbers) return fail(numbers.error());
        if (auto grown = multiply(open, *numbers); !grown) return grown;
        bracket = true;
        text_after_bracket = 0;
        continue;
      }
      if (list_[at_] == ']') return bad("']' without '['");
      for (std::string& name : open) name += list_[at_];
      ++at_;
      ++text_after_bracket;
    }
    if (bracket && text_after_bracket > 0)
      return bad("text after a bracket is not a Slurm host list");
    if (names_.size() + open.size() > most_) return too_many();
    names_.insert(names_.end(), open.begin(), open.end());
    return {};
  }

  Result<std::vector<std::string>> ranges() {
    const std::size_t start = at_++;
    std::vector<std::string> out;
    while (true) {
      auto low = number();
      if (!low) return fail(low.error());
      std::string high = *low;
      if (at_ < list_.size() && list_[at_] == '-') {
        ++at_;
        auto upper = number();
        if (!upper) return fail(upper.error());
        high = *upper;
      }
      if (auto done = append_range(*low, high, out); !done) return fail(done.error());
      if (at_ >= list_.size()) {
        at_ = start;
        return fail(bad("'[' without ']'").error());
      }
      if (list_[at_] == ']') break;
      if (list_[at_] != ',') return fail(bad("expected ',', '-' or ']'").error());
      ++at_;
    }
    ++at_;
    return out;
  }

  Result<void> append_range(const std::string& low, const std::string& high,
                            std::vector<std::string>& out) {
    const std::int64_t from = std::stoll(low), to = std::stoll(high);
    if (to < from) return bad("range " + low + "-" + high + " runs backwards");
    if (static_cast<std::uint64_t>(to - from) >= most_) return too_many();
    if (out.size() + static_cast<std::size_t>(to - from) + 1 > most_) return too_many();
    for (std::int64_t n = from; n <= to; ++n) out.push_back(padded_number(n, low.size()));
    return {};
  }

  Result<std::string> number() {
    const std::size_t begin = at_;
    while (at_ < list_.size() && digit(list_[at_])) ++at_;
    if (begin == at_) return fail(bad("expected a number").error());
    if (at_ - begin > kLongestNumber) return fail(bad("number is too long").error());
    return std::string(list_.substr(begin, at_ - begin));
  }

  Result<void> multiply(std::vector<std::string>& open, const std::vector<std::string>& numbers) {
    if (open.size() > most_ / numbers.size()) return too_many();
    std::vector<std::string> grown;
    grown.reserve(open.size() * numbers.size());
    for (const std::string& name : open) {
      for (const std::string& n : numbers) grown.push_back(name + n);
    }
    open = std::move(grown);
    return {};
  }

  Result<void> bad(const std::string& message) const {
    Where where;
    where.column = static_cast<int>(at_) + 1;
    return fail(ErrorCode::kInvalidInput,
                "host list \"" + std::string(list_.substr(0, 60)) + "\": " + message, where);
  }
  Result<void> too_many() const {
    return fail(ErrorCode::kLimit, "host list names more than " + std::to_string(most_) + " hosts");
  }

  std::string_view list_;
  std::size_t most_, at_ = 0;
  std::vector<std::string> names_;
};

}  // namespace

Result<std::vector<std::string>> expand_hosts(std::string_view list, std::size_t most) {
  return Expander(list, most).run();
}

}  // namespace tessera::encode
