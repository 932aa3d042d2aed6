// SPDX-License-Identifier: Apache-2.0
#include "tests/support/small_evidence.h"

#include <algorithm>

namespace tessera::test {
namespace {

using SmallRoom = SmallOracle::Room;
using SmallWorldState = SmallOracle::World;

class Checker {
 public:
  explicit Checker(const SmallRefusal& refusal)
      : refusal_(refusal), oracle_(*refusal.cluster), work_(*refusal.work) {}

  std::vector<std::string> run() {
    const core::Evidence& evidence = *refusal_.evidence;
    if (!evidence.binding) {
      if (by_placement()) fault("a refusal for want of room says nothing about room");
      return std::move(faults_);
    }
    find_unit(evidence.binding->pod_set);
    for (const core::LevelEvidence& level : evidence.levels) check_level(level);
    check_binding();
    check_blockers();
    return std::move(faults_);
  }

 private:
  void fault(const std::string& text) { faults_.push_back(text); }

  bool never() const { return refusal_.decision->outcome == core::Outcome::kNever; }

  bool by_placement() const {
    const auto& all = never() ? refusal_.decision->never_rejections : refusal_.decision->rejections;
    return std::any_of(all.begin(), all.end(),
                       [](const core::FlavorRejection& each) { return each.refusal.has_value(); });
  }

  void find_unit(std::size_t pod_set) {
    const auto units = SmallOracle::units(work_);
    for (const SmallOracle::Unit& unit : units) {
      if (unit.workers == pod_set || unit.leader == pod_set) unit_ = unit;
    }
    alone_ = units.size() == 1;
    for (std::size_t f = 0; f < refusal_.cluster->flavors.size(); ++f) {
      if (refusal_.cluster->flavors[f].name == refusal_.evidence->flavor) flavor_ = f;
    }
    const SmallCluster::Queue& queue = refusal_.cluster->queues[work_.queue];
    leader_flavor_ = flavor_;
    if (!queue.split) return;
    flavor_ = queue.flavors[work_.pods[unit_.workers].gpu > 0 ? 1 : 0];
    if (unit_.leader) leader_flavor_ = queue.flavors[work_.pods[*unit_.leader].gpu > 0 ? 1 : 0];
  }

  /// The level of the cluster: a topology of hosts alone has one.
  std::size_t level_of(const core::LevelEvidence& level) const {
    const bool flat = refusal_.cluster->flavors[flavor_].leaves == SmallCluster::Leaves::kHostsOnly;
    return static_cast<std::size_t>(level.level) + (flat ? 2 : 0);
  }

  /// Pods of one slice, not of the whole unit.
  bool is_layer(const core::LevelEvidence& level) const {
    return level.slice == 1 && work_.pods[unit_.workers].slice > 1;
  }

  std::vector<SmallRoom> rooms(const core::LevelEvidence& level,
                               const SmallWorldState& world) const {
    return oracle_.rooms(work_, unit_, flavor_, leader_flavor_,
                         level.cluster ? std::nullopt : std::optional(level_of(level)),
                         !is_layer(level), world);
  }

  SmallRoom best(const std::vector<SmallRoom>& rooms) const {
    SmallRoom best{{}, 0, !unit_.leader};
    for (const SmallRoom& room : rooms) {
      if (room.leads != best.leads ? room.leads : room.pods > best.pods) best = room;
    }
    return best;
  }

  std::int64_t least_workers() const {
    return SmallOracle::counts(work_.pods[unit_.workers]).back();
  }

  void check_level(const core::LevelEvidence& level) {
    const SmallRoom now = best(rooms(level, refusal_.now));
    const SmallRoom healthy = best(rooms(level, oracle_.empty(true)));
    const std::string where =
        "level " + std::to_string(level.level) + (level.cluster ? " (cluster)" : "") + " has ";
    const bool layer = is_layer(level);
    const auto compare = [&](std::int64_t said, bool leads, const SmallRoom& truth,
                             const char* when) {
      const bool same = leads == truth.leads || layer;
      if (alone_ ? said != truth.pods : same && said > truth.pods) {
        fault(where + std::to_string(truth.pods) + ", not " + std::to_string(said) + when);
      }
      if (alone_ && unit_.leader && !layer && leads != truth.leads) {
        fault(where + (truth.leads ? "" : "no ") + "place for the leader" + when);
      }
    };
    compare(level.have, level.leads, now, "");
    compare(level.healthy_have, level.healthy_leads, healthy, " when healthy");
  }

  void check_binding() {
    const core::Binding& binding = *refusal_.evidence->binding;
    if (!by_placement()) return;
    if (binding.need <= binding.have && !binding.leader_short) {
      fault("needs " + std::to_string(binding.need) + ", has " + std::to_string(binding.have));
    }
  }

  /// The pods of each holder that lie in a domain, or anywhere.
  void check_blockers() {
    const core::Evidence& evidence = *refusal_.evidence;
    const core::LevelEvidence& level = evidence.levels[evidence.binding->level];
    SmallWorldState without = refusal_.now;
    for (const core::Blocker& blocker : evidence.blockers) {
      const auto held_by = [&](const SmallOracle::Held& held) {
        return "job/" + held.holder == blocker.name || "pod/" + held.holder == blocker.name;
      };
      std::int64_t pods = 0;
      for (const SmallOracle::Held& held : without.held) {
        if (held_by(held)) pods += held.pods;
      }
      if (pods == 0) fault("blocked by " + blocker.name + ", which holds nothing");
      const auto end = std::remove_if(without.held.begin(), without.held.end(), held_by);
      without.held.erase(end, without.held.end());
    }
    if (!alone_ || never() || !by_placement()) return;
    // Where the nodes themselves are too few, nobody needs to end.
    const std::int64_t least = is_layer(level) ? level.need : least_workers();
    const SmallRoom now = best(rooms(level, refusal_.now));
    const SmallRoom freed = best(rooms(level, without));
    const SmallRoom idle = best(rooms(level, oracle_.empty(false)));
    const auto enough = [&](const SmallRoom& room) { return room.leads && room.pods >= least; };
    if (!enough(idle) || enough(now)) return;
    if (evidence.blockers.empty()) fault("nobody is named who holds the room");
    if (!evidence.blockers.empty() && !enough(freed)) {
      fault("without those who are said to hold the room there is still too little");
    }
  }

  const SmallRefusal& refusal_;
  SmallOracle oracle_;
  const SmallCluster::Work& work_;
  SmallOracle::Unit unit_;
  bool alone_ = false;
  std::size_t flavor_ = 0, leader_flavor_ = 0;
  std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> evidence_faults(const SmallRefusal& refusal) {
  return Checker(refusal).run();
}

}  // namespace tessera::test
