// SPDX-License-Identifier: Apache-2.0
// ObjectHeader: the type, the name and the place of an object, as every kind has them.
//
// The loader fills in the type and the position, read_metadata() (metadata.h) the rest. The readers
// of kinds and the linking step use it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "topology/text/result.h"

namespace tessera::ingest {

/// Whether an object came with -C (kState), or with -f or a trace (kRequest): that decides what the
/// object means (ux.md rule 1).
enum class Role : std::uint8_t { kState, kRequest };

/// The parts of metadata that every kind shares.
struct ObjectHeader {
  std::string api_version;  // "kueue.x-k8s.io/v1beta2"
  std::string group;        // "kueue.x-k8s.io"; empty for core/v1
  std::string version;      // "v1beta2"
  std::string kind, namespace_name, name, uid;
  std::int64_t created = INT64_MIN;  // nanoseconds since the epoch; INT64_MIN: absent
  std::map<std::string, std::string> labels,
      annotations;  // scalars of any type, as text (cases.md C155)
  struct Owner {
    std::string api_version, kind, name, uid;
    bool controller = false;
  };
  std::vector<Owner> owners;
  bool deleted = false;  // has a deletionTimestamp: it is going away
  bool faulty = false;   // metadata has faults: the object counts only for what it holds
  Role role = Role::kState;
  Where where;

  std::string display() const {
    if (name.empty()) return kind;
    return kind + " " + (namespace_name.empty() ? name : namespace_name + "/" + name);
  }
};

}  // namespace tessera::ingest
