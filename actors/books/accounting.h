// SPDX-License-Identifier: Apache-2.0
// Accounting: figures about the state that was read, for the lines that commands print on stderr.
//
// Filled by Books and Worlds while they book what was read; a plain value.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "topology/text/symbol.h"

namespace tessera::core {

/// Where the admission of a workload and the cluster differ, and what was done.
struct Mismatch {
  enum class Kind : std::uint8_t {
    kNoNode,       // `places`: domains without a usable node. Their pods are not booked.
    kOtherFlavor,  // `places`: nodes of the assignment that are no leaves of `flavor` now. Its pods
                   // are booked there all the same.
    kNoHost,       // `places`: domains that name no host, though leaves are hosts. Bound pods are
                   // booked where they run, the other `pods` on the first nodes there that could
                   // hold them.
    kElsewhere,    // `places`: nodes where bound pods run, beyond what the assignment names. They
                   // are counted there as well.
  };
  Kind kind = Kind::kNoNode;
  std::string workload;             // key
  topology::Symbol flavor;          // of the assignment; empty: none
  std::vector<std::string> places;  // each once, ascending
  std::int64_t pods = 0;
};

struct Accounting {
  std::int64_t bound_pods = 0;  // counted where they run
  /// Bound pods whose workload has an assignment: the assignment is counted in their place.
  std::int64_t pods_of_known = 0;
  /// Bound pods without such an assignment that the profile does not count (KueueNonTas).
  std::int64_t not_counted = 0;
  std::int64_t admitted_workloads = 0;
  /// "namespace job/x": owners of counted pods whose workload is not in the input, each once.
  std::vector<std::string> unknown_owners;
  /// By workload in the order in which they were booked.
  std::vector<Mismatch> mismatches;
  /// What the queues ask for that this version does not evaluate; one text for each queue.
  std::vector<std::string> queue_warnings;
  /// Why the shard level of the options is not used (ShardLayout::fault()). Empty: it is used.
  std::string shard_fault;
};

}  // namespace tessera::core
