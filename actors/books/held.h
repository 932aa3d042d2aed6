// SPDX-License-Identifier: Apache-2.0
// Held: what one workload holds: pods on cells, quota in queues. OthersUse: what pods hold that
// stand for themselves.
//
// Made and kept by Books; owners are told both. Plain values. A part names a cell, whatever flavor
// or label led there, so that the same amounts can be given back when those are gone.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "actors/quota/ledger.h"
#include "topology/capacity.h"

namespace tessera::core {

/// What one pod takes, with its rows looked up. Equal requests share one PodRequest.
struct PodRequest {
  topology::Amounts request;  // of the pod itself
  topology::Amounts amounts;  // with its slot
  topology::RowAmounts rows;
  std::uint64_t hash = 0;  // amounts_hash() of `amounts`
};

/// What one workload holds.
struct Held {
  struct Pods {
    topology::CellId cell;
    std::uint32_t pod_set;
    std::int64_t pods;
  };
  struct Quota {
    QuotaNode queue;
    QuotaColumn column;
    std::int64_t amount;
  };
  std::vector<std::shared_ptr<const PodRequest>> requests;  // by pod set
  std::vector<Pods> pods;
  std::vector<Quota> quota;
  /// The admission leaves open on which node a pod runs, and its bound pods say it: `pods` changes
  /// with them.
  bool follows_pods = false;
};

/// What pods use that no admission stands for: pods without a workload, and pods that run where the
/// admission of their workload does not name them.
struct OthersUse {
  std::map<topology::NodeId, topology::Amounts> pods;
  std::set<std::pair<std::string, std::string>> counted;  // (namespace, name)
  std::vector<Held::Quota> quota;                         // of KAI Queues
};

}  // namespace tessera::core
