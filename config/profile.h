// SPDX-License-Identifier: Apache-2.0
// Profile: a named, immutable set of algorithm choices, and the built-in profiles.
//
// Made from a configuration file (config/load_settings.h). core reads profiles on any thread and
// turns them into options of the solver. docs/placement.md explains the choices; the comments here
// name their rules.
#pragma once

#include <cstdint>
#include <string>

#include "topology/placement_choices.h"

namespace tessera::config {

using topology::Algorithm;
using topology::BalancedPlacement;
using topology::DomainChoice;
using topology::LeaderFilters;
using topology::SliceRemainder;

enum class PodUsage { kAll, kKueueNonTas };  // placement.md 2.4
enum class Rounds { kSequential, kKueue };   // design.md 3.2, queues.md 2
enum class Messages { kClear, kKueue };      // placement.md 10

struct Profile {
  std::string name = "default";
  Algorithm required = Algorithm::kBestFit;
  Algorithm preferred = Algorithm::kBestFit;
  Algorithm unconstrained = Algorithm::kLeastFreeCapacity;
  BalancedPlacement balanced_placement = BalancedPlacement::kOff;
  SliceRemainder slice_remainder = SliceRemainder::kReject;
  bool preferred_affinity = true;
  DomainChoice tree_domains = DomainChoice::kTightest;
  LeaderFilters leader_filters = LeaderFilters::kOwn;
  PodUsage pod_usage = PodUsage::kAll;
  bool overlapping_flavors = true;
  /// Leaves above the host level see other flavors' bookings too (design.md section 1, "cell"). In
  /// Kueue a flavor sees its own bookings only.
  bool shared_leaves_above_host = true;
  Rounds rounds = Rounds::kSequential;
  /// A placement lost within its round is made again on its flavors (queues.md 2, step 4.1).
  bool recompute_in_cycle = true;
  bool partial_admission = true;  // queues.md 8
  Messages messages = Messages::kClear;
  /// Workloads planned in one cycle of sequential order (design.md 3.1).
  std::int64_t batch = 256;
  /// Steps (solver/choice/steps.h) after which a search leaves its cycle and goes on in the
  /// background (design.md 3.2).
  std::int64_t search_max_steps = 200'000;
  /// Steps that the search for a gang tree may take in all. A refusal after so many is no proof.
  std::int64_t search_tree_steps = 800'000;
  /// Virtual time that a step of a background search takes.
  std::int64_t search_step_nanoseconds = 50;
  /// Live keys of the solver's index (design.md 4); 0: no index, every leaf is counted each time.
  std::int64_t index_max_keys = 32;
  /// A key ends when no cycle has used it for so many cycles.
  std::int64_t index_max_age_cycles = 10'000;
};

Profile default_profile();
Profile kueue_0_19_profile();

}  // namespace tessera::config
