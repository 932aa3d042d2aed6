// SPDX-License-Identifier: Apache-2.0
// What gangs get besides what they hold: their later parts, which can be given back alone.
#include <algorithm>
#include <iterator>

#include "actors/books/books.h"
#include "actors/records/broken_invariant.h"

namespace tessera::core {

void Books::grow(GangId gang, const Workload& workload, const Decision& added) {
  add(gang, held_of(workload, added));
}

/// Which of the workload's pods stand beside the admission depends on all of it, so they are
/// counted when the whole is known (Worlds).
void Books::grow(GangId gang, const Workload& workload, const Admission& added,
                 Accounting& accounting) {
  add(gang, held_of(workload, added, {}, accounting));
}

void Books::add(GangId gang, Held added) {
  const auto at = held_.find(gang);
  if (at == held_.end()) throw BrokenInvariant("gang " + text(gang) + " grows and holds nothing");
  Held& held = at->second;
  take(added);
  growths_[gang].push_back({held.pods.size(), held.quota.size()});
  held.pods.insert(held.pods.end(), added.pods.begin(), added.pods.end());
  held.quota.insert(held.quota.end(), added.quota.begin(), added.quota.end());
  held.follows_pods = held.follows_pods || added.follows_pods;
}

std::size_t Books::growths(GangId gang) const {
  const auto at = growths_.find(gang);
  return at == growths_.end() ? 0 : at->second.size();
}

Held Books::part(GangId gang, std::size_t number) const {
  const Held& all = held_.at(gang);
  const auto marks = growths_.find(gang);
  if (marks == growths_.end()) return all;
  const auto place = [](std::size_t at) { return static_cast<std::ptrdiff_t>(at); };
  const Mark begin = number == 0 ? Mark{0, 0} : marks->second.at(number - 1);
  const Mark end = number < marks->second.size() ? marks->second[number]
                                                 : Mark{all.pods.size(), all.quota.size()};
  Held part;
  part.requests = all.requests;
  part.pods.assign(all.pods.begin() + place(begin.pods), all.pods.begin() + place(end.pods));
  part.quota.assign(all.quota.begin() + place(begin.quota), all.quota.begin() + place(end.quota));
  part.follows_pods = all.follows_pods;
  return part;
}

Held Books::shrink(GangId gang) {
  Held last = part(gang, growths(gang));
  give_back(last);
  Held& rest = held_.at(gang);
  rest.pods.resize(rest.pods.size() - last.pods.size());
  rest.quota.resize(rest.quota.size() - last.quota.size());
  const auto marks = growths_.find(gang);
  marks->second.pop_back();
  if (marks->second.empty()) growths_.erase(marks);
  return last;
}

}  // namespace tessera::core
