// SPDX-License-Identifier: Apache-2.0
#include "config/profile_rules.h"

namespace tessera::config {

// Greedy, and remembers only the last `*` to come back to. So a hostile pattern costs at most the
// product of both lengths.
bool glob_matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::string_view profile_by_rules(const std::vector<ProfileRule>& rules, std::string_view queue,
                                  std::string_view kind) {
  for (const ProfileRule& rule : rules) {
    if ((rule.queue.empty() || glob_matches(rule.queue, queue)) &&
        (rule.kind.empty() || glob_matches(rule.kind, kind))) {
      return rule.profile;
    }
  }
  return "default";
}

}  // namespace tessera::config
