// SPDX-License-Identifier: Apache-2.0
// The canonical text of a record: reading gives back what was written, every field of every struct
// is in it, and a text that is not of ours is refused with the place of its fault.
#include "actors/records/text/record_text.h"

#include <gtest/gtest.h>

#include <ostream>
#include <set>

#include "actors/records/text/record_fields.h"
#include "actors/records/text/text_writer.h"
#include "tests/support/random_record.h"

namespace tessera::core {
namespace {

using test::Dice;
using test::random_record;

std::string text_of(const CycleRecord& record) {
  std::string text;
  append_text(record, text);
  return text;
}

class Filled : public testing::TestWithParam<int> {};
TEST_P(Filled, RecordIsWrittenAsItWasRead) {
  constexpr std::uint64_t kSeeds = 150;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Dice dice(seed);
    const std::string text = text_of(random_record(dice, GetParam()));
    const Result<CycleRecord> read = read_record(text);
    ASSERT_TRUE(read) << "seed " << seed << ": " << read.error().text() << "\n" << text;
    ASSERT_EQ(text_of(*read), text) << "seed " << seed;
  }
}
INSTANTIATE_TEST_SUITE_P(RecordText, Filled, testing::Values(100, 80, 50),
                         testing::PrintToStringParamName());

/// Calls `visit` with a value of T as it is made, and of every struct that it is made of.
template <class T>
struct StructsOf {
  template <class Visit>
  static void each(std::set<const void*>& seen, const Visit& visit) {
    if constexpr (HasFields<T>) {
      if (!seen.insert(&kFields<T>).second) return;
      visit(T{});
      for_each_field<T>([&](const auto& field) {
        StructsOf<std::remove_cvref_t<decltype(T{}.*field.member)>>::each(seen, visit);
      });
    }
  }
};
template <class T>
struct StructsOf<const T> : StructsOf<T> {};
template <class T>
struct StructsOf<std::optional<T>> : StructsOf<T> {};
template <class T>
struct StructsOf<std::shared_ptr<T>> : StructsOf<T> {};
template <class T>
struct StructsOf<std::vector<T>> : StructsOf<T> {};
template <class... T>
struct StructsOf<std::variant<T...>> {
  template <class Visit>
  static void each(std::set<const void*>& seen, const Visit& visit) {
    (StructsOf<T>::each(seen, visit), ...);
  }
};

template <class Visit>
void each_struct(const Visit& visit) {
  std::set<const void*> seen;
  StructsOf<CycleRecord>::each(seen, visit);
}

TEST(RecordText, LeavesOutWhatIsAsAReaderMakesIt) {
  int structs = 0;
  each_struct([&structs](const auto& made) {
    std::string text;
    {
      JsonText out(text);
      TextWriter<TextPart::kWhole>(out).write(made);
    }
    EXPECT_EQ(text, "{}");
    ++structs;
  });
  EXPECT_GE(structs, 60);
}

TEST(RecordText, HasEveryField) {
  Dice dice(1);
  const std::string text = text_of(random_record(dice, 100));
  each_struct([&text]<class T>(const T&) {
    for_each_field<T>([&](const auto& field) {
      EXPECT_NE(text.find(field.quoted_key()), std::string::npos) << field.key();
    });
  });
}

TEST(RecordText, OfInputsAndDecisionsIsThis) {
  CycleRecord record;
  record.cycle = 3;
  record.now = -5;
  record.first_input = 9;
  record.hash[0] = 0xab;
  auto workload = std::make_shared<Workload>();
  workload->namespace_name = "ns";
  workload->name = "a\"b";
  workload->gang.pod_sets.resize(1);
  workload->gang.pod_sets[0].count = 2;
  workload->gang.pod_sets[0].topology.required = Symbol("rack");
  workload->gang.pod_sets[0].filter.required.emplace();
  topology::NodeRecord node;
  node.name = Symbol("n1");
  node.labels.set(Symbol("z"), Symbol("1"));
  node.labels.set(Symbol("b"), Symbol());
  node.allocatable = {{topology::cpu_resource(), 0}};
  record.inputs = {Submit{workload, GangId{7}}, Advance{-5}, NodeUpdate{node}, Finish{GangId{6}}};
  record.finished = {GangId{6}};
  RefusedWorkload refused;
  refused.gang = GangId{7};
  refused.cluster_queue = "q";
  refused.reason = Reason::kDeferred;
  record.refused = {refused};
  const std::string text = text_of(record);
  EXPECT_EQ(
      text,
      R"({"cycle":3,"finished":[6],"firstInput":9,"hash":"ab000000000000000000000000000000)"
      R"(00000000000000000000000000000000","inputs":[{"submit":{"gang":7,"workload":)"
      R"({"gang":{"podSets":[{"count":2,"filter":{"required":[]},"topology":{"required":)"
      R"("rack"}}]},"name":"a\"b","namespace":"ns"}}},{"advance":{"now":-5}},{"nodeUpdate":)"
      R"({"node":{"allocatable":{"cpu":0},"labels":{"b":"","z":"1"},"name":"n1"}}},{"finish":)"
      R"({"gang":6}}],"now":-5,"refused":[{"clusterQueue":"q","gang":7,"reason":"Deferred"}],)"
      R"("v":1})");
  const Result<CycleRecord> read = read_record(text);
  ASSERT_TRUE(read);
  ASSERT_TRUE(read->refused[0].workload);  // its submit is in the record
  EXPECT_EQ(read->refused[0].workload->key(), "ns/a\"b");
  EXPECT_EQ(read->refused[0].workload, std::get<Submit>(read->inputs[0]).workload);
}

TEST(RecordText, AddsNoSymbolOfWhatIsAskedOfNodes) {
  const std::string text =
      R"({"inputs":[{"submit":{"gang":1,"workload":{"gang":{"podSets":[{"filter":{)"
      R"("nodeSelector":[["recorded-1","recorded-2"]],"preferred":[{"term":{"expressions":[{)"
      R"("key":"recorded-3","values":["recorded-4"]}]},"weight":2}],"required":[{"fields":[{)"
      R"("key":"recorded-5","values":["recorded-6"]}]}],"tolerations":[{"key":"recorded-7",)"
      R"("value":"recorded-8"}]}}]}}}},{"podUpdate":{"pod":{"kaiQueue":"recorded-9",)"
      R"("name":"p","node":"recorded-10"}}}],"v":1})";
  const std::size_t before = Symbol::count();
  const Result<CycleRecord> read = read_record(text);
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(text_of(*read), text);
  EXPECT_EQ(Symbol::count(), before);
}

TEST(RecordText, OfNothingIsThis) {
  EXPECT_EQ(text_of({}), R"({"v":1})");
  const Result<CycleRecord> read = read_record(R"({"v":1})");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->now, INT64_MIN);
}

TEST(RecordText, GoesBehindWhatTheTextHolds) {
  std::string text = "before,";
  append_text({}, text);
  append_decisions_text({}, text);
  EXPECT_EQ(text, R"(before,{"v":1}{"v":1})");
}

TEST(RecordText, LeavesTheWorkloadToWhoeverKnowsTheGang) {
  const auto read =
      read_record(R"({"admitted":[{"admission":{"clusterQueue":"q"},"gang":4}],"v":1})");
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->admitted[0].workload);
}

struct Hostile {
  const char* name;
  std::string text;
  std::string error;  // begins so
};
std::ostream& operator<<(std::ostream& out, const Hostile& c) { return out << c.name; }

std::string nested(std::size_t depth) {
  return R"({"v":1,"x":)" + std::string(depth, '[') + std::string(depth, ']') + "}";
}
const char kInput[] = R"({"v":1,"inputs":[{"advance":{}},)";

const Hostile kHostile[] = {
    {"Nothing", "", "the text of a record is not JSON"},
    {"NoObject", "[]", "the text of a record must be an object"},
    {"CutShort", R"({"v":1)", "the text of a record is not JSON"},
    {"TwoRecords", R"({"v":1}{"v":1})", "the text of a record is not JSON"},
    {"NoUtf8", "{\"v\":1,\"\xff\":1}", "the text of a record is not JSON"},
    {"HalfASurrogate", R"({"v":1,"\ud800":1})", "the text of a record is not JSON"},
    {"NoVersion", "{}", "a record needs a version"},
    {"AnotherVersion", R"({"v":2})",
     "v: a record of another version; this program reads version 1"},
    {"VersionOfAnotherKind", R"({"v":"1"})", "v: a record of another version"},
    {"AKeyTwice", R"({"v":1,"now":1,"now":1})", R"(the text of a record has the key "now" twice)"},
    {"AKeyTwiceFurtherDown", R"({"v":1,"admitted":[{"gang":1},{"gang":1,"gang":1}]})",
     R"(the text of a record has the key "gang" twice)"},
    {"Deep", nested(33), "the text of a record goes deeper than 32 levels"},
    {"VeryDeep", nested(1'000'000), "the text of a record goes deeper than 32 levels"},
    {"UnknownField", R"({"v":1,"admited":[]})",
     R"(unknown field "admited" (did you mean "admitted"?))"},
    {"UnknownFieldFurtherDown", std::string(kInput) + R"({"submit":{"workload":{"qeue":"q"}}}]})",
     R"(inputs[1].submit.workload: unknown field "qeue" (did you mean "queue"?))"},
    {"LongField", R"({"v":1,")" + std::string(1000, 'x') + R"(":1})",
     "unknown field \"" + std::string(100, 'x') + "...\""},
    {"UnknownInput", std::string(kInput) + R"({"sumbit":{}}]})",
     R"(inputs[1]: unknown kind of input "sumbit" (did you mean "submit"?))"},
    {"NoInput", std::string(kInput) + "{}]}",
     "inputs[1]: must have one key, the kind of the input"},
    {"TwoInputsInOne", std::string(kInput) + R"({"finish":{},"started":{}}]})",
     "inputs[1]: must have one key"},
    {"UnknownName", R"({"v":1,"refused":[{"reason":"Qota"}]})",
     R"(refused[0].reason: unknown name "Qota" (did you mean "Quota"?))"},
    {"NumberForAName", R"({"v":1,"refused":[{"reason":2}]})", "refused[0].reason: must be a text"},
    {"Fraction", R"({"v":1,"now":1.0})", "now: must be a whole number of 64 bits"},
    {"TooLarge", R"({"v":1,"now":9223372036854775808})",
     "now: 9223372036854775808 is not within -9223372036854775808..9223372036854775807"},
    {"FarTooLarge", R"({"v":1,"now":99999999999999999999})", "now: must be a whole number"},
    {"Endless", R"({"v":1,"now":1e999})", "the text of a record is not JSON"},
    {"TextForANumber", R"({"v":1,"now":"1"})", "now: must be a whole number"},
    {"NegativeCount", R"({"v":1,"planned":-1})", "planned: -1 is not within 0..4294967295"},
    {"NumberForABool", R"({"v":1,"recovers":1})", "recovers: must be true or false"},
    {"NullForAList", R"({"v":1,"inputs":null})", "inputs: must be a list"},
    {"NullForAValueThatMayBeAbsent", R"({"v":1,"refused":[{"round":null}]})",
     "refused[0].round: must be an object"},
    {"ShortHash", R"({"v":1,"hash":"ab"})", "hash: must be 64 digits"},
    {"NoHash", R"({"v":1,"hash":")" + std::string(64, 'g') + R"("})", "hash: must be 64 digits"},
    {"DomainWithoutValues", R"({"v":1,"admitted":[{"admission":{"podSets":[{"domains":[[1]]}]}}]})",
     "admitted[0].admission.podSets[0].domains[0]: must be a list of values and pods"},
    {"DomainsOfTwoLengths",
     R"({"v":1,"admitted":[{"admission":{"podSets":[{"domains":[["a",1],["a","b",1]]}]}}]})",
     "admitted[0].admission.podSets[0].domains[1]: must be a list of values and pods"},
    {"DomainThatIsNoList", R"({"v":1,"admitted":[{"admission":{"podSets":[{"domains":[1]}]}}]})",
     "admitted[0].admission.podSets[0].domains[0]: must be a list of values and pods"},
    {"PairOfThree",
     std::string(kInput) +
         R"({"redefine":{"definitions":{"flavors":[{"nodeLabels":[["a","b","c"]]}]}}}]})",
     "inputs[1].redefine.definitions.flavors[0].nodeLabels[0]: must be a list of two texts"},
    {"NodesOfARedefine", std::string(kInput) + R"({"redefine":{"definitions":{"nodes":[]}}}]})",
     R"(inputs[1].redefine.definitions: unknown field "nodes")"},
};

class HostileText : public testing::TestWithParam<Hostile> {};
TEST_P(HostileText, IsRefusedWithThePlace) {
  const Result<CycleRecord> read = read_record(GetParam().text);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().text().substr(0, GetParam().error.size()), GetParam().error);
}
INSTANTIATE_TEST_SUITE_P(RecordText, HostileText, testing::ValuesIn(kHostile),
                         [](const auto& c) { return c.param.name; });

/// A text of ours with one byte changed is refused, or is a record with a text of its own.
TEST(RecordText, WithABrokenByteIsRefusedOrARecord) {
  constexpr std::uint64_t kSeeds = 300;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Dice dice(seed);
    std::string text = text_of(random_record(dice, 60));
    const auto at = static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(text.size())));
    text[at] = static_cast<char>(dice.below(256));
    const Result<CycleRecord> read = read_record(text);
    if (!read) {
      EXPECT_FALSE(read.error().message.empty());
      continue;
    }
    const std::string again = text_of(*read);
    const Result<CycleRecord> twice = read_record(again);
    ASSERT_TRUE(twice) << "seed " << seed;
    EXPECT_EQ(text_of(*twice), again) << "seed " << seed;
  }
}

}  // namespace
}  // namespace tessera::core
