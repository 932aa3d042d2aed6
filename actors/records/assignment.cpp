// SPDX-License-Identifier: Apache-2.0
#include "actors/records/assignment.h"

#include <algorithm>

namespace tessera::core {

void ResourceFlavors::set(Symbol resource, Symbol flavor) {
  const auto at = std::lower_bound(
      entries_.begin(), entries_.end(), resource,
      [](const Entry& entry, Symbol wanted) { return entry.resource.view() < wanted.view(); });
  if (at != entries_.end() && at->resource == resource) {
    at->flavor = flavor;
  } else {
    entries_.insert(at, {resource, flavor});
  }
}

bool ResourceFlavors::has(Symbol resource) const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [resource](const Entry& entry) { return entry.resource == resource; });
}

}  // namespace tessera::core
