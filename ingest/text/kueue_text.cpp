// SPDX-License-Identifier: Apache-2.0
#include "ingest/text/kueue_text.h"

#include <algorithm>
#include <vector>

namespace tessera::encode {
namespace {

using solver::CauseCount;
using solver::Obstacle;
using solver::Refusal;
using topology::TopologySpec;

std::string cause_text(const CauseCount& cause) {
  const std::string count = ": " + std::to_string(cause.leaves);
  switch (cause.kind) {
    case CauseCount::Kind::kResource:
      return "resource \"" + cause.detail + "\"" + count;
    case CauseCount::Kind::kTaint:
      return "taint \"" + cause.detail + "\"" + count;
    case CauseCount::Kind::kNodeSelector:
      return "nodeSelector" + count;
    case CauseCount::Kind::kAffinity:
      return "affinity" + count;
  }
  return {};
}

/// M4: the formatted causes in byte order, so that taints of one key stand together.
std::string statistics(const Refusal& refusal) {
  std::vector<std::string> texts;
  for (const CauseCount& cause : refusal.causes) {
    if (cause.leaves > 0) texts.push_back(cause_text(cause));
  }
  if (texts.empty()) return {};
  std::sort(texts.begin(), texts.end());
  std::string out = ". Total nodes: " + std::to_string(refusal.leaves) + "; excluded: ";
  for (std::size_t i = 0; i < texts.size(); ++i) out += (i == 0 ? "" : ", ") + texts[i];
  return out;
}

std::string shortfall(const Refusal& refusal, const TopologySpec& topology) {
  const std::string unit = refusal.slice_size == 1 ? " pod(s)" : " slice(s)";
  const std::string need = std::to_string(refusal.need) + unit;
  const std::string name = "topology \"" + topology.name + "\" ";
  if (refusal.fits == 0) return name + "doesn't allow to fit any of " + need;
  return name + "allows to fit only " + std::to_string(refusal.fits) + " out of " + need;
}

std::string layers_short(const Refusal& refusal, const TopologySpec& topology) {
  std::string out = "topology \"" + topology.name + "\" doesn't allow to fit";
  for (const solver::LayerCount& layer : refusal.layers) {
    out += "; " + std::to_string(layer.fits) + "/" + std::to_string(layer.need) +
           " slice(s) fit on level " + layer.level.str();
  }
  return out;
}

std::string body(const Refusal& refusal, const TopologySpec& topology) {
  const std::string a = refusal.level_a.str(), b = refusal.level_b.str();
  switch (refusal.obstacle) {
    case Obstacle::kNoneFits:
    case Obstacle::kSomeFit:
    case Obstacle::kLeaderDoesNotFit:
    case Obstacle::kOverbooked:
      return shortfall(refusal, topology);
    case Obstacle::kTreeDoesNotFit:
      return "topology \"" + topology.name + "\" doesn't allow to fit the groups of the gang";
    case Obstacle::kTreeBounded:
      return "no placement of the groups of the gang was found within the steps of its search";
    case Obstacle::kTreeShortOfPods:
      return "a group has " + std::to_string(refusal.fits) + " of the " +
             std::to_string(refusal.need) + " pods or groups that it needs";
    case Obstacle::kLayersShort:
      return layers_short(refusal, topology);
    case Obstacle::kNoDomains:
      return "no topology domains at level: " + a;
    case Obstacle::kUnknownLevel:
    case Obstacle::kTreeUnknownLevel:
      return "no requested topology level: " + a;
    case Obstacle::kUnknownSliceLevel:
      return "no requested topology level for slices: " + a;
    case Obstacle::kSliceAboveRequest:
      return "podset slice topology " + a + " is above the podset topology " + b;
    case Obstacle::kSliceSizeMissing:
      return "slice topology requested, but slice size not provided";
    case Obstacle::kNoLevel:
      return "topology level not specified";
    case Obstacle::kUnknownLayerLevel:
      return "no requested topology level for additional slice layer: " + a;
    case Obstacle::kLayerNotLower:
      return "additional slice layer topology " + a + " must be at a lower level than " + b;
    case Obstacle::kLayerNotDividing:
      return "additional slice layer size " + std::to_string(refusal.size_a) +
             " must evenly divide parent layer size " + std::to_string(refusal.size_b);
    case Obstacle::kSliceRemainder:
      return "slice size " + std::to_string(refusal.slice_size) + " does not divide " +
             std::to_string(refusal.need);
    case Obstacle::kGroupShape:
      return "a pod set group must be one leader pod and its workers";
  }
  return {};
}

}  // namespace

std::string kueue_text(const Refusal& refusal, const TopologySpec& topology) {
  return body(refusal, topology) + statistics(refusal);
}

}  // namespace tessera::encode
