// SPDX-License-Identifier: Apache-2.0
// The solver's answers: a Placement, a Refusal with its evidence, or that the search gave up. All
// are plain values and say how many steps the search took (solver/choice/steps.h).
//
// A refusal is not an error and carries no text: ingest/text writes the text for people, and the
// text in Kueue's words (placement.md 10).
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "solver/gang/gang.h"
#include "topology/domain_tree.h"

namespace tessera::solver {

/// Pods of one pod set on one leaf.
struct LeafPods {
  topology::LeafId leaf;
  std::int64_t pods = 0;
  friend bool operator==(const LeafPods&, const LeafPods&) = default;
};

/// Where the pods of one pod set go: leaves in path order, each once, none with 0 pods. The order
/// of the leaves decides the ranks of the pods (placement.md 4.7).
using PodSetPlacement = std::vector<LeafPods>;

/// One entry for each pod set of the gang, in spec order. The entry is empty if the pod set has
/// count 0 or no topology flavor.
struct Placement {
  std::vector<PodSetPlacement> pod_sets;
  std::int64_t steps = 0;
};

/// What exactly stands in the way. M1..M5: the texts of placement.md 10.
enum class Obstacle : std::uint8_t {
  kNoneFits,           // M1
  kSomeFit,            // M2
  kLayersShort,        // M3
  kNoDomains,          // M5 no topology domains at level
  kUnknownLevel,       // M5 no requested topology level
  kUnknownSliceLevel,  // M5 ... for slices
  kSliceAboveRequest,  // M5 podset slice topology is above the podset topology
  kSliceSizeMissing,   // M5 slice topology requested, but slice size not provided
  kNoLevel,            // M5 topology level not specified
  kUnknownLayerLevel,  // M5 additional slice layer: unknown level
  kLayerNotLower,      // M5 additional slice layer must be at a lower level
  kLayerNotDividing,   // M5 additional slice layer size must evenly divide
  kSliceRemainder,     // slice size does not divide the count (placement.md 7 [D])
  kLeaderDoesNotFit,   // workers fit, the leader beside them does not
  kGroupShape,         // a group that is not one leader and its workers
  kOverbooked,         // it fits by count, but overlapping cells do not have the room together
  kTreeDoesNotFit,     // a gang tree: proved, no placement of its minimum exists
  kTreeBounded,        // a gang tree: none was found within the steps of its search
  kTreeShortOfPods,    // a gang tree: fewer pods exist than `group` needs; `need`, `fits`
  kTreeUnknownLevel,   // a group asks for a level that its topology, or no topology, has
};

/// True if the request itself is wrong: the result is Invalid (placement.md 7 [D]).
bool is_invalid(Obstacle obstacle);

/// How many leaves have no room or are filtered out, by cause. Each leaf counts once.
struct CauseCount {
  enum class Kind : std::uint8_t { kResource, kTaint, kNodeSelector, kAffinity } kind;
  std::string detail;  // resource name; taint text
  std::int64_t leaves = 0;
};

struct LayerCount {
  Symbol level;
  std::int64_t fits = 0, need = 0;  // slices
};

struct Refusal {
  std::uint32_t pod_set = 0;  // index in the gang: the refused pod set; of a group its first member
  Obstacle obstacle = Obstacle::kNoneFits;
  std::int64_t need = 0, fits = 0;  // units: slices if slice_size > 1, else pods
  std::int64_t slice_size = 1;
  int level = -1;           // index of the searched level (M3: of the failing find)
  Symbol level_a, level_b;  // labels named by M5 texts
  std::int64_t size_a = 0, size_b = 0;
  std::vector<LayerCount> layers;  // M3
  std::int64_t leaves = 0;         // leaves examined
  std::vector<CauseCount> causes;  // only those with leaves > 0
  std::uint32_t group = 0;         // kTreeShortOfPods, kTreeUnknownLevel: of the gang
  std::int64_t steps = 0;
};

/// The search took more steps than SearchOptions::max_steps, or was stopped. Nothing is known.
struct OutOfSteps {
  std::int64_t steps = 0;
};

/// Only a search with a limit answers OutOfSteps.
using Answer = std::variant<Placement, Refusal, OutOfSteps>;

}  // namespace tessera::solver
