// SPDX-License-Identifier: Apache-2.0
#include "actors/records/reason.h"

#include <array>

namespace tessera::core {
namespace {

// In the order of enum Reason.
constexpr std::array<std::string_view, 26> kReasonNames = {"-",
                                                           "TopologyFit",
                                                           "Quota",
                                                           "QuotaParent",
                                                           "QueueMissing",
                                                           "QueueStopped",
                                                           "Fragmented",
                                                           "NodeHealth",
                                                           "Taint",
                                                           "Affinity",
                                                           "NodeSelector",
                                                           "Flavor",
                                                           "TopologyMissing",
                                                           "Exclusive",
                                                           "Spread",
                                                           "MinMembers",
                                                           "BehindHead",
                                                           "Deferred",
                                                           "Budget",
                                                           "Namespace",
                                                           "Inactive",
                                                           "Gated",
                                                           "AdmissionCheck",
                                                           "Backoff",
                                                           "LimitRange",
                                                           "Invalid"};
static_assert(kReasonNames.size() == static_cast<std::size_t>(Reason::kInvalid) + 1);

constexpr std::array<std::string_view, 4> kOutcomeNames = {"Placed", "Waits", "Never", "Invalid"};
static_assert(kOutcomeNames.size() == static_cast<std::size_t>(Outcome::kInvalid) + 1);

}  // namespace

std::string_view reason_name(Reason reason) {
  return kReasonNames[static_cast<std::size_t>(reason)];
}

std::string_view outcome_name(Outcome outcome) {
  return kOutcomeNames[static_cast<std::size_t>(outcome)];
}

}  // namespace tessera::core
