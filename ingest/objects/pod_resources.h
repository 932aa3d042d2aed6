// SPDX-License-Identifier: Apache-2.0
// PodResources: what the containers of a pod ask for, as written, and the sum by the rules of
// Kubernetes (component-helpers resource.PodRequests).
//
// Read with a pod (ingest/objects/pod_template.h) and kept until objects are linked
// (ingest/link/settle_requests.h): LimitRanges and RuntimeClasses may come after their pods in the
// input. Amounts are engine units. Pods with equal resources share one number.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "topology/nodes/amounts.h"

namespace tessera::ingest {

struct ContainerResources {
  topology::Amounts requests, limits;
  bool sidecar = false;  // an init container that goes on beside the containers

  /// The requests. A resource with a limit but without a request is requested up to its limit, as
  /// the API server does it.
  topology::Amounts asked() const;
};

struct PodResources {
  std::vector<ContainerResources> containers, inits;
  std::optional<ContainerResources> pod;  // of the pod as a whole
  topology::Amounts overhead;
  std::string runtime_class;

  /// What one pod takes of a node, without the pod slot.
  topology::Amounts effective_request() const;
};

/// The resources of all templates that were read. Equal resources share a number. Number 0 asks for
/// nothing; a pod set without a template has it.
class PodResourcesBook {
 public:
  PodResourcesBook() { number_of({}); }
  std::uint32_t number_of(const PodResources& resources);
  const PodResources& operator[](std::uint32_t number) const { return known_[number]; }

 private:
  std::map<std::string, std::uint32_t> numbers_;
  std::vector<PodResources> known_;
};

}  // namespace tessera::ingest
