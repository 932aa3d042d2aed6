// SPDX-License-Identifier: Apache-2.0
// The topology annotations of a pod template to a topology request (placement.md 1.4), with the
// rules V1..V8 of placement.md 7.
//
// Called by the reader of pod templates. The keys are in annotation_keys.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ingest/fields/field_reader.h"
#include "solver/gang/gang.h"

namespace tessera::ingest {

/// Reads metadata.annotations of a pod template into a topology request, the group name and V1..V8
/// of placement.md 7: what breaks a rule is appended to `invalid`. `count`: pods of the pod set,
/// for V8. Unknown keys under a known prefix: warning with the nearest.
struct TopologyReading {
  solver::TopologyRequest request;
  std::string group;
  std::optional<std::int64_t> index_offset;
  std::vector<std::string> not_honoured;
  std::vector<Error> invalid;
};
/// `path`: of `metadata` ("spec.template.metadata"). `default_slice_size`: what a slice level
/// without a size means, for kinds that have a natural slice (JobSet: the pods of one child job,
/// kinds.md A2); none: V6 refuses it.
TopologyReading read_topology_annotations(FieldReader& context, const ObjectHeader& header,
                                          reader::Value metadata, const std::string& path,
                                          std::int64_t count,
                                          std::optional<std::int64_t> default_slice_size = {});

}  // namespace tessera::ingest
