// SPDX-License-Identifier: Apache-2.0
#include "actors/explain/remedies.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "actors/explain/ending.h"
#include "actors/explain/tree_evidence.h"

namespace tessera::core {
namespace {

constexpr std::size_t kMaxFinishing = 3;  // single workloads; all together are one candidate more
constexpr std::size_t kMaxRepairs = 2;
constexpr int kMaxTaints = 2;

/// How many pods of the refused pod set an attempt could place.
struct Reach {
  bool enough = false;
  std::int64_t fits = 0, need = 0;
};

Reach reach_of(const Workload& workload, const Attempt& attempt) {
  if (attempt.placed) return {true, 0, 0};
  if (const solver::Refusal* refusal = attempt.refusal()) {
    return {false, topology::saturating_mul(refusal->fits, refusal->slice_size),
            topology::saturating_mul(refusal->need, refusal->slice_size)};
  }
  return {false, 0, workload.gang.pod_sets[attempt.failed_pod_set].count};
}

struct ByNames {
  using Names = std::pair<Symbol, Symbol>;
  bool operator()(const Names& a, const Names& b) const {
    return std::pair(a.first.view(), a.second.view()) < std::pair(b.first.view(), b.second.view());
  }
};

class Search {
 public:
  Search(const RemedyProblem& problem, const Evidence& evidence)
      : problem_(problem),
        evidence_(evidence),
        workload_(problem.inventory->workloads[problem.decision->workload]),
        rule_(problem.now()) {}

  std::vector<Remedy> run() {
    Attempt refused;
    refused.rejections = problem_.decision->rejections;
    refused.failed_pod_set = problem_.decision->failed_pod_set;
    before_ = reach_of(workload_, refused);
    finish_blockers();
    repair_nodes();
    relax();
    tolerate();
    more_quota();
    return std::move(remedies_);
  }

 private:
  /// Keeps a solved candidate if it suffices, or if more pods fit than before.
  void keep(Remedy::Kind kind, std::string subject, const Attempt& attempt) {
    const Reach reach = reach_of(workload_, attempt);
    if (!reach.enough && reach.fits <= before_.fits) return;
    remedies_.push_back({kind, std::move(subject), reach.enough, reach.fits, reach.need});
  }

  bool spend() { return candidates_++ < kMaxCandidates; }

  Attempt evaluate(const Workload& workload, Books& books, QuotaRule rule) const {
    return problem_.planner->evaluate(workload, *problem_.queue, books, rule);
  }

  std::string display(std::size_t position) const {
    const Workload& workload = problem_.inventory->workloads[position];
    return workload.origin.kind.empty() ? "workload/" + workload.name : workload.origin.display();
  }

  struct Holder {
    std::optional<GangId> gang;  // nothing: bound pods
    std::string name;            // as people see it
    std::int64_t amount = 0;
    std::vector<std::size_t> bound;  // those pods, in the inventory
  };

  /// The workloads that hold the contested domain; for a refusal by quota, those that hold the
  /// quota. The one that holds most comes first.
  std::vector<Holder> holders() const {
    std::vector<Holder> holders;
    for (const FlavorRejection& rejection : problem_.decision->rejections) {
      if (rejection.kind != FlavorRejection::Kind::kNoUnusedQuota) continue;
      if (const auto column = problem_.worlds->current().ledger().column(
              *problem_.queue->quota, Symbol(rejection.flavor), rejection.resource)) {
        for (const auto& [gang, amount] : problem_.worlds->current().quota_holders(*column)) {
          holders.push_back({gang, display(problem_.positions->at(gang)), amount, {}});
        }
        std::sort(holders.begin(), holders.end(), [](const Holder& a, const Holder& b) {
          return std::tuple(-a.amount, a.name, *a.gang) < std::tuple(-b.amount, b.name, *b.gang);
        });
        return holders;
      }
    }
    for (const Blocker& blocker : evidence_.blockers) {
      holders.push_back({blocker.gang, blocker.name, blocker.pods, blocker.bound});
    }
    return holders;
  }

  void finish_blockers() {
    if (problem_.decision->outcome == Outcome::kNever) return;
    const std::vector<Holder> all = holders();
    bool enough = false;
    for (std::size_t i = 0; i < std::min(all.size(), kMaxFinishing) && spend(); ++i) {
      Ending one;
      one.add(all[i].gang, all[i].bound);
      Books& books = one.books(problem_);
      const Attempt attempt = evaluate(workload_, books, rule_);
      enough = enough || attempt.placed;
      keep(Remedy::Kind::kFinish, all[i].name, attempt);
    }
    if (enough || all.size() < 2 || !spend()) return;
    Ending together;
    std::string subject;
    for (std::size_t i = 0; i < all.size(); ++i) {
      together.add(all[i].gang, all[i].bound);
      if (i > 0) subject += i + 1 == all.size() ? " and " : ", ";
      subject += all[i].name;
    }
    Books& books = together.books(problem_);
    keep(Remedy::Kind::kFinish, subject, evaluate(workload_, books, rule_));
  }

  /// Broken nodes whose repair could add room, those of the contested domain first.
  std::vector<topology::NodeId> broken_nodes() const {
    Books& healthy = problem_.worlds->healthy();
    const solver::FlavorView* view =
        healthy.cluster().view(problem_.scene->flavor, problem_.scene->open);
    const solver::FlavorView* now =
        problem_.worlds->current().cluster().view(problem_.scene->flavor, problem_.scene->open);
    std::vector<Symbol> wanted;
    if (problem_.contested) wanted = now->tree().path(*problem_.contested);
    std::vector<topology::NodeId> inside, outside;
    for (std::uint32_t leaf = 0; leaf < view->tree().leaf_count(); ++leaf) {
      for (const topology::NodeId node : view->tree().nodes(topology::LeafId{leaf})) {
        if (is_healthy(problem_.inventory->nodes[topology::index(node)])) continue;
        const auto path = view->tree().path(view->tree().domain_of(topology::LeafId{leaf}));
        const bool within =
            path.size() >= wanted.size() && std::equal(wanted.begin(), wanted.end(), path.begin());
        (within ? inside : outside).push_back(node);
      }
    }
    inside.insert(inside.end(), outside.begin(), outside.end());
    return inside;
  }

  void repair_nodes() {
    if (!problem_.scene || !problem_.worlds->any_node_broken()) return;
    const std::vector<topology::NodeId> nodes = broken_nodes();
    for (std::size_t i = 0; i < std::min(nodes.size(), kMaxRepairs) && spend(); ++i) {
      const topology::NodeRecord& node = problem_.inventory->nodes[topology::index(nodes[i])];
      const bool only_cordoned = node.ready && node.unschedulable;
      Worlds::Repaired repaired = problem_.worlds->with_healthy_nodes({nodes[i]});
      keep(only_cordoned ? Remedy::Kind::kUncordon : Remedy::Kind::kRepair, node.name.str(),
           evaluate(workload_, *repaired.books, rule_));
    }
  }

  /// Makes the level of the group that fails a wish.
  void relax_group() {
    const solver::Gang& gang = workload_.gang;
    for (std::uint32_t g = 0; g < gang.groups.size(); ++g) {
      const std::optional<Symbol> level = gang.groups[g].topology.required;
      if (!level || group_path(gang, g) != evidence_.tree->group || !spend()) continue;
      Workload relaxed = workload_;
      relaxed.gang.groups[g].topology.preferred = level;
      relaxed.gang.groups[g].topology.required.reset();
      keep(Remedy::Kind::kRelax, level->str(),
           evaluate(relaxed, problem_.worlds->current(), rule_));
    }
  }

  void relax() {
    if (evidence_.tree) return relax_group();
    if (!problem_.scene) return;
    const std::size_t pod_set = problem_.scene->pod_set;
    const std::optional<Symbol> level = workload_.gang.pod_sets[pod_set].topology.required;
    if (!level || !spend()) return;
    Workload relaxed = workload_;
    const std::string& group = workload_.gang.pod_sets[pod_set].unit;
    for (std::size_t i = 0; i < relaxed.gang.pod_sets.size(); ++i) {
      solver::PodSet& each = relaxed.gang.pod_sets[i];
      const bool together = i == pod_set || (!group.empty() && each.unit == group);
      if (!together || !each.topology.required) continue;
      each.topology.preferred = each.topology.required;
      each.topology.required.reset();
    }
    keep(Remedy::Kind::kRelax, level->str(), evaluate(relaxed, problem_.worlds->current(), rule_));
  }

  /// Tolerates the taint that most leaves carry, then the next one: nodes often have several.
  void tolerate() {
    Workload tolerant = workload_;
    std::vector<FlavorRejection> rejections = problem_.decision->rejections;
    std::string subject;
    Attempt attempt;
    for (int taints = 0; taints < kMaxTaints && !attempt.placed; ++taints) {
      const std::optional<topology::Taint> taint = largest_taint(rejections);
      if (!taint || !spend()) break;
      topology::Toleration toleration;
      toleration.key = taint->key;
      toleration.value = taint->value;
      toleration.effect = taint->effect;
      for (solver::PodSet& pod_set : tolerant.gang.pod_sets) {
        pod_set.filter.tolerations.push_back(toleration);
      }
      subject += (subject.empty() ? "" : " and ") + taint->text();
      attempt = evaluate(tolerant, problem_.worlds->current(), rule_);
      rejections = attempt.rejections;
    }
    if (!subject.empty()) keep(Remedy::Kind::kTolerate, subject, attempt);
  }

  /// The untolerated taint that most leaves carry, or that made the flavor unfit.
  std::optional<topology::Taint> largest_taint(
      const std::vector<FlavorRejection>& rejections) const {
    std::int64_t most = 0;
    std::string text;
    for (const FlavorRejection& rejection : rejections) {
      if (rejection.kind == FlavorRejection::Kind::kTaint) return rejection.taint;
      if (!rejection.refusal) continue;
      for (const solver::CauseCount& cause : rejection.refusal->causes) {
        if (cause.kind != solver::CauseCount::Kind::kTaint || cause.leaves <= most) continue;
        most = cause.leaves;
        text = cause.detail;
      }
    }
    if (text.empty()) return std::nullopt;
    for (const topology::NodeRecord& node : problem_.inventory->nodes) {
      for (const topology::Taint& taint : node.taints) {
        if (taint.text() == text) return taint;
      }
    }
    return std::nullopt;
  }

  /// Raises what is short of all that the workload would take if quota did not count.
  void more_quota() {
    const auto of_quota = [](const FlavorRejection& rejection) {
      return rejection.kind == FlavorRejection::Kind::kNoUnusedQuota ||
             rejection.kind == FlavorRejection::Kind::kOverMaximum;
    };
    std::set<std::string> named;
    for (const FlavorRejection& rejection : problem_.decision->rejections) {
      if (!of_quota(rejection)) continue;
      const bool of_flavor = rejection.limiting_queue.empty();
      named.insert(quota_text(rejection.resource, of_flavor ? " in flavor " : " in Queue ",
                              of_flavor ? rejection.flavor : rejection.limiting_queue));
    }
    if (named.empty() || !problem_.queue->quota || !spend()) return;
    const Attempt attempt = evaluate(workload_, problem_.worlds->current(), QuotaRule::kIgnore);
    if (attempt.placed) {
      const std::set<std::string> short_of = lacking_quota(attempt);
      if (!short_of.empty()) keep(Remedy::Kind::kQuota, joined(short_of), attempt);
    } else if (named.size() == 1) {
      keep(Remedy::Kind::kQuota, *named.begin(), attempt);
    }
  }

  static std::string quota_text(Symbol resource, const char* of, const std::string& name) {
    return resource.str() + of + name;
  }

  static std::string joined(const std::set<std::string>& names) {
    std::string text;
    std::size_t left = names.size();
    for (const std::string& name : names) {
      if (!text.empty()) text += left == 1 ? " and " : ", ";
      text += name;
      --left;
    }
    return text;
  }

  /// The quotas that a placement made without them exceeds. Empty: there is quota for none of it.
  std::set<std::string> lacking_quota(const Attempt& attempt) const {
    std::map<std::pair<Symbol, Symbol>, std::int64_t, ByNames> wanted;
    for (const PodSetDecision& pod_set : attempt.pod_sets) {
      for (const auto& [resource, flavor] : pod_set.flavors) {
        std::int64_t& sum = wanted[{flavor, resource}];
        sum = topology::saturating_add(sum, pod_set.usage.get(resource));
      }
    }
    const Ledger& ledger = problem_.worlds->current().ledger();
    std::set<std::string> names;
    for (const auto& [where, amount] : wanted) {
      const auto column = ledger.column(*problem_.queue->quota, where.first, where.second);
      if (!column) continue;
      if (problem_.queue->is_kai) {
        add_tight_queues(*column, where.second, amount, names);
      } else if (amount > ledger.available(*problem_.queue->quota, *column)) {
        names.insert(quota_text(where.second, " in flavor ", where.first.str()));
      }
    }
    return names;
  }

  /// The KAI Queue of the workload and those above it whose limit leaves less than `amount`.
  void add_tight_queues(QuotaColumn column, Symbol resource, std::int64_t amount,
                        std::set<std::string>& names) const {
    const Ledger& ledger = problem_.worlds->current().ledger();
    const std::vector<KaiQueueRecord>& all = problem_.inventory->kai_queues;
    std::string name = problem_.queue->name;
    for (std::size_t height = 0; !name.empty() && height <= all.size(); ++height) {
      const auto node = ledger.queue(name);
      const auto record = std::find_if(
          all.begin(), all.end(), [&](const KaiQueueRecord& each) { return each.name == name; });
      if (!node || record == all.end()) return;
      if (amount > ledger.limit(*node, column) - ledger.usage(*node, column)) {
        names.insert(quota_text(resource, " in Queue ", name));
      }
      name = record->parent;
    }
  }

  const RemedyProblem& problem_;
  const Evidence& evidence_;
  const Workload& workload_;
  QuotaRule rule_;
  Reach before_;
  int candidates_ = 0;
  std::vector<Remedy> remedies_;
};

}  // namespace

std::vector<Remedy> find_remedies(const RemedyProblem& problem, const Evidence& evidence) {
  return Search(problem, evidence).run();
}

}  // namespace tessera::core
