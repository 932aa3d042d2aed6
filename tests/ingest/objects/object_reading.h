// SPDX-License-Identifier: Apache-2.0
// Reads manifests into a ReadContext with the readers of pods and jobs, without a Loader.
#pragma once

#include <string>
#include <string_view>

#include "ingest/objects/read_context.h"

namespace tessera::test {

/// Pods, Jobs, JobSets and Workloads of `text` (YAML or JSON); other kinds are passed over. The
/// file is called "in.yaml". `names`: nullptr: the budget of the process.
ingest::ReadContext read_objects(std::string_view text, topology::NameBudget* names = nullptr);

/// "field: message" of each, one a line.
std::string findings(const std::vector<Error>& errors);

/// The topology request of a pod set, e.g. "required=rack slice=host:2 group=g"; "-" if there is
/// none.
std::string request_text(const solver::PodSet& pod_set);

/// "cpu=1500 memory=1024", in engine units.
std::string amounts_text(const topology::Amounts& amounts);

}  // namespace tessera::test
