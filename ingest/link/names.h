// SPDX-License-Identifier: Apache-2.0
// Names of workloads that are made from other objects (ux.md rule 1): `<k>-<n>`, cut at 63 with a
// 5-hex hash when longer or taken.
//
// Called by the linking step, in an order that does not depend on the input's.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "actors/records/workload.h"

namespace tessera::ingest {

class NameBook {
 public:
  /// Marks a name as taken.
  void take(const std::string& namespace_name, const std::string& name);

  /// Names `workload` after its origin and sets its origin label.
  void name(core::Workload& workload);

 private:
  bool claim(const std::string& namespace_name, const std::string& name);

  std::set<std::pair<std::string, std::string>> taken_;
};

}  // namespace tessera::ingest
