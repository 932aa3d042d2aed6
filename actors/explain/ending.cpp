// SPDX-License-Identifier: Apache-2.0
#include "actors/explain/ending.h"

namespace tessera::core {

void Ending::add(std::optional<GangId> gang, std::span<const std::size_t> pods) {
  if (gang) gangs_.push_back(*gang);
  pods_.insert(pods_.end(), pods.begin(), pods.end());
}

Books& Ending::books(const RefusedCase& refused) const {
  LastEnding& last = *refused.last_ending;
  if (last.books && last.gangs == gangs_ && last.pods == pods_) return *last.books;
  std::vector<const PodRecord*> pods;
  pods.reserve(pods_.size());
  for (const std::size_t pod : pods_) pods.push_back(&refused.inventory->pods[pod]);
  last.gangs = gangs_;
  last.pods = pods_;
  last.books.reset();
  last.books.emplace(refused.worlds->current().without(gangs_, pods));
  return *last.books;
}

}  // namespace tessera::core
