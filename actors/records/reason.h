// SPDX-License-Identifier: Apache-2.0
// Reason: why a workload is not placed; the closed list of ux.md rule 3, the same in tables,
// conditions, metrics and JSON.
#pragma once

#include <string_view>

namespace tessera::core {

enum class Reason {
  kNone,
  kTopologyFit,
  kQuota,
  kQuotaParent,
  kQueueMissing,
  kQueueStopped,
  kFragmented,
  kNodeHealth,
  kTaint,
  kAffinity,
  kNodeSelector,
  kFlavor,
  kTopologyMissing,
  kExclusive,
  kSpread,
  kMinMembers,
  kBehindHead,
  kDeferred,
  kBudget,
  kNamespace,
  kInactive,
  kGated,
  kAdmissionCheck,
  kBackoff,
  kLimitRange,
  kInvalid,
};

/// "TopologyFit", "Quota", ...; kNone is "-".
std::string_view reason_name(Reason reason);

/// The four words of a result (ux.md rule 3).
enum class Outcome { kPlaced, kWaits, kNever, kInvalid };
std::string_view outcome_name(Outcome outcome);

}  // namespace tessera::core
