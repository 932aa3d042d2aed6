// SPDX-License-Identifier: Apache-2.0
#include "ingest/text/explanation.h"

#include <algorithm>

#include "actors/explain/tree_evidence.h"
#include "ingest/text/binding_text.h"
#include "ingest/text/decision_text.h"
#include "ingest/text/names.h"
#include "ingest/text/refusal_text.h"
#include "ingest/text/rejection_text.h"
#include "ingest/text/table.h"
#include "topology/text/hostlist.h"
#include "topology/text/printable.h"
#include "topology/text/wording.h"

namespace tessera::encode {
namespace {

using core::ClusterView;
using core::Decision;
using core::Evidence;
using core::Outcome;
using core::Remedy;

constexpr std::size_t kLabelWidth = 10;
constexpr std::int64_t kNano = 1'000'000'000;

/// "hosts     text": a label in the first column, continuation lines below it.
std::string labelled(const std::string& label, const std::string& text) {
  std::string out = label;
  if (out.size() < kLabelWidth) out.resize(kLabelWidth, ' ');
  return out + (label.size() >= kLabelWidth ? "  " : "") + printable(text) + "\n";
}

/// Lists are whole with `-o wide` and with `--hostlist off`.
std::size_t most_characters(const ExplanationOptions& options) {
  return options.node_names || !options.fold_hosts ? SIZE_MAX : kMostHostText;
}

std::size_t most_blockers(const ExplanationOptions& options) {
  constexpr std::size_t kMost = 10;
  return options.node_names ? SIZE_MAX : kMost;
}

std::string shown_nodes(const std::vector<topology::Symbol>& nodes, const solver::FlavorView* view,
                        const ExplanationOptions& options) {
  std::vector<std::string> names;
  for (topology::Symbol node : nodes) {
    std::string name = node.str();
    if (view != nullptr && !options.node_names) {
      const auto at = std::lower_bound(view->nodes().begin(), view->nodes().end(), node,
                                       [](const topology::NodeRecord& n, topology::Symbol s) {
                                         return n.name.view() < s.view();
                                       });
      if (at != view->nodes().end() && at->name == node) {
        if (auto host = at->labels.find(topology::hostname_label())) name = host->str();
      }
    }
    names.push_back(std::move(name));
  }
  return shown_hosts(std::move(names), options.fold_hosts, most_characters(options));
}

std::string causes_text(const std::vector<core::NodeCause>& causes, const solver::FlavorView* view,
                        const ExplanationOptions& options) {
  std::string out;
  for (const core::NodeCause& cause : causes) {
    out += (out.empty() ? "" : "; ") + std::to_string(cause.count) + " " + cause.text + ": " +
           shown_nodes(cause.nodes, view, options);
  }
  return out;
}

/// The alias of the level with that label; the label itself if the topology does not know the
/// level.
std::string shown_level(const topology::TopologySpec* topology, std::string_view label) {
  const auto level = topology == nullptr ? std::nullopt : topology->find_level(label);
  return level ? level_name(*topology, *level) : std::string(label);
}

std::string remedy_text(const Remedy& remedy, const topology::TopologySpec* topology) {
  std::string action;
  switch (remedy.kind) {
    case Remedy::Kind::kFinish:
      action = remedy.subject +
               (remedy.subject.find(" and ") == std::string::npos ? " finishes" : " finish");
      break;
    case Remedy::Kind::kUncordon:
      action = "uncordon " + remedy.subject;
      break;
    case Remedy::Kind::kRepair:
      action = "repair " + remedy.subject;
      break;
    case Remedy::Kind::kRelax:
      action = "make " + shown_level(topology, remedy.subject) + " preferred instead of required";
      break;
    case Remedy::Kind::kTolerate:
      action = "tolerate " + remedy.subject;
      break;
    case Remedy::Kind::kQuota:
      action = "raise the quota of " + remedy.subject;
      break;
  }
  if (remedy.enough) return "(checked) " + action;
  return "(checked, not enough) " + action + ": " + std::to_string(remedy.fits) + " of " +
         counted(remedy.need, "pod", "pods");
}

std::string levels_table(const solver::FlavorView& view, const Evidence& evidence) {
  using Align = Table::Align;
  Table table({{"LEVEL"},
               {"NEED", Align::kRight},
               {"BEST"},
               {"HAVE", Align::kRight},
               {"SHORT", Align::kRight},
               {"WHEN EMPTY", Align::kRight}});
  for (const core::LevelEvidence& level : evidence.levels) {
    table.add({row_name(view, level), amount_of_pods(level.need, evidence),
               level.best ? domain_name(view, *level.best) : "(all)", std::to_string(level.have),
               std::to_string(core::short_of(level)), std::to_string(level.healthy_have)});
  }
  return table.text();
}

/// "job/a  4 pods in r1  priority 10  created 5m ago"
std::string blocker_text(const ClusterView& cluster, const solver::FlavorView& view,
                         const core::Blocker& blocker, const std::string& namespace_name,
                         std::int64_t now_seconds) {
  const bool elsewhere = blocker.namespace_name != namespace_name;
  std::string text = (elsewhere ? blocker.namespace_name + "/" : "") + blocker.name + "  " +
                     counted(blocker.pods, "pod", "pods");
  if (blocker.domain) text += " in " + domain_name(view, *blocker.domain);
  if (!blocker.workload) return text;
  const core::Workload& holder = cluster.workload(*blocker.workload);
  text += "  priority " +
          (holder.priority_class.empty() ? std::to_string(holder.priority) : holder.priority_class);
  if (now_seconds > 0 && holder.created > 0)
    text += "  created " + age_text(now_seconds - holder.created / kNano) + " ago";
  return text;
}

std::string outcome_text(Outcome outcome) {
  switch (outcome) {
    case Outcome::kPlaced:
      return "is placed";
    case Outcome::kWaits:
      return "waits";
    case Outcome::kNever:
      return "can never fit";
    case Outcome::kInvalid:
      return "is invalid";
  }
  return {};
}

std::string placed_text(const ClusterView& cluster, const Decision& decision,
                        const Evidence& evidence, const ExplanationOptions& options) {
  const core::Workload& workload = cluster.workload(decision.workload);
  std::string out;
  for (std::size_t i = 0; i < decision.pod_sets.size(); ++i) {
    const core::PodSetDecision& placed = decision.pod_sets[i];
    const solver::FlavorView* view = cluster.view(placed.topology_flavor, placed.open);
    std::string where =
        counted(placed.count, "pod", "pods") + " of " + workload.gang.pod_sets[i].name;
    if (view != nullptr && !placed.placement.empty()) {
      const HostNames names = options.node_names ? HostNames::kNodeName : HostNames::kHostnameLabel;
      where += " on " + placement_text(*view, placed.placement, names, options.fold_hosts,
                                       most_characters(options));
    }
    if (view == nullptr && placed.count > 0)
      where += "  (only quota was checked: its flavor names no topology)";
    out += labelled(i == 0 ? "placed" : "", where);
  }
  for (std::size_t i = 0; i < evidence.groups_left_out.size(); ++i) {
    const core::TreeEvidence& each = evidence.groups_left_out[i];
    std::string why = each.need > 0 ? tree_text(each) : "the search ran out of steps";
    if (each.group != each.left_out || each.need == 0) {
      why = "group " + each.left_out + ": " + why;
    }
    out += labelled(i == 0 ? "left out" : "", why);
  }
  for (const std::string& check : decision.waits_for_checks)
    out += labelled("", "admission waits for check " + check);
  return out;
}

/// "worker/worker-0  needs 4 pods; required rack"
std::string group_text(const solver::Gang& gang, std::uint32_t group) {
  const solver::GangGroup& each = gang.groups[group];
  std::int64_t children = 0;
  for (std::uint32_t c = group + 1; c < each.end; c = gang.groups[c].end) ++children;
  std::string out = core::group_path(gang, group) + "  needs ";
  const auto running = static_cast<std::int64_t>(each.running.size());
  std::int64_t pods = running;
  for (std::uint32_t p = each.pods_begin; p < each.pods_end; ++p) pods += gang.pod_sets[p].count;
  if (children > 0) {
    out += std::to_string(each.min_children) + " of " + counted(children, "group", "groups");
  } else {
    out += std::to_string(each.min_pods) + " of " + counted(pods, "pod", "pods");
    if (running > 0) out += ", " + std::to_string(running) + " running";
  }
  if (each.topology.required) out += "; required " + each.topology.required->str();
  if (each.topology.preferred) out += "; preferred " + each.topology.preferred->str();
  if (each.exclusive.level) out += "; exclusive " + each.exclusive.level->str();
  if (each.spread.level) out += "; spread over " + each.spread.level->str();
  return out;
}

std::string refused_text(const ClusterView& cluster, const Decision& decision,
                         const Evidence& evidence, const ExplanationOptions& options) {
  const solver::FlavorView* view = cluster.view(evidence.flavor, evidence.open);
  const std::string because = short_reason(cluster, decision, evidence);
  std::string out = labelled("because", because);
  if (view != nullptr && !evidence.levels.empty()) out += levels_table(*view, evidence);
  const std::string resource = evidence.binding ? evidence.binding->resource.str() : "";
  if (!resource.empty() && because.find(resource) == std::string::npos)
    out += labelled("runs out", resource + " first");
  if (evidence.looked_at > 0) {
    const std::string full = causes_text(evidence.without_room, view, options);
    out += labelled("hosts", std::to_string(evidence.looked_at) + " looked at" +
                                 (full.empty() ? "" : ": " + full));
  }
  if (!evidence.left_out.empty())
    out += labelled("left out", causes_text(evidence.left_out, view, options));
  const std::size_t blockers = std::min(evidence.blockers.size(), most_blockers(options));
  for (std::size_t i = 0; i < blockers && view != nullptr; ++i) {
    out += labelled(
        i == 0 ? "blocked by" : "",
        blocker_text(cluster, *view, evidence.blockers[i],
                     cluster.workload(decision.workload).namespace_name, options.now_seconds));
  }
  if (const std::size_t rest = evidence.blockers.size() - blockers; rest > 0)
    out += labelled("", "and " + std::to_string(rest) + " more");
  for (std::size_t i = 0; i < evidence.remedies.size(); ++i) {
    out += labelled(
        i == 0 ? "would start if" : std::string(14, ' '),
        remedy_text(evidence.remedies[i], view == nullptr ? nullptr : &view->tree().topology()));
  }
  const std::string kueue = kueue_message(cluster, decision);
  if (!kueue.empty()) out += labelled("kueue", kueue);
  return out;
}

}  // namespace

std::string asks_text(const solver::PodSet& pod_set, const topology::TopologySpec* topology) {
  std::string out = counted(pod_set.count, "pod", "pods");
  std::string parts;
  for (const topology::Amount& amount : pod_set.request) {
    parts += (parts.empty() ? "" : ", ") +
             topology::amount_text(amount.resource.view(), amount.value) + " " +
             amount.resource.str();
  }
  if (!parts.empty()) out += " of " + parts;
  const auto shown = [&](topology::Symbol label) { return shown_level(topology, label.view()); };
  const solver::TopologyRequest& request = pod_set.topology;
  if (request.required) out += "; required " + shown(*request.required);
  if (request.preferred) out += "; preferred " + shown(*request.preferred);
  if (request.unconstrained.value_or(false)) out += "; unconstrained";
  for (const solver::SliceLayer& layer : request.layers)
    out += "; slices of " + std::to_string(layer.size) + " at " + shown(layer.level);
  if (!pod_set.unit.empty()) out += "; group " + pod_set.unit;
  return out;
}

std::string explanation_text(const ClusterView& cluster, const Decision& decision,
                             const Evidence& evidence, const ExplanationOptions& options) {
  const core::Workload& workload = cluster.workload(decision.workload);
  std::string out = workload.origin.display() + " " + outcome_text(decision.outcome);
  if (decision.reason != core::Reason::kNone)
    out += "   reason " + std::string(core::reason_name(decision.reason));
  if (!decision.cluster_queue.empty()) out += "   queue " + decision.cluster_queue;
  out = printable(out + "   profile " + cluster.profile().name) + "\n";
  for (std::uint32_t g = 0; g < workload.gang.groups.size(); ++g) {
    out += labelled(g == 0 ? "tree" : "", group_text(workload.gang, g));
  }
  for (std::size_t i = 0; i < workload.gang.pod_sets.size(); ++i) {
    const solver::PodSet& pod_set = workload.gang.pod_sets[i];
    const std::string flavor = decision.outcome == Outcome::kPlaced && i < decision.pod_sets.size()
                                   ? decision.pod_sets[i].topology_flavor
                                   : evidence.flavor;
    const std::string name = workload.gang.pod_sets.size() > 1 ? pod_set.name + ": " : "";
    out += labelled(i == 0 ? "asks" : "", name + asks_text(pod_set, topology_of(cluster, flavor)));
  }
  for (const std::string& phrase : workload.not_honoured) out += labelled("not honoured", phrase);
  if (decision.outcome == Outcome::kPlaced)
    return out + placed_text(cluster, decision, evidence, options);
  return out + refused_text(cluster, decision, evidence, options);
}

}  // namespace tessera::encode
