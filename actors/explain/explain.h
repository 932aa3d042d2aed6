// SPDX-License-Identifier: Apache-2.0
// Explainer: the evidence of one refusal: what each level needs and has, which of them binds, nodes
// by cause, and who holds the best domain.
//
// Called by Engine::explain(), never on the decision path. Reads worlds; changes nothing. This is
// the only place that computes what binds: tables, JSON and conditions read its Evidence. Counts as
// the solver does (unit_room.h). Remedies are in remedies.h.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "actors/explain/evidence.h"
#include "actors/shortage/scene.h"
#include "actors/shortage/unit_room.h"

namespace tessera::core {

class Explainer {
 public:
  /// All outlive the explainer.
  Explainer(const RefusedCase& refused, const Scene& scene);

  Evidence explain(Depth depth) const;
  /// The domain whose holders stand in the way, at the finest level that is short: of the domains
  /// that would do if nobody held anything, the one that takes the most now; if there is none, the
  /// best one. Nothing if the pods may spread.
  std::optional<topology::DomainId> contested_domain() const { return contested_; }

 private:
  /// What the request wants of one level.
  struct Need {
    int level = 0;
    std::int64_t pods = 0;
    bool whole = false;    // all pods of the unit, with the leader; else one slice
    bool cluster = false;  // the pods may spread
    std::int64_t slice = 1;
    bool preferred = false;
  };
  struct Have {
    std::int64_t pods = 0;
    bool leads = true;
    auto operator<=>(const Have&) const = default;
  };
  static bool better(const Have& a, const Have& b);
  std::vector<Need> needs(const solver::ResolvedRequest& request) const;
  Have have(const UnitRoom& room, topology::DomainId domain, const Need& need) const;
  Have have_all(const UnitRoom& room, const Need& need) const;
  LevelEvidence level_evidence(const Need& need) const;
  std::optional<topology::DomainId> held_domain(const Need& need, const LevelEvidence& level) const;
  void find_binding();
  std::int64_t least_pods(const Need& need) const;
  bool enough_without(const std::vector<Blocker>& blockers) const;
  std::optional<std::uint32_t> leader_leaf(const UnitRoom& room,
                                           std::optional<topology::DomainId> within) const;
  void name_resource(Binding& binding) const;
  bool takes_whole_hosts() const;
  std::vector<Blocker> blockers() const;

  const RefusedCase* refused_;
  Scene scene_;
  GangUnit unit_;
  const Flavor* flavor_;
  const solver::PodSet* workers_;
  const solver::FlavorView* view_;
  std::unique_ptr<UnitRoom> now_, empty_, healthy_;  // null: the request itself is at fault
  std::vector<Need> needs_;
  std::vector<LevelEvidence> levels_;  // one for each need
  std::optional<Binding> binding_;
  std::optional<topology::DomainId> contested_;
};

}  // namespace tessera::core
