// SPDX-License-Identifier: Apache-2.0
// DomainRuns: every domain is one run of hosts, whatever labels hosts lack.
#include "topology/domain_runs.h"

#include <gtest/gtest.h>

namespace tessera::topology {
namespace {

/// One word for each host: "b0/r1" has both labels, "b0/" an empty rack, "b0" no rack, "" none.
std::vector<NodeRecord> hosts(const std::vector<std::string>& paths) {
  std::vector<NodeRecord> out;
  for (const std::string& path : paths) {
    NodeRecord& node = out.emplace_back();
    node.name = Symbol("n" + std::to_string(out.size()));
    if (path.empty()) continue;
    const std::size_t slash = path.find('/');
    if (slash != 0) node.labels.set(Symbol("block"), Symbol(path.substr(0, slash)));
    if (slash != std::string::npos) node.labels.set(Symbol("rack"), Symbol(path.substr(slash + 1)));
  }
  return out;
}

DomainRuns runs_of(const std::vector<std::string>& paths) {
  TopologySpec topology;
  topology.levels = {{Symbol("block"), "", ""}, {Symbol("rack"), "", ""}};
  return {topology, hosts(paths)};
}

/// "b0/r0: 2 0 | ...": the domains of a level with their hosts.
std::string text(const DomainRuns& runs, int level) {
  std::string out;
  for (std::uint32_t d = 0; d < runs.level(level).size(); ++d) {
    out += (out.empty() ? "" : " | ") + runs.path_text(level, d) + ":";
    for (std::uint32_t at = runs.level(level)[d].begin; at < runs.level(level)[d].end; ++at) {
      const std::uint32_t host = runs.order()[at];
      EXPECT_EQ(runs.domain_of(level, host), d);
      out += " " + std::to_string(host);
    }
  }
  return out;
}

TEST(DomainRuns, EqualNamesInTwoBlocksAreTwoDomains) {
  const DomainRuns runs = runs_of({"b1/r0", "b0/r0", "b1/r0", "b0/r1"});
  EXPECT_EQ(text(runs, 0), "b0: 1 3 | b1: 0 2");
  EXPECT_EQ(text(runs, 1), "b0/r0: 1 | b0/r1: 3 | b1/r0: 0 2");
}

TEST(DomainRuns, AHostWithoutARackIsInItsBlockOnly) {
  const DomainRuns runs = runs_of({"b0", "b0/r0", "", "b1/r0", "b0/r9"});
  EXPECT_EQ(text(runs, 0), "b0: 1 4 0 | b1: 3");
  EXPECT_EQ(text(runs, 1), "b0/r0: 1 | b0/r9: 4 | b1/r0: 3");
  EXPECT_EQ(runs.domain_of(1, 0), DomainRuns::kNone);
  EXPECT_EQ(runs.domain_of(0, 2), DomainRuns::kNone);
}

TEST(DomainRuns, ARackWithoutABlockIsNoDomain) {
  const DomainRuns runs = runs_of({"/r0", "b0/r0"});
  EXPECT_EQ(text(runs, 1), "b0/r0: 1");
  EXPECT_EQ(runs.domain_of(1, 0), DomainRuns::kNone);
}

TEST(DomainRuns, AnEmptyValueIsAValue) {
  EXPECT_EQ(text(runs_of({"b0/r0", "b0/", "b0"}), 1), "b0/-: 1 | b0/r0: 0");
}

TEST(DomainRuns, DomainsInsideAnother) {
  const DomainRuns runs = runs_of({"b0/r0", "b1/r0", "b1/r1", "b2", "b3/r0"});
  const auto inside = [&](std::uint32_t block) {
    const DomainRange range = runs.inside(0, block, 1);
    return std::pair(range.begin, range.end);
  };
  EXPECT_EQ(inside(0), std::pair(0U, 1U));
  EXPECT_EQ(inside(1), std::pair(1U, 3U));
  EXPECT_EQ(inside(2), std::pair(3U, 3U));  // a block without racks
  EXPECT_EQ(inside(3), std::pair(3U, 4U));
}

TEST(DomainRuns, NoLevelsAndNoHosts) {
  EXPECT_EQ(runs_of({}).level(1).size(), 0U);
  EXPECT_EQ(DomainRuns(TopologySpec{}, hosts({"b0", ""})).host_count(), 2U);
}

}  // namespace
}  // namespace tessera::topology
