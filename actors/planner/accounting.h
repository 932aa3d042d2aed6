// SPDX-License-Identifier: Apache-2.0
// Accounting: what the state that was read amounts to, for the accounting lines of commands (ux.md
// rule 2).
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
  /// Bound pods that their workload's assignment stands for: counted once.
  std::int64_t pods_of_known = 0;
  /// Bound pods that no assignment stands for and the profile skips (KueueNonTas).
  std::int64_t not_counted = 0;
  std::int64_t admitted_workloads = 0;
  /// "namespace job/x": owners of counted pods whose workload is not in the input, each once.
  std::vector<std::string> unknown_owners;
  /// Pods of admitted workloads on domains that no node makes up now (workload key, domain text):
  /// not booked anywhere.
  std::vector<std::pair<std::string, std::string>> lost;
  /// What the queues ask for that this version does not evaluate, one text a queue.
  std::vector<std::string> queue_warnings;
  /// Why the shard level of the options is not used (ShardLayout::fault()); empty: it is.
  std::string shard_fault;
};

}  // namespace tessera::core
