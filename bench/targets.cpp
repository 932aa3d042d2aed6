// SPDX-License-Identifier: Apache-2.0
#include "bench/targets.h"

namespace tessera::bench {
namespace {

/// `nodes` 0: any size; `state` empty: any.
struct TargetRow {
  std::string_view name;
  std::uint32_t nodes;
  std::string_view state;
  Target target;
};

/// The first row that matches counts.
constexpr TargetRow kTargets[] = {
    {"BM_SlicedBlock", 100'000, "hot", {10, 60, 0}},
    {"BM_SlicedBlock", 100'000, "flushed", {25, 0, 0}},
    {"BM_SlicedBlock", 100'000, "flushed, lagging", {25, 0, 0}},
    {"BM_SlicedBlock", 1'000'000, "hot", {0, 0, 1.3}},
    {"BM_SlicedBlock", 1'000'000, "random", {0, 0, 1.6}},
    {"BM_OneRack", 100'000, "hot", {2, 0, 0}},
    {"BM_OneRack", 100'000, "random", {2, 0, 0}},
    {"BM_PreferredRack", 0, "hot", {100, 0, 0}},
    {"BM_PreferredRack", 0, "random", {100, 0, 0}},
    {"BM_PreferredRackLed", 0, "hot", {100, 0, 0}},
    {"BM_PreferredRackLed", 0, "random", {100, 0, 0}},
    {"BM_BalancedRack", 0, "hot", {150, 0, 0}},
    {"BM_BalancedRackLed", 0, "hot", {150, 0, 0}},
    {"BM_TreeSegments16", 100'000, "", {50, 0, 0}},
    {"BM_TreeSegments4", 100'000, "", {50, 0, 0}},
    {"BM_TreeServing", 100'000, "", {200, 0, 0}},
    {"BM_TreeCannotFit", 100'000, "", {50'000, 0, 0}},
    {"BM_FullCount", 100'000, "", {35, 0, 0}},
    {"BM_CannotFitRack", 0, "random", {5, 0, 0}},
    {"BM_CannotFitBlock", 0, "random", {5, 0, 0}},
    {"BM_Hero25", 0, "", {5'000, 0, 0}},
    {"BM_Hero50", 0, "", {5'000, 0, 0}},
    {"BM_NodeFlap", 0, "", {2, 0, 0}},
    {"BM_LabelMove", 0, "", {2, 0, 0}},
    // No target for 1,000 nodes: with chunks of 4,096 cells a small cluster takes more memory per
    // node.
    {"BM_Memory", 10'000, "index", {200, 0, 0}},
    {"BM_Memory", 100'000, "index", {200, 0, 0}},
    {"BM_Memory", 1'000'000, "index", {200, 0, 0}},
    {"BM_ReadYamlNodes", 0, "", {40, 0, 0}},
    {"BM_ReadJsonNodes", 0, "", {100, 0, 0}},
    {"BM_ReadCompactNodes", 0, "", {100, 0, 0}},
    {"BM_ReadMemory", 0, "", {6'000, 0, 0}},
    {"BM_Engine", 100'000, "actors", {50'000, 0, 0}},
    {"BM_EngineMessages", 100'000, "actors", {4, 0, 0}},
    {"BM_EngineBacklogMessages", 100'000, "actors", {4, 0, 0}},
    {"BM_EngineBacklogAvoided", 100'000, "", {90, 0, 0}},
    {"BM_EngineSubmit", 100'000, "actors", {300, 0, 0}},
    {"BM_EngineOthers", 100'000, "disturbed", {.disturbed = 2}},
    {"BM_EngineOthers", 100'000, "hard", {.disturbed = 2}},
    {"BM_EngineGang", 0, "", {4'000, 0, 0}},
    {"BM_EngineSimulation", 10'000, "tenth", {18, 0, 0}},
    {"BM_EngineSimulation", 10'000, "whole", {180, 0, 0}},
};

/// Cache lines that a decision must touch (docs/performance.md): one line of free amounts and
/// counts for two nodes, and for each domain above them one line in each of 16 keys.
struct TouchedLines {
  std::string_view name;
  std::uint32_t nodes, domains;
  constexpr double lines() const { return nodes / 2.0 + 16.0 * domains; }
};

constexpr TouchedLines kTouched[] = {
    {"BM_SlicedBlock", 64, 5},         // 4 racks, 1 block
    {"BM_OneRack", 2, 2},              // 1 rack, 1 block
    {"BM_PreferredRack", 256, 17},     // 16 racks, 1 block
    {"BM_PreferredRackLed", 256, 17},  //
    {"BM_BalancedRack", 256, 17},      //
    {"BM_BalancedRackLed", 256, 17},   //
    {"BM_Hero25", 25'000, 1'760},      // slices of 16, eight racks in a block
    {"BM_Hero50", 50'000, 3'520},      //
    {"BM_NodeFlap", 1, 2},             //
    {"BM_LabelMove", 2, 4},            // the old and the new place
};

// Microseconds per line: up to 5.6 ns from L1 and L2; cold 240 ns, with 9 misses at once.
constexpr double kHotLine = 5.6e-3, kColdLine = 240e-3 / 9;
// Microseconds per node for a full count of 4 resources (docs/performance.md).
constexpr double kHotNode = 0.234e-3, kColdNode = 0.55e-3, kFusedNode = 0.39e-3,
                 kFusedNodeTwo = 0.23e-3;

}  // namespace

std::optional<Target> target_of(std::string_view name, std::uint32_t nodes,
                                std::string_view state) {
  if (state == "plain" && name != "BM_FullCount") return std::nullopt;
  for (const TargetRow& row : kTargets) {
    if (row.name == name && (row.nodes == 0 || row.nodes == nodes) &&
        (row.state.empty() || row.state == state)) {
      return row.target;
    }
  }
  return std::nullopt;
}

double limit_of(std::string_view name, std::uint32_t nodes, std::string_view state) {
  if (name == "BM_FullCount" || name == "BM_FullCountWide") return kHotNode * nodes;
  if (name == "BM_FullCountFlushed") return kColdNode * nodes;
  if (name == "BM_ColdKey") return (state == "1 thread" ? kFusedNode : kFusedNodeTwo) * nodes;
  if (state == "plain" || state == "cold" || state == "flushed, lagging") return 0;
  for (const TouchedLines& touched : kTouched) {
    if (touched.name == name) return touched.lines() * (state == "flushed" ? kColdLine : kHotLine);
  }
  return 0;
}

}  // namespace tessera::bench
