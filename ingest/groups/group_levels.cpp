// SPDX-License-Identifier: Apache-2.0
#include "ingest/groups/group_levels.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ingest/fields/field_text.h"
#include "ingest/fields/shown_names.h"

namespace tessera::ingest {
namespace {

using topology::Symbol;
using topology::TopologySpec;

class GroupLevels {
 public:
  GroupLevels(ReadContext& context, PodGroupObject& object)
      : context_(context),
        object_(object),
        groups_(object.workload.gang.groups),
        topologies_(context.inventory.topologies),
        ranks_(groups_.size()) {}

  void resolve() {
    for (std::size_t i = 0; i < groups_.size(); ++i) resolve(i);
    for (std::size_t i = 0; i < groups_.size(); ++i) tell_useless(i);
    if (derived_for_.empty()) return;
    context_.warning(object_.header, {}, "",
                     "Topology " + shown_names(derived_for_) +
                         " is not in the input: levels are those derived from node labels");
  }

 private:
  /// Positions of levels in a topology, counted from the coarsest.
  struct Ranks {
    const TopologySpec* topology = nullptr;
    std::optional<int> required, preferred;
  };

  void resolve(std::size_t i);
  void tell_useless(std::size_t i);
  const TopologySpec* find(std::size_t i);
  std::optional<int> level(const TopologySpec& topology, std::optional<Symbol>& name,
                           const Where& where);
  void invalid(const Where& where, std::string message) {
    object_.workload.invalid.push_back({ErrorCode::kInvalidInput, std::move(message), where});
  }
  bool was_refused(const std::string& topology) const;

  ReadContext& context_;
  PodGroupObject& object_;
  std::vector<solver::GangGroup>& groups_;
  const std::vector<TopologySpec>& topologies_;
  std::vector<Ranks> ranks_;           // of each group
  std::vector<std::string> names_;     // of the topologies; filled when the first is needed
  std::set<std::string> derived_for_;  // names that the derived topology stands for
};

bool GroupLevels::was_refused(const std::string& topology) const {
  const auto& refused = context_.inventory.refused;
  return std::any_of(refused.begin(), refused.end(), [&](const core::RefusedObject& each) {
    return each.kind == "Topology" && each.name == topology;
  });
}

/// The topology of a group; null, and an error, if there is none or no single one. If the input
/// holds no Topology, the one that is derived from node labels stands for any.
const TopologySpec* GroupLevels::find(std::size_t i) {
  std::string& name = groups_[i].topology.topology;
  const Where& where = object_.places[i].topology;
  if (topologies_.size() == 1 && (name.empty() || topologies_[0].derived)) {
    if (!name.empty()) derived_for_.insert(std::exchange(name, {}));
    return &topologies_[0];
  }
  const auto found =
      std::find_if(topologies_.begin(), topologies_.end(),
                   [&](const TopologySpec& one) { return !name.empty() && one.name == name; });
  if (found != topologies_.end()) return &*found;
  if (names_.empty()) {
    for (const TopologySpec& one : topologies_) names_.push_back(one.name);
  }
  if (name.empty()) {
    invalid(where, "Required value: the input has several topologies: " + shown_names(names_));
  } else if (was_refused(name)) {
    invalid(where, "Invalid value: " + quoted(name) + ": this Topology was refused with an error");
  } else {
    invalid(where, "Invalid value: " + quoted(name) + ": no Topology of the input has this name" +
                       context_.speller.did_you_mean(name, names_));
  }
  return nullptr;
}

std::optional<int> GroupLevels::level(const TopologySpec& topology, std::optional<Symbol>& name,
                                      const Where& where) {
  if (!name) return std::nullopt;
  const std::optional<int> found = topology.find_level(name->view());
  if (found) {
    name = topology.levels[static_cast<std::size_t>(*found)].label;
    return found;
  }
  std::vector<std::string> shown, known;
  for (const topology::TopologyLevel& one : topology.levels) {
    shown.push_back(one.alias.empty() ? one.label.str() : one.alias);
    known.push_back(one.label.str());
    if (!one.alias.empty()) known.push_back(one.alias);
  }
  invalid(where, "Invalid value: " + quoted(name->view()) + ": topology " + topology.name +
                     " has no such level (levels: " + shown_names(shown) + ")" +
                     context_.speller.did_you_mean(name->view(), known));
  return std::nullopt;
}

void GroupLevels::resolve(std::size_t i) {
  solver::GroupTopology& asked = groups_[i].topology;
  if ((!asked.required && !asked.preferred) || topologies_.empty()) return;
  Ranks& ranks = ranks_[i];
  ranks.topology = find(i);
  if (ranks.topology == nullptr) return;
  ranks.required = level(*ranks.topology, asked.required, object_.places[i].required);
  ranks.preferred = level(*ranks.topology, asked.preferred, object_.places[i].preferred);
}

/// gangs.md 6.2 and 9: a level that is coarser than one that holds already is legal and adds
/// nothing.
void GroupLevels::tell_useless(std::size_t i) {
  const Ranks& own = ranks_[i];
  const auto tell = [&](const Where& where, const std::string& message) {
    context_.warnings.push_back({ErrorCode::kInvalidInput, message, where});
  };
  if (own.preferred && own.required && *own.preferred < *own.required) {
    tell(object_.places[i].preferred,
         "is coarser than the required level of the group and adds nothing");
  }
  if (!own.required) return;
  for (std::size_t at = i; at != 0;) {
    at = groups_[at].parent;
    const Ranks& above = ranks_[at];
    if (above.topology != own.topology || !above.required) continue;
    if (*own.required < *above.required) {
      tell(object_.places[i].required,
           "is coarser than the required level of " +
               (at == 0 ? std::string("the whole gang") : "group " + quoted(groups_[at].name)) +
               " and adds nothing");
    }
    return;
  }
}

}  // namespace

void resolve_group_levels(ReadContext& context, PodGroupObject& group) {
  GroupLevels(context, group).resolve();
}

}  // namespace tessera::ingest
