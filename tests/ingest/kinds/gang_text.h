// SPDX-License-Identifier: Apache-2.0
// Objects of KAI as short texts, and the gang that became of them on one line.
#pragma once

#include <string>

#include "ingest/load/load.h"

namespace tessera::test {

/// A PodGroup "g" of namespace "ns"; `spec` in flow style, without braces.
std::string pod_group(const std::string& spec, const std::string& metadata = "");

/// A pod of namespace "ns" that waits for KAI and names the PodGroup "g". `leaf`: its label; empty:
/// none. `more`: further parts of its spec, such as "nodeName: n1".
std::string member_pod(const std::string& name, const std::string& leaf = "",
                       const std::string& more = "", const std::string& metadata = "");

/// Each group, separated by "; ": its name ("." for the root), what it needs, its levels, its pods.
/// ". 2 groups; a 1 pod rack [a: p0 p1] runs n1".
std::string gang_line(const core::Workload& workload);

/// The gang of "ns/podgroup-g"; "-" if there is no such workload.
std::string gang_of(const ingest::Loaded& loaded);

/// The workload itself; it must be there.
const core::Workload& group_workload(const ingest::Loaded& loaded);

}  // namespace tessera::test
