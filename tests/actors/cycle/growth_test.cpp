// SPDX-License-Identifier: Apache-2.0
// Gang trees that grow, through the engine in one thread: who comes first, and what becomes of a
// growth when gangs end (docs/engine.md, "Growing"). Over random orders of delivery, failures,
// recovery and replay: tests/actors/runtime.
#include <gtest/gtest.h>

#include <map>
#include <ostream>

#include "actors/engine/engine_hashes.h"
#include "actors/engine/local_engine.h"
#include "actors/records/grown.h"
#include "actors/records/text/record_text.h"
#include "tests/support/cluster_builder.h"

namespace tessera::core {
namespace {

using test::ClusterBuilder;

/// "a 2-6 10": a gang tree of at least 2 and at most 6 pods of one GPU, priority 10.
struct Asked {
  const char* name;
  std::int64_t least, most, priority;
  const char* queue = "q";
};

Workload& tree(ClusterBuilder& builder, const Asked& asked) {
  Workload& workload =
      builder.workload(asked.name, {test::pods("main", asked.most, 1)}, asked.queue);
  workload.priority = asked.priority;
  solver::GangGroup root;
  root.end = root.pods_end = 1;
  root.min_pods = asked.least;
  workload.gang.groups = {root};
  return workload;
}

class Growing {
 public:
  explicit Growing(std::int64_t gpus, std::size_t batch = 256, bool is_strict = false) {
    builder_.hosts("b/r/h:" + std::to_string(gpus)).flavor("f");
    for (const char* queue : {"q", "r"}) {
      ClusterQueueRecord& record = builder_.queue(queue, {"f"}, 100);
      if (is_strict) record.strategy = QueueStrategy::kStrictFifo;
    }
    limits_.batch = batch;
    engine_ = make();
  }

  std::unique_ptr<LocalEngine> make() const {
    EngineOptions options;
    options.live = true;
    return std::make_unique<LocalEngine>(
        std::make_shared<const Definitions>(std::make_shared<const Inventory>(builder_.build())),
        options, limits_);
  }

  /// What was admitted: "a2 b2 a+4 b+1".
  std::string tell(const std::vector<Input>& inputs) {
    engine_->submit(inputs);
    std::string text;
    for (auto& record : engine_->settle()) {
      for (const Submitted& each : record->submitted()) ids_[each.workload->name] = each.gang;
      for (const Admitted& each : record->admitted) {
        text += (text.empty() ? "" : " ") + each.workload->name + (each.grows ? "+" : "") +
                std::to_string(each.admission->pod_sets[0].count);
      }
      records_.push_back(std::move(record));
    }
    return text;
  }
  std::string submit(const std::vector<Asked>& all) {
    std::vector<Input> inputs;
    for (const Asked& each : all) {
      inputs.emplace_back(Submit{std::make_shared<const Workload>(tree(asked_, each))});
    }
    return tell(inputs);
  }
  GangId id(const std::string& name) const { return ids_.at(name); }
  std::int64_t held(const std::string& name) const {
    const auto& live = engine_->planner().worlds().live();
    const auto at = live.find(id(name));
    return at == live.end() ? 0 : at->second.admission->pod_sets[0].count;
  }
  LocalEngine& engine() { return *engine_; }
  const std::vector<std::shared_ptr<const CycleRecord>>& records() const { return records_; }

 private:
  ClusterBuilder builder_, asked_;
  CycleLimits limits_;
  std::unique_ptr<LocalEngine> engine_;
  std::map<std::string, GangId> ids_;
  std::vector<std::shared_ptr<const CycleRecord>> records_;
};

struct OrderCase {
  const char* name;
  std::int64_t gpus;
  std::vector<Asked> gangs;
  const char* admitted;
  bool is_strict = false;

  friend std::ostream& operator<<(std::ostream& out, const OrderCase& c) { return out << c.name; }
};

const OrderCase kOrders[] = {
    {"TheMinimaOfAllComeFirst", 7, {{"a", 2, 8, 0}, {"b", 2, 8, 0}}, "a2 b2 a+3"},
    {"AlsoInDifferentQueues", 7, {{"a", 2, 8, 0}, {"b", 2, 8, 0, "r"}}, "a2 b2 a+3"},
    {"AHigherPriorityGrowsFirst", 7, {{"a", 2, 3, 0}, {"b", 2, 8, 10}}, "b2 b+5"},
    {"ThenTheLowerIsPlacedAndGrows", 9, {{"a", 2, 8, 5}, {"b", 1, 4, 10}}, "b1 b+3 a2 a+3"},
    {"OneThatHasAllDoesNotGrow", 9, {{"a", 2, 2, 0}, {"b", 1, 3, 0}}, "a2 b1 b+2"},
    {"AMinimumOfNothingIsPlaced", 3, {{"a", 0, 2, 0}, {"b", 1, 1, 0}}, "a0 b1 a+2"},
    {"ARefusedMinimumHoldsNoGrowthBack", 4, {{"a", 2, 8, 0}, {"b", 5, 8, 0}}, "a2 a+2"},
    {"UnlessItsQueueIsStrict", 4, {{"a", 2, 8, 0}, {"b", 5, 8, 0}}, "a2", true},
    {"ARefusedGrowthBlocksNobody", 4, {{"a", 4, 8, 10}, {"b", 0, 1, 0}}, "a4 b0", true},
};

class GrowthOrder : public testing::TestWithParam<OrderCase> {};

/// A batch of one: a cycle plans one turn, and the queues show one gang each.
TEST_P(GrowthOrder, IsTheSameInOneCycleAndInMany) {
  for (const std::size_t batch : {256U, 2U, 1U}) {
    Growing run(GetParam().gpus, batch, GetParam().is_strict);
    EXPECT_EQ(run.submit(GetParam().gangs), GetParam().admitted) << "batch " << batch;
    EXPECT_TRUE(run.engine().cycle().settled());
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, GrowthOrder, testing::ValuesIn(kOrders),
                         [](const auto& test_case) { return test_case.param.name; });

TEST(Growth, ComesWhenOthersEnd) {
  Growing run(8);
  EXPECT_EQ(run.submit({{"a", 2, 8, 0}, {"b", 4, 4, 0}}), "a2 b4 a+2");
  EXPECT_EQ(run.submit({{"c", 1, 2, 0}}), "");
  EXPECT_EQ(run.tell({Finish{run.id("b")}}), "c1 a+3") << "first those that hold nothing";
  EXPECT_EQ(run.held("a"), 7);
  EXPECT_EQ(run.tell({Finish{run.id("c")}}), "a+1");
  EXPECT_EQ(run.tell({Finish{run.id("a")}}), "");
  EXPECT_EQ(run.submit({{"d", 8, 8, 0}}), "d8") << "all that a held came free";
}

TEST(Growth, EndsWithTheGang) {
  Growing run(8);
  EXPECT_EQ(run.submit({{"a", 2, 9, 0}}), "a2 a+6");
  EXPECT_EQ(run.tell({Evict{run.id("a"), INT64_MIN, true}}), "");
  EXPECT_EQ(run.engine().queues()[0]->size(), 0U) << "no row that grows while its pods end";
  EXPECT_EQ(run.tell({PodsGone{run.id("a")}}), "a2 a+6") << "it begins anew";
  EXPECT_EQ(run.engine().queues()[0]->size(), 1U);
  EXPECT_EQ(run.tell({Finish{run.id("a")}}), "");
  EXPECT_EQ(run.engine().queues()[0]->size(), 0U);
}

TEST(Growth, GoesOnAfterARecovery) {
  Growing run(8);
  run.submit({{"a", 2, 8, 0}, {"b", 4, 4, 0}});
  std::vector<std::shared_ptr<const CycleRecord>> read;
  for (const auto& record : run.records()) {
    std::string text;
    append_text(*record, text);
    read.push_back(std::make_shared<const CycleRecord>(read_record(text).value()));
  }
  const auto again = run.make();
  again->recover(read);
  EXPECT_EQ(hashes_of(*again).queues, hashes_of(run.engine()).queues);
  again->submit({Finish{run.id("b")}});
  const auto records = again->settle();
  ASSERT_EQ(records.size(), 1U);
  ASSERT_EQ(records[0]->admitted.size(), 1U);
  EXPECT_TRUE(records[0]->admitted[0].grows);
  EXPECT_EQ(records[0]->admitted[0].admission->pod_sets[0].count, 4);
}

TEST(Growth, OfAGangThatHoldsSomethingAtTheStart) {
  ClusterBuilder builder, shapes;
  builder.hosts("b/r/h:8").flavor("f").queue("q", {"f"}, 100);
  const Workload shape = tree(shapes, {"shape", 2, 4, 0});
  for (const char* name : {"tree", "flat"}) {
    Workload& held = builder.admitted(name, shape.gang.pod_sets[0], "h:2", "f");
    held.gang.pod_sets = shape.gang.pod_sets;
    if (std::string(name) == "tree") held.gang.groups = shape.gang.groups;
  }
  EngineOptions options;
  options.live = true;
  LocalEngine engine(
      std::make_shared<const Definitions>(std::make_shared<const Inventory>(builder.build())),
      options, {});
  engine.submit({});
  const auto records = engine.settle();
  ASSERT_EQ(records.size(), 1U);
  ASSERT_EQ(records[0]->admitted.size(), 1U);
  EXPECT_EQ(records[0]->admitted[0].workload->name, "tree");
  EXPECT_EQ(records[0]->admitted[0].admission->pod_sets[0].count, 2);
}

/// `schedule` shows one decision for a gang: all that it got.
TEST(Growth, IsPartOfTheDecision) {
  ClusterBuilder builder;
  builder.hosts("b/r/g:2 b/r/h:8").flavor("f").queue("q", {"f"}, 100);
  tree(builder, {"a", 2, 9, 0});
  EXPECT_EQ(test::schedule(builder.build()), "a Placed main[g:2 h:7]");
}

TEST(Growth, KeepsTheLevelsThatAllPodsShare) {
  PodSetAssignment named, whole;
  named.count = whole.count = 1;
  named.levels = {Symbol(test::kHost)};
  named.domains.add(std::vector{Symbol("a")}, 1);
  whole.levels = {Symbol(test::kRack), Symbol(test::kHost)};
  whole.domains.add(std::vector{Symbol("r"), Symbol("b")}, 1);
  const Admission of_input{"q", {named}}, of_engine{"q", {whole}};
  for (const Admission& all : {merged(of_input, of_engine), merged(of_engine, of_input)}) {
    EXPECT_EQ(all.pod_sets[0].levels, std::vector{Symbol(test::kHost)});
    EXPECT_EQ(all.pod_sets[0].domains.size(), 2U);
    EXPECT_EQ(all.pod_sets[0].domains[1].values.size(), 1U);
  }
}

/// The pod that runs is in no pod set, so no admission stands for it, neither at first nor later.
TEST(Growth, LeavesTheRoomOfMembersThatRanBefore) {
  ClusterBuilder builder;
  builder.hosts("b/r/h:4").flavor("f").queue("q", {"f"}, 100);
  Workload& workload = tree(builder, {"a", 2, 3, 0});
  workload.gang.groups[0].running = {"h"};
  workload.gang.pod_sets[0].pods = {"p0", "p1", "p2"};
  builder.bound_pod("runs", "h", 2).workload = "ns/a";
  EXPECT_EQ(test::schedule(builder.build()), "a Placed main[h:2]");
}

/// "h:2 g:1"
DomainList domains_of(const std::vector<std::pair<const char*, std::int64_t>>& all) {
  DomainList list;
  for (const auto& [host, pods] : all) list.add(std::vector{Symbol(host)}, pods);
  return list;
}
PodSetAssignment assignment_of(std::int64_t count, DomainList domains) {
  PodSetAssignment assignment;
  assignment.name = "main";
  assignment.count = count;
  assignment.usage.set(topology::gpu_resource(), count);
  assignment.levels = {Symbol(test::kHost)};
  assignment.domains = std::move(domains);
  return assignment;
}
std::string text_of(const Admission& admission) {
  const PodSetAssignment& assignment = admission.pod_sets.at(0);
  std::string text = std::to_string(assignment.count) + "/" +
                     std::to_string(assignment.usage.get(topology::gpu_resource()));
  for (const DomainList::Domain domain : assignment.domains) {
    text += " " + domain.values[0].str() + ":" + std::to_string(domain.pods);
  }
  return text;
}

TEST(Growth, AddsPodsBehindThoseThatAreThereSoThatNoRankChanges) {
  const Admission held{"q", {assignment_of(3, domains_of({{"b", 2}, {"d", 1}}))}};
  const Admission first{"q", {assignment_of(2, domains_of({{"d", 1}, {"e", 1}}))}};
  const Admission second{"q", {assignment_of(1, domains_of({{"b", 1}}))}};
  const Admission none{"q", {assignment_of(0, {})}};
  const Admission one = merged(held, first);
  EXPECT_EQ(text_of(one), "5/5 b:2 d:2 e:1");
  const Admission two = merged(one, second);
  EXPECT_EQ(text_of(two), "6/6 b:2 d:2 e:1 b:1");
  EXPECT_EQ(text_of(merged(two, none)), text_of(two));
  EXPECT_EQ(text_of(unmerged(two, second)), text_of(one));
  EXPECT_EQ(text_of(unmerged(one, first)), text_of(held));
  EXPECT_EQ(text_of(merged(none, held)), text_of(held));
  EXPECT_EQ(text_of(unmerged(held, held)), "0/0");
}

}  // namespace
}  // namespace tessera::core
