// SPDX-License-Identifier: Apache-2.0
#include "config/profile.h"

namespace tessera::config {

Profile default_profile() { return Profile{}; }

Profile kueue_0_19_profile() {
  Profile profile;
  profile.name = "kueue-0.19";
  profile.slice_remainder = SliceRemainder::kKueue;
  profile.preferred_affinity = false;
  profile.leader_filters = LeaderFilters::kWorkers;
  profile.pod_usage = PodUsage::kKueueNonTas;
  profile.shared_leaves_above_host = false;
  profile.rounds = Rounds::kKueue;
  profile.messages = Messages::kKueue;
  return profile;
}

}  // namespace tessera::config
