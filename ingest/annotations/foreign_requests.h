// SPDX-License-Identifier: Apache-2.0
// What pods ask of other systems, by marks that this version does not honour: KAI's annotations and
// labels (kinds.md 0.A), and pod groups of other schedulers (kinds.md 0.10).
//
// Called by the readers of jobs and pods, so that such a request is named in a warning and never
// dropped in silence. Looks at marks only; it reads no PodGroup object.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/values/value.h"

namespace tessera::ingest {

/// A pod group of another scheduler that a pod belongs to.
struct ForeignPodGroup {
  std::string name;
  std::string mark;  // what says so: "label scheduling.x-k8s.io/pod-group"
};

/// The pod group of another scheduler that the metadata and the spec of a pod or of a pod template
/// name. Nothing if they name none.
std::optional<ForeignPodGroup> foreign_pod_group(reader::Value metadata, reader::Value spec);

/// The annotations that kai_requests() looks for.
std::span<const std::string_view> kai_annotations();

/// The requests in the metadata of an object or of a pod template that only KAI honours, as phrases
/// for a warning: "annotation kai.scheduler/topology".
std::vector<std::string> kai_requests(reader::Value metadata);

}  // namespace tessera::ingest
