// SPDX-License-Identifier: Apache-2.0
// Which object a job belongs to when jobs own jobs, however long or tangled the chain is.
#include "ingest/link/owners.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <sstream>

namespace tessera::ingest {
namespace {

JobObject job(const std::string& name, const std::string& owner) {
  JobObject job;
  job.header.api_version = "batch/v1";
  job.header.group = "batch";
  job.header.kind = "Job";
  job.header.namespace_name = "ns";
  job.header.name = name;
  if (!owner.empty()) job.header.owners.push_back({"batch/v1", "Job", owner, "", true});
  return job;
}

/// A Workload object that stands for the job `owner`.
std::pair<ObjectHeader, core::Workload> workload_of(const std::string& owner) {
  ObjectHeader header;
  header.kind = "Workload";
  header.namespace_name = "ns";
  header.name = "w-" + owner;
  header.owners.push_back({"batch/v1", "Job", owner, "", true});
  return {header, {}};
}

std::string root_text(const ReadContext& context, const Root& root) {
  if (root.kind == Root::Kind::kWorkload) return context.workload_objects[root.position].first.name;
  return root.kind == Root::Kind::kJob ? context.jobs[root.position].header.name : "none";
}

struct OwnerCase {
  const char* name;
  const char* jobs;      // "a>b": a, which b owns
  const char* workload;  // the job that a Workload object stands for; empty: none
  const char* roots;     // of the jobs, in their order
};
const OwnerCase kOwnerCases[] = {
    {"alone", "a", "", "a"},
    {"an owner that is not in the input", "a>gone", "", "a"},
    {"its own owner", "a>a", "", "a"},
    {"a chain ends at its top", "a>b b>c c", "", "c c c"},
    {"a Workload at the top stands for the chain", "a>b b>c c", "c", "w-c w-c w-c"},
    {"a Workload within the chain stands for what is below", "a>b b>c c", "b", "w-b c c"},
    // The walk from the first job that leads into a circle ends before it would come round.
    {"a circle", "a>b b>c c>a", "", "c c c"},
    {"a circle entered in the middle", "x>b a>b b>c c>a", "", "a a a a"},
    {"two circles", "a>b b>a c>d d>c", "", "b b d d"},
};

TEST(Owners, OfAJobEndAtTheHighest) {
  for (const OwnerCase& c : kOwnerCases) {
    SCOPED_TRACE(c.name);
    ReadContext context;
    std::istringstream words(c.jobs);
    for (std::string word; words >> word;) {
      const std::size_t arrow = word.find('>');
      context.jobs.push_back(
          job(word.substr(0, arrow), arrow == std::string::npos ? "" : word.substr(arrow + 1)));
    }
    if (*c.workload != '\0') context.workload_objects.push_back(workload_of(c.workload));
    const OwnerIndex owners(context);
    std::string roots;
    for (std::size_t i = 0; i < context.jobs.size(); ++i) {
      roots += (roots.empty() ? "" : " ") + root_text(context, owners.root_of_job(i));
    }
    EXPECT_EQ(roots, c.roots);
  }
}

/// By walking up from each job in turn; a job that was walked before keeps its root.
std::vector<std::size_t> walked_roots(const std::vector<std::size_t>& owners) {
  const std::size_t none = owners.size();
  std::vector<std::size_t> roots(owners.size(), none);
  for (std::size_t i = 0; i < owners.size(); ++i) {
    std::vector<std::size_t> way;
    std::set<std::size_t> seen;
    std::size_t at = i;
    while (roots[at] == none) {
      way.push_back(at);
      seen.insert(at);
      const std::size_t next = owners[at];
      if (next == none || next == at || seen.count(next) > 0) break;
      at = next;
    }
    const std::size_t root = roots[at] == none ? at : roots[at];
    for (const std::size_t job_on_way : way) roots[job_on_way] = root;
  }
  return roots;
}

TEST(Owners, AgreeWithWalkingUpFromEachJob) {
  for (std::uint32_t seed = 1; seed <= 500; ++seed) {
    std::mt19937 random(seed);
    const std::size_t count = 1 + random() % 9;
    std::vector<std::size_t> above(count);
    ReadContext context;
    std::string world;
    for (std::size_t i = 0; i < count; ++i) {
      above[i] = random() % (count + 1);
      const std::string owner = above[i] == count ? "" : std::to_string(above[i]);
      context.jobs.push_back(job(std::to_string(i), owner));
      world += std::to_string(i) + ">" + owner + " ";
    }
    const OwnerIndex owners(context);
    const std::vector<std::size_t> roots = walked_roots(above);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(owners.root_of_job(i).position, roots[i]) << "seed " << seed << ": " << world;
    }
  }
}

// In quadratic time this would take minutes.
TEST(Owners, OfAHundredThousandJobsInAChainAreFound) {
  constexpr std::size_t kLinks = 100'000;
  ReadContext context;
  for (std::size_t i = 0; i < kLinks; ++i) {
    context.jobs.push_back(job(std::to_string(i), i == 0 ? "" : std::to_string(i - 1)));
  }
  std::reverse(context.jobs.begin(), context.jobs.end());
  const OwnerIndex owners(context);
  EXPECT_EQ(owners.root_of_job(0).position, kLinks - 1);
  EXPECT_EQ(owners.root_of_job(kLinks / 2).position, kLinks - 1);
}

}  // namespace
}  // namespace tessera::ingest
