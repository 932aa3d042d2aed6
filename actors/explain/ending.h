// SPDX-License-Identifier: Apache-2.0
// Ending: workloads and bound pods of which a what-if supposes that they have ended.
//
// Used by Explainer and find_remedies(), off the decision path. Changes no books.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "actors/shortage/refused_case.h"

namespace tessera::core {

/// The ending that was asked about last: many refusals of a run lack what the same holders have.
struct LastEnding {
  std::vector<GangId> gangs;
  std::vector<std::size_t> pods;
  std::optional<Books> books;
};

class Ending {
 public:
  /// `gang`: if any. `pods`: positions in Inventory::pods.
  void add(std::optional<GangId> gang, std::span<const std::size_t> pods);
  /// The current world after they have ended. Valid until the next call for the same run.
  Books& books(const RefusedCase& refused) const;

 private:
  std::vector<GangId> gangs_;
  std::vector<std::size_t> pods_;
};

}  // namespace tessera::core
