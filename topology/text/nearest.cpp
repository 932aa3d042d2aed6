// SPDX-License-Identifier: Apache-2.0
#include "topology/text/nearest.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace tessera {
namespace {

constexpr std::size_t kMaxTypos = 3;
// A longer name is no typing mistake.
constexpr std::size_t kLongestName = 400;

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

/// Edits (insert, delete, replace, swap of neighbours) from one name to others, case aside. Only
/// the cells within `limit` of the diagonal are computed: elsewhere the distance is larger anyway.
class EditDistance {
 public:
  explicit EditDistance(std::string_view name) : name_(name) {
    std::transform(name_.begin(), name_.end(), name_.begin(), lower);
  }

  /// At most `limit`, or more than it. The lengths differ by `limit` at most.
  std::size_t to(std::string_view other, std::size_t limit) {
    const std::size_t far = limit + 1;
    before_.assign(other.size() + 1, far);
    row_ = before_;
    last_ = before_;
    std::iota(last_.begin(),
              last_.begin() + static_cast<std::ptrdiff_t>(std::min(limit, other.size())) + 1,
              std::size_t{0});
    for (std::size_t i = 1; i <= name_.size(); ++i) {
      const std::size_t first = i > limit ? i - limit : 1, end = std::min(other.size(), i + limit);
      row_[first - 1] = first == 1 ? std::min(i, far) : far;
      std::size_t least = row_[first - 1];
      for (std::size_t j = first; j <= end; ++j) {
        row_[j] = cell(i, j, lower(other[j - 1]), j > 1 ? lower(other[j - 2]) : '\0');
        least = std::min(least, row_[j]);
      }
      if (end < other.size()) row_[end + 1] = far;
      if (least > limit) return far;
      before_.swap(last_);
      last_.swap(row_);
    }
    return last_[other.size()];
  }

 private:
  std::size_t cell(std::size_t i, std::size_t j, char now, char previous) const {
    const std::size_t replaced = last_[j - 1] + (name_[i - 1] == now ? 0u : 1u);
    std::size_t edits = std::min({last_[j] + 1, row_[j - 1] + 1, replaced});
    if (i > 1 && j > 1 && name_[i - 1] == previous && name_[i - 2] == now) {
      edits = std::min(edits, before_[j - 2] + 1);
    }
    return edits;
  }

  std::string name_;
  std::vector<std::size_t> before_, last_, row_;
};

std::string in_parentheses(const std::string& near) {
  return near.empty() ? "" : " (did you mean \"" + near + "\"?)";
}

}  // namespace

std::string Speller::nearest(std::string_view name, const std::vector<std::string>& known) {
  const std::size_t limit = std::min(kMaxTypos, name.size() / 3);
  if (name.empty() || name.size() > kLongestName) return {};
  EditDistance distance(name);
  std::size_t best = limit + 1;
  std::string out;
  for (const std::string& candidate : known) {
    const std::size_t longer = std::max(candidate.size(), name.size());
    const bool may_be = longer - std::min(candidate.size(), name.size()) <= limit;
    const std::uint64_t steps = may_be ? 1 + name.size() : 1;
    if (left_ < steps) {
      left_ = 0;
      return {};
    }
    left_ -= steps;
    if (!may_be) continue;
    const std::size_t edits = distance.to(candidate, limit);
    if (edits < best) {
      best = edits;
      out = candidate;
    }
  }
  return out;
}

std::string Speller::did_you_mean(std::string_view name, const std::vector<std::string>& known) {
  return in_parentheses(nearest(name, known));
}

std::string nearest(std::string_view name, const std::vector<std::string>& known) {
  return Speller().nearest(name, known);
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known) {
  return in_parentheses(nearest(name, known));
}

}  // namespace tessera
