// SPDX-License-Identifier: Apache-2.0
#include "ingest/text/binding_text.h"

#include "ingest/text/names.h"
#include "topology/nodes/quantity.h"
#include "topology/text/wording.h"

namespace tessera::encode {
namespace {

using core::Binding;
using core::Evidence;
using core::LevelEvidence;

std::string needed(const LevelEvidence& level, const Evidence& evidence) {
  if (level.slice <= 1) return amount_of_pods(level.need, evidence);
  return counted(level.need / level.slice, "slice of ", "slices of ") +
         amount_of_pods(level.slice, evidence);
}

/// Why there is not more room, if a resource is the cause.
std::string resource_text(const Binding& binding, const Evidence& evidence) {
  if (binding.resource.empty()) return {};
  const std::string name = binding.resource.str();
  const auto amount = [&](std::int64_t value) {
    return topology::amount_text(binding.resource.view(), value) + " " + name;
  };
  if (binding.largest <= 0) return ": no node offers " + name;
  if (binding.largest < binding.asked) {
    return ": a pod asks for " + amount(binding.asked) + ", the largest node has " +
           topology::amount_text(binding.resource.view(), binding.largest);
  }
  // Where every host takes one pod, hosts are what runs out.
  const char* const verb = binding.resource == topology::pods_resource() ? " run out" : " runs out";
  return evidence.whole_hosts && !binding.leader_short ? "" : ": " + name + verb;
}

}  // namespace

std::string row_name(const solver::FlavorView& view, const LevelEvidence& level) {
  return level.cluster ? "cluster" : level_name(view.tree().topology(), level.level);
}

std::string amount_of_pods(std::int64_t pods, const Evidence& evidence) {
  return evidence.whole_hosts ? counted(pods, "host", "hosts") : counted(pods, "pod", "pods");
}

std::string binding_text(const solver::FlavorView& view, const solver::Gang& gang,
                         const Evidence& evidence) {
  if (!evidence.binding) return "does not fit";
  const Binding& binding = *evidence.binding;
  const LevelEvidence& level = evidence.levels[binding.level];
  std::string out;
  if (gang.pod_sets.size() > 1) out = "pod set " + gang.pod_sets[binding.pod_set].name + ": ";
  out += row_name(view, level) + " needs " + needed(level, evidence) + ", ";
  if (!level.cluster && binding.at_best) out += "largest ";
  if (!level.cluster && !binding.at_best)
    out += level.best ? "best " + domain_name(view, *level.best) + " " : "best ";
  out += "has " + std::to_string(binding.have / level.slice);
  if (binding.leader_short) {
    out += ", but no room beside them for pod set " + gang.pod_sets[*binding.leader].name;
  } else if (binding.leader && binding.have < binding.need) {
    out += " beside pod set " + gang.pod_sets[*binding.leader].name;
  }
  return out + resource_text(binding, evidence);
}

}  // namespace tessera::encode
