// SPDX-License-Identifier: Apache-2.0
// Registry: which kinds are read, in which versions, by which reader.
//
// Called by the loader. A new kind is one row in registry.cpp and a reader in a file of its own.
// One object gives at most one record, so that a later version of the same object can replace it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/fields/field_tree.h"
#include "ingest/fields/metadata.h"
#include "ingest/objects/read_context.h"

namespace tessera::ingest {

/// The list of the context that holds a kind's records. Removing records keeps the order of the
/// others.
struct Shelf {
  std::size_t (*size)(ReadContext&) = nullptr;
  void (*remove)(ReadContext&, const std::vector<bool>& gone) = nullptr;
};

enum class KindRole : std::uint8_t {
  kOther,
  kQueue,     // its presence means that the input has queues (ux.md rule 1)
  kFlavor,    // its presence means that the input has flavors
  kTopology,  // its presence means that no topology is derived
  kJob,       // owns pods: its unbound pods are never gangs of their own
  kWorkload,  // makes workloads, but owns no pods
  kPodGroup,  // makes a workload of pods that name it, and none without them
};

struct KindReader {
  std::string_view group, kind;
  std::vector<std::string_view> versions;
  bool namespaced = false;
  HeaderParts parts = HeaderParts::kAll;
  KindRole role = KindRole::kOther;
  void (*read)(ReadContext&, const ObjectHeader&, reader::Value) = nullptr;
  Shelf shelf;
  const FieldTree* fields = nullptr;  // what such an object can have
};

std::span<const KindReader> known_kinds();

/// The reader of a kind, whatever the version; null if the kind is not read.
const KindReader* find_kind(std::string_view group, std::string_view kind);

/// True if such an object may stand for a workload.
bool makes_workloads(const KindReader& kind);

/// "kueue.x-k8s.io" and "v1beta2"; the group of "v1" is empty.
struct GroupVersion {
  std::string_view group, version;
};
GroupVersion split_api_version(std::string_view api_version);

}  // namespace tessera::ingest
