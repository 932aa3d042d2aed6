// SPDX-License-Identifier: Apache-2.0
#include "config/schema.h"

#include <algorithm>

namespace tessera::config {
namespace {

template <class T>
ProfileField field(std::string path, T Profile::*member, std::vector<std::string> choices,
                   std::optional<Range> range) {
  return {std::move(path), std::move(choices), range,
          [member](const Profile& p) { return static_cast<std::int64_t>(p.*member); },
          [member](Profile& p, std::int64_t value) { p.*member = static_cast<T>(value); }};
}

/// The choices are the values of the enum, in the enum's order.
template <class Enum>
ProfileField choice(std::string path, Enum Profile::*member, std::vector<std::string> choices) {
  return field(std::move(path), member, std::move(choices), std::nullopt);
}

ProfileField flag(std::string path, bool Profile::*member) {
  return field(std::move(path), member, {"false", "true"}, std::nullopt);
}

ProfileField number(std::string path, std::int64_t Profile::*member, Range range) {
  return field(std::move(path), member, {}, range);
}

std::vector<ProfileField> make_fields() {
  const std::vector<std::string> algorithms{"BestFit", "LeastFreeCapacity", "MostFreeCapacity"};
  return {
      // How domains are chosen for required requests.
      choice("algorithm.required", &Profile::required, algorithms),
      // How domains are chosen for preferred requests.
      choice("algorithm.preferred", &Profile::preferred, algorithms),
      // How domains are chosen without a topology level, and for requests that name slices only.
      choice("algorithm.unconstrained", &Profile::unconstrained, algorithms),
      // Which domain a group of a gang tree tries first.
      choice("algorithm.trees", &Profile::tree_domains,
             {"Tightest", "Loosest", "FewestDomains", "WholePrice", "LowestId"}),
      // Spread preferred requests evenly: never, when that takes fewer domains, or whenever
      // possible.
      choice("balancedPlacement", &Profile::balanced_placement, {"Off", "WhenFewer", "Kueue"}),
      // A slice size that does not divide the pod count: refused at once, or counted as Kueue does
      // and never admitted short.
      choice("sliceRemainder", &Profile::slice_remainder, {"Reject", "Kueue"}),
      // Preferred node affinity ranks domains before capacity does.
      flag("preferredAffinity", &Profile::preferred_affinity),
      // Whose node filters decide where a group's leader may go.
      choice("leaderFilters", &Profile::leader_filters, {"Own", "Workers"}),
      // Which bound pods are use: all without an assignment in the input, or only pods without
      // topology annotations.
      choice("podUsage", &Profile::pod_usage, {"All", "KueueNonTas"}),
      // Flavors over the same hosts see each other's use.
      flag("overlappingFlavors", &Profile::overlapping_flavors),
      // Leaves above the host level see the use of all flavors over their nodes, not only their
      // own.
      flag("sharedLeavesAboveHost", &Profile::shared_leaves_above_host),
      // The best waiting workload of all queues next, each seeing those before it; or rounds of
      // one head per queue, as Kueue.
      choice("rounds", &Profile::rounds, {"Sequential", "Kueue"}),
      // A placement lost within its round is made again on its flavors.
      flag("recomputeInCycle", &Profile::recompute_in_cycle),
      // minCount may lower the number of pods.
      flag("partialAdmission", &Profile::partial_admission),
      // Wording of conditions.
      choice("messages", &Profile::messages, {"Clear", "Kueue"}),
      // Workloads planned in one cycle of rounds: Sequential while time goes on; schedule plans
      // all in one.
      number("batch", &Profile::batch, {1, 4096}),
      // Steps of about 50 ns after which the search for a workload no longer delays others: it
      // goes on in the background (rounds: Sequential, while time goes on).
      number("search.maxSteps", &Profile::search_max_steps, {1, 1'000'000'000'000}),
      // Steps of about 50 ns that the search for a gang tree may take in all; a refusal after so
      // many is no proof.
      number("search.treeSteps", &Profile::search_tree_steps, {1, 1'000'000'000'000}),
      // Virtual nanoseconds that a step in the background takes in a simulation.
      number("search.stepNanoseconds", &Profile::search_step_nanoseconds, {1, 1'000'000}),
      // Shapes of requests whose counts are kept between decisions; 0 counts every leaf each time,
      // with the same answers.
      number("index.maxKeys", &Profile::index_max_keys, {0, 4096}),
      // Cycles without use after which the counts of a shape are dropped.
      number("index.maxAgeCycles", &Profile::index_max_age_cycles, {1, 1'000'000'000}),
  };
}

}  // namespace

std::string ProfileField::written(const Profile& profile) const {
  const std::int64_t value = get(profile);
  return range ? std::to_string(value) : choices[static_cast<std::size_t>(value)];
}

const std::vector<ProfileField>& profile_fields() {
  static const std::vector<ProfileField> kFields = make_fields();
  return kFields;
}

const ProfileField* find_profile_field(std::string_view path) {
  for (const ProfileField& field : profile_fields()) {
    if (field.path == path) return &field;
  }
  return nullptr;
}

std::vector<std::string> profile_field_names(std::string_view prefix) {
  std::vector<std::string> names;
  for (const ProfileField& field : profile_fields()) {
    if (field.path.compare(0, prefix.size(), prefix) != 0) continue;
    std::string name = field.path.substr(prefix.size());
    name = name.substr(0, name.find('.'));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

}  // namespace tessera::config
