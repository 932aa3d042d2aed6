// SPDX-License-Identifier: Apache-2.0
#include "solver/counting/request.h"

namespace tessera::solver {
namespace {

Refusal broken(Obstacle obstacle, Symbol a = {}, Symbol b = {}, std::int64_t size_a = 0,
               std::int64_t size_b = 0) {
  Refusal refusal;
  refusal.obstacle = obstacle;
  refusal.level_a = a;
  refusal.level_b = b;
  refusal.size_a = size_a;
  refusal.size_b = size_b;
  return refusal;
}

/// Further layers of placement.md 3.3: known, strictly lower, dividing. Fills `unit` for the levels
/// between two layers.
std::optional<Refusal> resolve_inner_layers(const TopologyRequest& request,
                                            const topology::TopologySpec& topology,
                                            ResolvedRequest& out) {
  Symbol outer_label = request.layers.front().level;
  for (std::size_t i = 1; i < request.layers.size(); ++i) {
    const SliceLayer& layer = request.layers[i];
    const Layer outer = out.layers.back();
    const auto level = topology.find_level(layer.level.view());
    if (!level) return broken(Obstacle::kUnknownLayerLevel, layer.level);
    if (*level <= outer.level) return broken(Obstacle::kLayerNotLower, layer.level, outer_label);
    if (layer.size <= 0 || outer.size % layer.size != 0) {
      return broken(Obstacle::kLayerNotDividing, layer.level, outer_label, layer.size, outer.size);
    }
    for (int between = outer.level + 1; between <= *level; ++between) {
      out.unit[static_cast<std::size_t>(between)] = layer.size;
    }
    out.layers.push_back({*level, layer.size});
    outer_label = layer.level;
  }
  return std::nullopt;
}

}  // namespace

bool is_invalid(Obstacle obstacle) {
  switch (obstacle) {
    case Obstacle::kUnknownLevel:
    case Obstacle::kUnknownSliceLevel:
    case Obstacle::kSliceAboveRequest:
    case Obstacle::kSliceSizeMissing:
    case Obstacle::kNoLevel:
    case Obstacle::kUnknownLayerLevel:
    case Obstacle::kLayerNotLower:
    case Obstacle::kLayerNotDividing:
    case Obstacle::kSliceRemainder:
    case Obstacle::kGroupShape:
    case Obstacle::kTreeUnknownLevel:
      return true;
    case Obstacle::kNoneFits:
    case Obstacle::kSomeFit:
    case Obstacle::kLayersShort:
    case Obstacle::kNoDomains:
    case Obstacle::kLeaderDoesNotFit:
    case Obstacle::kOverbooked:
    case Obstacle::kTreeDoesNotFit:
    case Obstacle::kTreeBounded:
    case Obstacle::kTreeShortOfPods:
      return false;
  }
  return false;
}

std::variant<ResolvedRequest, Refusal> resolve(const TopologyRequest& request,
                                               const topology::TopologySpec& topology) {
  const int lowest = static_cast<int>(topology.levels.size()) - 1;
  const bool sliced = !request.layers.empty();
  const bool implied = !request.explicit_request();
  ResolvedRequest out;
  out.required = request.required.has_value();
  out.unconstrained = request.unconstrained.value_or(false) || implied ||
                      (sliced && !request.required && !request.preferred);
  out.slice_level = lowest;
  out.unit = Units(topology.levels.size());

  if (sliced && request.layers.front().size <= 0) return broken(Obstacle::kSliceSizeMissing);
  const std::optional<Symbol> named = request.required ? request.required : request.preferred;
  if (named) {
    const auto level = topology.find_level(named->view());
    if (!level) return broken(Obstacle::kUnknownLevel, *named);
    out.level = *level;
  } else if (sliced) {
    out.level = 0;
  } else if (out.unconstrained) {
    out.level = lowest;
  } else {
    return broken(Obstacle::kNoLevel);
  }
  if (!sliced) return out;

  const SliceLayer& outer = request.layers.front();
  const auto slice_level = topology.find_level(outer.level.view());
  if (!slice_level) return broken(Obstacle::kUnknownSliceLevel, outer.level);
  if (*slice_level < out.level) {
    return broken(Obstacle::kSliceAboveRequest, outer.level,
                  named ? *named : topology.levels[0].label);
  }
  out.slice_level = *slice_level;
  out.slice_size = outer.size;
  out.layers.push_back({*slice_level, outer.size});
  if (auto refusal = resolve_inner_layers(request, topology, out)) return *refusal;
  return out;
}

}  // namespace tessera::solver
