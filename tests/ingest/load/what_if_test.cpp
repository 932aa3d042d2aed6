// SPDX-License-Identifier: Apache-2.0
// What `schedule` puts in place of what a gang tree asks for.
#include "ingest/load/what_if.h"

#include <gtest/gtest.h>

#include "tests/ingest/kinds/gang_text.h"
#include "tests/ingest/load/loading.h"

namespace tessera::test {
namespace {

TEST(WhatIf, PutsLevelsOnTheWholeTreeAndLeavesItsGroups) {
  core::Workload workload = group_workload(load(
      "", pod_group("topologyConstraint: {requiredTopologyLevel: block}, subGroups: [{name: a, "
                    "topologyConstraint: {requiredTopologyLevel: rack}}]") +
              member_pod("p", "a")));
  ingest::WhatIf what_if;
  what_if.preferred = "zone";
  apply(what_if, workload);
  EXPECT_EQ(gang_line(workload), ". 1 group preferred zone; a 0 pods required rack [a: p]");
  EXPECT_FALSE(workload.gang.pod_sets[0].topology.explicit_request());
}

}  // namespace
}  // namespace tessera::test
