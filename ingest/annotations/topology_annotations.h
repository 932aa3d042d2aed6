// SPDX-License-Identifier: Apache-2.0
// Reads the topology annotations of a pod template into a topology request (placement.md 1.4), and
// checks the rules V1..V8 of placement.md 7.
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

/// What the annotations of a pod template ask for. `invalid` lists the broken rules of V1..V8,
/// `not_honoured` the phrases for a warning.
struct TopologyReading {
  solver::TopologyRequest request;
  std::string group;
  std::optional<std::int64_t> index_offset;
  std::vector<std::string> not_honoured;
  std::vector<Error> invalid;
};
/// Reads metadata.annotations of a pod template. An unknown key under a known prefix gets a warning
/// that names the nearest key. `path`: where `metadata` is ("spec.template.metadata"). `count`:
/// pods of the pod set, for V8. `default_slice_size`: the slice size if only a level is given, for
/// kinds that have a natural slice (JobSet: the pods of one child job, kinds.md A2); without it V6
/// refuses the level.
TopologyReading read_topology_annotations(FieldReader& context, const ObjectHeader& header,
                                          reader::Value metadata, const std::string& path,
                                          std::int64_t count,
                                          std::optional<std::int64_t> default_slice_size = {});

}  // namespace tessera::ingest
