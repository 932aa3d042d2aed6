// SPDX-License-Identifier: Apache-2.0
// The solver against Kueue's recorded answers: same domains in the same order, or the same text.
//
// TESSERA_VECTOR=id runs one vector and prints it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <string>

#include "ingest/text/kueue_text.h"
#include "solver/search/place.h"
#include "tests/support/gzip_lines.h"
#include "tests/support/placement_vector.h"
#include "tests/support/placement_verifier.h"
#include "tests/support/world.h"

namespace tessera::test {
namespace {

using Texts = std::map<std::string, std::string>;  // pod set name -> answer

std::string placement_text(const World& world, const solver::PodSetPlacement& placement) {
  const topology::TopologySpec& topology = world.spec().topology;
  std::string out;
  for (const topology::TopologyLevel& level : topology.levels) {
    if (topology.host_level() && level.label != topology::hostname_label()) continue;
    out += (out.empty() ? "" : ",") + level.label.str();
  }
  out += ":";
  for (const solver::LeafPods& entry : placement) {
    std::string name;
    for (topology::Symbol value : world.leaf_key(entry.leaf)) {
      name += (name.empty() ? "" : "/") + value.str();
    }
    out += " " + name + "=" + std::to_string(entry.pods);
  }
  return out;
}

void add_placement(const World& world, const solver::Gang& gang, const solver::Placement& placement,
                   Texts& texts) {
  for (std::size_t p = 0; p < gang.pod_sets.size(); ++p) {
    texts[gang.pod_sets[p].name] = placement_text(world, placement.pod_sets[p]);
  }
}

/// Adds the refused pod set, and the rest of its group, which share one reason.
void add_refusal(const World& world, const solver::Gang& gang, const solver::Refusal& refusal,
                 Texts& texts) {
  const solver::PodSet& refused = gang.pod_sets[refusal.pod_set];
  const std::string text = "refused: " + encode::kueue_text(refusal, world.spec().topology);
  for (const solver::PodSet& pod_set : gang.pod_sets) {
    const bool mate = !refused.unit.empty() && pod_set.unit == refused.unit;
    if (mate || pod_set.name == refused.name) texts[pod_set.name] = text;
  }
}

/// The pod sets that the reference placed before another one was refused.
solver::Gang placed_part(const PlacementVector& vector) {
  solver::Gang part;
  for (const solver::PodSet& pod_set : vector.gang.pod_sets) {
    const auto expected = vector.expected.find(pod_set.name);
    if (expected == vector.expected.end()) continue;
    if (expected->second.rfind("refused: ", 0) != 0) part.pod_sets.push_back(pod_set);
  }
  return part;
}

struct Outcome {
  Texts got;
  bool refused = false;
  Verdict verdict;
};

enum class Search { kPlain, kIndex };

/// Through the index: after decisions of other shapes that were taken back.
Outcome run(const PlacementVector& vector, Search search) {
  World world(vector.world);
  if (search == Search::kIndex) {
    world.use_index({.max_keys = 3, .max_age_cycles = 10, .threads = 1});
    world.warm_up(std::hash<std::string>()(vector.id), 6);
    world.place(vector.gang, vector.options, vector.basis);
    world.warm_up(1, 3);
  }
  Outcome outcome;
  const auto place = [&](const solver::Gang& gang) {
    const solver::Answer answer = world.place(gang, vector.options, vector.basis);
    if (const auto* placement = std::get_if<solver::Placement>(&answer)) {
      add_placement(world, gang, *placement, outcome.got);
      outcome.verdict =
          verify_placement(world, gang, *placement, vector.basis, vector.options.leader_filters);
      return true;
    }
    add_refusal(world, gang, std::get<solver::Refusal>(answer), outcome.got);
    return false;
  };
  outcome.refused = !place(vector.gang);
  if (outcome.refused) {
    const solver::Gang part = placed_part(vector);
    if (!part.pod_sets.empty()) place(part);
  }
  return outcome;
}

std::string joined(const Texts& texts) {
  std::string out;
  for (const auto& [name, text] : texts) out += "    " + name + ": " + text + "\n";
  return out;
}

struct Tally {
  int exact = 0, deviation = 0, other = 0;
};

class Report {
 public:
  explicit Report(Search search) : search_(search) {}

  void add(const PlacementVector& vector) {
    const Outcome outcome = run(vector, search_);
    leaders_ += outcome.verdict.leaders_on_workers_filter;
    const bool valid = outcome.verdict.faults.empty();
    Tally& tally = themes_[vector.theme];
    if (valid && outcome.got == vector.expected) {
      ++tally.exact;
    } else if (valid && vector.kueue_defect) {
      ++tally.deviation;
      deviations_ += "  " + vector.id + (outcome.refused ? ": refused\n" : ": placed whole\n");
    } else {
      ++tally.other;
      if (++shown_ <= kShown) others_ += describe(vector, outcome);
    }
  }

  static std::string describe(const PlacementVector& vector, const Outcome& outcome) {
    std::string out = "  " + vector.id + "\n   want\n" + joined(vector.expected) + "   got\n" +
                      joined(outcome.got);
    for (const std::string& fault : outcome.verdict.faults) out += "    fault: " + fault + "\n";
    return out;
  }

  void print() const {
    std::cout << "theme        exact / listed deviation / other\n";
    for (const auto& [theme, tally] : themes_) {
      std::cout << theme << std::string(theme.size() < 12 ? 13 - theme.size() : 1, ' ')
                << tally.exact << " / " << tally.deviation << " / " << tally.other << "\n";
    }
    std::cout << "deviations (Kueue loses pods there: placement.md 5.6, 7):\n"
              << deviations_
              << "leaders on nodes that only the workers' filters accept: " << leaders_ << "\n"
              << others_;
  }

  int others() const { return shown_; }

 private:
  static constexpr int kShown = 20;
  Search search_;
  std::map<std::string, Tally> themes_;
  std::string deviations_, others_;
  int leaders_ = 0, shown_ = 0;
};

void check_vectors(Search search) {
  const char* only = std::getenv("TESSERA_VECTOR");
  Report report(search);
  std::size_t read = 0;
  for (const char* file : {"placement-table.jsonl.gz", "placement-random.jsonl.gz"}) {
    for (const std::string& line : read_gzip_lines(std::string(TESSERA_TEST_DATA "/") + file)) {
      ++read;
      if (only != nullptr && line.find("\"id\":\"" + std::string(only) + "\"") == std::string::npos)
        continue;
      const PlacementVector vector = parse_placement_vector(line);
      report.add(vector);
      if (only != nullptr) {
        std::cout << line << "\n" << Report::describe(vector, run(vector, search));
      }
    }
  }
  report.print();
  EXPECT_EQ(read, 3487u);
  EXPECT_EQ(report.others(), 0);
}

TEST(PlacementVectors, GiveTheReferenceAnswer) { check_vectors(Search::kPlain); }
TEST(PlacementVectors, GiveItThroughTheIndexAfterOtherDecisions) { check_vectors(Search::kIndex); }

}  // namespace
}  // namespace tessera::test
