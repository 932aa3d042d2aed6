// SPDX-License-Identifier: Apache-2.0
#include "ingest/link/names.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace tessera::ingest {
namespace {

constexpr std::size_t kMaxName = 63;
constexpr std::size_t kHashDigits = 5;

/// FNV-1a: short, and the same on every machine.
std::string hash_digits(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3u;
  }
  std::string digits;
  for (std::size_t i = 0; i < kHashDigits; ++i, hash >>= 4) {
    digits += "0123456789abcdef"[hash & 15];
  }
  return digits;
}

/// `base`, cut so that "-" and the hash of `identity` fit.
std::string with_hash(const std::string& base, const std::string& identity) {
  std::string cut = base.substr(0, kMaxName - kHashDigits - 1);
  while (!cut.empty() && (cut.back() == '.' || cut.back() == '-')) cut.pop_back();
  return cut + "-" + hash_digits(identity);
}

std::string kind_word(const std::string& kind) {
  std::string word = kind;
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return word;
}

}  // namespace

void NameBook::take(const std::string& namespace_name, const std::string& name) {
  taken_.emplace(namespace_name, name);
}

bool NameBook::claim(const std::string& namespace_name, const std::string& name) {
  return taken_.emplace(namespace_name, name).second;
}

void NameBook::name(core::Workload& workload) {
  const core::Origin& origin = workload.origin;
  const std::string word = kind_word(origin.kind);
  const std::string identity = origin.api_version + "/" + origin.kind + "/" + origin.name;
  const std::string label = word + "." + origin.name;
  workload.origin_label = label.size() <= kMaxName ? label : with_hash(label, identity);

  const std::string base = word + "-" + origin.name;
  workload.name = base.size() <= kMaxName ? base : with_hash(base, identity);
  for (int attempt = 0; !claim(workload.namespace_name, workload.name); ++attempt) {
    workload.name = with_hash(base, identity + "#" + std::to_string(attempt));
  }
}

}  // namespace tessera::ingest
