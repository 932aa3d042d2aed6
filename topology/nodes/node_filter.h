// SPDX-License-Identifier: Apache-2.0
// NodeFilter: which nodes a pod accepts: tolerations, nodeSelector, node affinity
// (placement.md 2.2).
//
// Values, usable on any thread. A filter adds no symbols (asked_text.h). Not looked at: pod
// (anti-)affinity, topology spread, host ports, volumes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topology/nodes/node_record.h"

namespace tessera::topology {

enum class TolerationOperator : std::uint8_t { kEqual, kExists, kLt, kGt };

struct Toleration {
  AskedText key;  // empty: every key (with kExists)
  TolerationOperator op = TolerationOperator::kEqual;
  AskedText value;
  std::optional<TaintEffect> effect;  // absent: every effect
  std::optional<std::int64_t> seconds;

  bool tolerates(const Taint& taint) const;
  friend bool operator==(const Toleration&, const Toleration&) = default;
};

/// One nodeSelectorTerm: all expressions over labels and fields (metadata.name) must match; an
/// empty term matches none.
struct NodeSelectorTerm {
  std::vector<LabelRequirement> expressions, fields;
  bool matches(const NodeRecord& node) const;
  friend bool operator==(const NodeSelectorTerm&, const NodeSelectorTerm&) = default;
};

struct PreferredTerm {
  std::int32_t weight = 1;  // 1..100
  NodeSelectorTerm term;
  friend bool operator==(const PreferredTerm&, const PreferredTerm&) = default;
};

struct NodeFilter {
  std::vector<Toleration> tolerations;
  std::vector<std::pair<AskedText, AskedText>> node_selector;  // sorted by key text
  std::optional<std::vector<NodeSelectorTerm>>
      required;  // terms are ORed; present but empty matches no node
  std::vector<PreferredTerm> preferred;

  /// A canonical text: equal filters, in any order of their parts, have equal keys. Pod sets with
  /// one key share the answers of the nodes (a filter class).
  std::string key() const;
  /// The key of the preferred terms alone.
  std::string preferred_key() const;
  /// Filters that are equal by == have equal hashes; the order of the parts counts. The hash
  /// differs from process to process.
  std::uint64_t hash() const;
  friend bool operator==(const NodeFilter&, const NodeFilter&) = default;

  /// AskedText::adopt_symbol() of every text: worth it before many nodes are tested.
  void adopt_symbols();

  /// Sum of the weights of the preferred terms that match (placement.md 4.8).
  std::int64_t score(const NodeRecord& node) const;
};

enum class FilterCause : std::uint8_t { kNone, kTaint, kNodeSelector, kAffinity };

struct FilterVerdict {
  FilterCause cause =
      FilterCause::kNone;  // the first filter that fails, in the order of placement.md 2.2
  Taint taint;             // for kTaint
};

/// Tests one node. `flavor_tolerations` count as well as the pod's own.
FilterVerdict test_node(const NodeRecord& node, const NodeFilter& filter,
                        const std::vector<Toleration>& flavor_tolerations);

/// The first taint with effect NoSchedule or NoExecute that no toleration covers, or nullptr.
const Taint* first_untolerated(const std::vector<Taint>& taints,
                               const std::vector<Toleration>& tolerations,
                               const std::vector<Toleration>& flavor_tolerations);

}  // namespace tessera::topology
