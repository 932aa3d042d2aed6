// SPDX-License-Identifier: Apache-2.0
// Accounting: figures about the state that was read, for the lines that commands print on stderr.
//
// Filled by Books and Worlds while they book what was read; a plain value.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tessera::core {

struct Accounting {
  std::int64_t bound_pods = 0;  // counted where they run
  /// Bound pods whose workload has an assignment: the assignment is counted in their place.
  std::int64_t pods_of_known = 0;
  /// Bound pods without such an assignment that the profile does not count (KueueNonTas).
  std::int64_t not_counted = 0;
  std::int64_t admitted_workloads = 0;
  /// "namespace job/x": owners of counted pods whose workload is not in the input, each once.
  std::vector<std::string> unknown_owners;
  /// Domains of admitted workloads in which there is no node now (workload key, domain text). Their
  /// pods are not booked anywhere.
  std::vector<std::pair<std::string, std::string>> lost;
  /// What the queues ask for that this version does not evaluate; one text for each queue.
  std::vector<std::string> queue_warnings;
  /// Why the shard level of the options is not used (ShardLayout::fault()). Empty: it is used.
  std::string shard_fault;
};

}  // namespace tessera::core
