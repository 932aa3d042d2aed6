// SPDX-License-Identifier: Apache-2.0
#include "topology/text/hostlist.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

#include "topology/text/wording.h"

namespace tessera::encode {
namespace {

constexpr std::size_t kMostDigits = 18;  // fits int64

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A name cut around its last number: text before, digits, text after.
struct Numbered {
  std::string prefix, suffix;
  std::int64_t number = 0;
  std::size_t width = 0;  // number of digits, kept for zero padding
};

bool cut(const std::string& name, Numbered& out) {
  if (name.find_first_of("[],") != std::string::npos) return false;
  std::size_t end = name.size();
  while (end > 0 && !is_digit(name[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && is_digit(name[begin - 1])) --begin;
  if (begin == end || end - begin > kMostDigits) return false;
  out.prefix = name.substr(0, begin);
  out.suffix = name.substr(end);
  out.width = end - begin;
  std::from_chars(name.data() + begin, name.data() + end, out.number);
  return true;
}

std::string padded(std::int64_t number, std::size_t width) {
  std::string digits = std::to_string(number);
  return digits.size() < width ? std::string(width - digits.size(), '0') + digits : digits;
}

/// Names with one prefix and suffix; `width` is their padding, 0 for numbers written without
/// leading zeros.
using GroupKey = std::tuple<std::string, std::string, std::size_t>;

std::string fold_group(const GroupKey& key, std::vector<std::int64_t> numbers) {
  const auto& [prefix, suffix, width] = key;
  if (numbers.size() == 1) return prefix + padded(numbers[0], width) + suffix;
  std::string ranges;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t j = i;
    while (j + 1 < numbers.size() && numbers[j + 1] == numbers[j] + 1) ++j;
    if (!ranges.empty()) ranges += ',';
    ranges += padded(numbers[i], width);
    if (j > i) ranges += '-' + padded(numbers[j], width);
    i = j + 1;
  }
  return prefix + '[' + ranges + ']' + suffix;
}

}  // namespace

std::string fold_hosts(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  // A number with leading zeros fixes the width of its group. A number without them may join the
  // group of its own width.
  std::map<std::pair<std::string, std::string>, std::map<std::size_t, bool>> padded_widths;
  std::vector<std::pair<std::string, Numbered>> cuts;
  std::map<std::string, std::string> plain;
  for (const std::string& name : names) {
    Numbered parts;
    // Slurm refuses text after a bracket, so only names that end in their number are folded.
    if (!cut(name, parts) || !parts.suffix.empty()) {
      plain[name] = name;
      continue;
    }
    if (parts.width > 1 && name[parts.prefix.size()] == '0')
      padded_widths[{parts.prefix, parts.suffix}][parts.width] = true;
    cuts.emplace_back(name, parts);
  }
  std::map<GroupKey, std::vector<std::int64_t>> groups;
  for (const auto& [name, parts] : cuts) {
    const auto widths = padded_widths.find({parts.prefix, parts.suffix});
    const bool pads = widths != padded_widths.end() && widths->second.count(parts.width) > 0;
    groups[{parts.prefix, parts.suffix, pads ? parts.width : 0}].push_back(parts.number);
  }
  std::map<std::string, std::string> pieces = std::move(plain);
  for (auto& [key, numbers] : groups) {
    std::sort(numbers.begin(), numbers.end());
    const std::string order =
        std::get<0>(key) + padded(numbers.front(), std::get<2>(key)) + std::get<1>(key);
    pieces[order] = fold_group(key, std::move(numbers));
  }
  std::string out;
  for (const auto& [order, piece] : pieces) out += (out.empty() ? "" : ",") + piece;
  return out;
}

std::string shown_hosts(std::vector<std::string> names, bool fold, std::size_t most) {
  const auto text = [&](std::size_t count) {
    std::vector<std::string> some(names.begin(),
                                  names.begin() + static_cast<std::ptrdiff_t>(count));
    return fold ? fold_hosts(std::move(some)) : joined(some, ",");
  };
  std::string all = text(names.size());
  if (all.size() <= most) return all;
  if (fold) std::sort(names.begin(), names.end());
  std::size_t fits = 1, above = names.size();  // names of which the text fits, and does not
  while (above - fits > 1) {
    const std::size_t middle = fits + (above - fits) / 2;
    (text(middle).size() <= most ? fits : above) = middle;
  }
  if (names.size() <= 1) return all;
  return text(fits) + " and " + std::to_string(names.size() - fits) + " more";
}

}  // namespace tessera::encode
