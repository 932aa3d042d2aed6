// SPDX-License-Identifier: Apache-2.0
// What a workload asks for once LimitRanges, RuntimeClasses and the configuration are known
// (queues.md 4), in every order of the input.
#include <gtest/gtest.h>

#include <ostream>

#include "config/load_settings.h"
#include "ingest/load/load.h"
#include "tests/ingest/load/loading.h"
#include "tests/ingest/objects/object_reading.h"

namespace tessera::test {
namespace {

std::string workload(const std::string& spec) {
  return "---\n{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: w, namespace: "
         "a}, spec: {queueName: q, podSets: [{name: main, count: 2, template: {spec: " +
         spec + "}}]}}\n";
}

std::string limit_range(const std::string& name, const std::string& limits,
                        const std::string& space = "a") {
  return "---\n{apiVersion: v1, kind: LimitRange, metadata: {name: " + name +
         ", namespace: " + space + "}, spec: {limits: [" + limits + "]}}\n";
}

std::string runtime_class(const std::string& name) {
  return "---\n{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: " + name +
         "}, handler: h, overhead: {podFixed: {cpu: 250m}}}\n";
}

/// "request | what keeps it from being evaluated"
std::string settled(const std::string& objects, const config::Settings& settings) {
  ingest::Loader loader(settings);
  loader.read_text(objects, "in.yaml", ingest::Role::kRequest);
  const ingest::Loaded loaded = loader.finish();
  if (!loaded.errors.empty()) return texts(loaded.errors);
  const core::Workload& read = loaded.inventory.workloads.back();
  std::string text = amounts_text(read.gang.pod_sets[0].request);
  for (const std::string& phrase : read.not_honoured) text += " !" + phrase;
  return read.resources_fault.empty() ? text : text + " | " + read.resources_fault;
}

struct SettleCase {
  const char* name;
  std::string spec, others;
  const char* expected;

  friend std::ostream& operator<<(std::ostream& out, const SettleCase& c) { return out << c.name; }
};

const std::string kOneCpu = "{containers: [{resources: {requests: {cpu: 1}}}]}";
const std::string kNothing =
    "{containers: [{}], initContainers: [{resources: {limits: {cpu: 3}}}]}";
const char* const kClassPhrase = "cpu=1000 !the overhead of its runtime class";

const SettleCase kSettleCases[] = {
    {"NoTemplateAsksForNothing", "null", "", ""},
    {"NoTemplateAsksForNothingBesideOthers", "null",
     "---\n{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: a}, spec: " + kOneCpu + "}\n",
     ""},
    {"DefaultsOfTypeContainerFillWhatIsMissing", kNothing,
     limit_range("l", "{type: Container, default: {cpu: 2}, defaultRequest: {memory: 5}}"),
     "cpu=3000 memory=5"},
    {"DefaultsDoNotReplace", kOneCpu,
     limit_range("l", "{type: Container, defaultRequest: {cpu: 4}}"), "cpu=1000"},
    {"DefaultLimitIsTheDefaultRequest", "{containers: [{}]}",
     limit_range("l", "{type: Container, default: {cpu: 2}}"), "cpu=2000"},
    {"MaximumIsTheDefaultLimit", "{containers: [{}]}",
     limit_range("l", "{type: Container, max: {cpu: 2}, default: {memory: 7}}"),
     "cpu=2000 memory=7"},
    {"MinimumIsTheDefaultRequest", "{containers: [{}]}",
     limit_range("l", "{type: Container, min: {cpu: 2}}"), "cpu=2000"},
    {"OfAPodTheMaximumIsNoDefault", "{containers: [{}], resources: {requests: {memory: 7}}}",
     limit_range("l", "{type: Pod, max: {cpu: 2}}"), "memory=7"},
    {"LimitsOfAContainerWinOverADefaultRequest",
     "{containers: [{resources: {limits: {cpu: 3}}}, {}]}",
     limit_range("l", "{type: Container, defaultRequest: {cpu: 1}}"), "cpu=4000"},
    {"LimitsWinResourceByResource", "{containers: [{resources: {limits: {cpu: 3}}}]}",
     limit_range("l", "{type: Container, defaultRequest: {cpu: 1, memory: 5}}"),
     "cpu=3000 memory=5"},
    {"LimitsBelowADefaultRequestAreNoFault", "{containers: [{resources: {limits: {cpu: 1}}}]}",
     limit_range("l", "{type: Container, defaultRequest: {cpu: 2}}"), "cpu=1000"},
    {"LimitsOfAnInitContainerWin",
     "{containers: [{}], initContainers: [{resources: {limits: {cpu: 3}}}]}",
     limit_range("l", "{type: Container, defaultRequest: {cpu: 1}}"), "cpu=3000"},
    {"LimitsOfThePodWin", "{containers: [{}], resources: {limits: {cpu: 3}}}",
     limit_range("l", "{type: Pod, defaultRequest: {cpu: 2}}"), "cpu=3000"},
    {"FirstLimitRangeByNameGivesTheDefault", "{containers: [{}]}",
     limit_range("m", "{type: Container, defaultRequest: {cpu: 4}}") +
         limit_range("l", "{type: Container, defaultRequest: {cpu: 2}}"),
     "cpu=2000"},
    {"DefaultsOfTypePodFillThePodLevel", "{containers: [{}], resources: {requests: {memory: 7}}}",
     limit_range("l", "{type: Pod, defaultRequest: {cpu: 2}}"), "cpu=2000 memory=7"},
    {"OtherNamespacesDoNotMatter", kOneCpu,
     limit_range("l", "{type: Container, max: {cpu: 100m}}", "b"), "cpu=1000"},
    {"AboveTheSmallestMaximum", kOneCpu,
     limit_range("l", "{type: Container, max: {cpu: 2}}") +
         limit_range("m", "{type: Container, max: {cpu: 500m}}"),
     "cpu=1000 | resources didn't satisfy LimitRange constraints: "
     "spec.podSets[0].template.spec.containers[0]: Invalid value: [\"cpu\"]: requests must not be "
     "above the limitRange max"},
    {"BelowTheMinimum", kOneCpu, limit_range("l", "{type: Container, min: {cpu: 2}}"),
     "cpu=1000 | resources didn't satisfy LimitRange constraints: "
     "spec.podSets[0].template.spec.containers[0]: Invalid value: [\"cpu\"]: requests must not be "
     "below the limitRange min"},
    {"PodAboveItsMaximum", kOneCpu, limit_range("l", "{type: Pod, max: {cpu: 500m}}"),
     "cpu=1000 | resources didn't satisfy LimitRange constraints: spec.podSets[0].template.spec: "
     "Invalid value: [\"cpu\"]: requests must not be above the limitRange max"},
    {"RequestAboveItsOwnLimit",
     "{containers: [{resources: {requests: {cpu: 2}, limits: {cpu: 1}}}]}", "",
     "cpu=2000 | resources validation failed: spec.podSets[0].template.spec.containers[0]: Invalid "
     "value: [\"cpu\"]: requests must not exceed its limits"},
    {"OverheadOfTheRuntimeClass",
     "{runtimeClassName: kata, containers: [{resources: {requests: {cpu: 1}}}]}",
     runtime_class("kata"), "cpu=1250"},
    {"OverheadOfThePodItselfWins",
     "{runtimeClassName: kata, overhead: {cpu: 1}, containers: [{resources: {requests: {cpu: "
     "1}}}]}",
     runtime_class("kata"), "cpu=2000"},
    {"UnknownRuntimeClassIsTold",
     "{runtimeClassName: kata, containers: [{resources: {requests: {cpu: 1}}}]}",
     runtime_class("other"), kClassPhrase},
};
class Settled : public testing::TestWithParam<SettleCase> {};

TEST_P(Settled, RequestIsTheSameInBothOrdersOfTheInput) {
  const config::Settings settings = config::built_in_settings();
  const std::string asking = workload(GetParam().spec);
  EXPECT_EQ(settled(asking + GetParam().others, settings), GetParam().expected);
  EXPECT_EQ(settled(GetParam().others + asking, settings), GetParam().expected);
}
INSTANTIATE_TEST_SUITE_P(Cases, Settled, testing::ValuesIn(kSettleCases),
                         [](const auto& test_case) { return test_case.param.name; });

struct TransformCase {
  const char* name;
  const char* resources;  // of the configuration, flow style
  const char* asked;      // by one pod
  const char* counted;

  friend std::ostream& operator<<(std::ostream& out, const TransformCase& c) {
    return out << c.name;
  }
};
const TransformCase kTransformCases[] = {
    {"ExcludedPrefix", "{excludeResourcePrefixes: [net.]}", "{net.io/nic: 2, cpu: 1}", "cpu=1000"},
    {"RetainIsTheDefault", "{transformations: [{input: cpu, outputs: {credits: 2}}]}", "{cpu: 3}",
     "cpu=3000 credits=6"},
    {"Replace", "{transformations: [{input: cpu, strategy: Replace, outputs: {credits: 2}}]}",
     "{cpu: 3}", "credits=6"},
    {"ReplaceByNothing", "{transformations: [{input: cpu, strategy: Replace}]}",
     "{cpu: 3, memory: 1}", "memory=1"},
    {"FractionsAreSummedThenRoundedUp",
     "{transformations: [{input: a, outputs: {c: 500m}}, {input: b, outputs: {c: 250m}}]}",
     "{a: 1, b: 1}", "a=1 b=1 c=1"},
    {"NegativeSumIsNothing",
     "{transformations: [{input: a, outputs: {c: -3}}, {input: b, outputs: {c: 1}}]}",
     "{a: 1, b: 1}", "a=1 b=1 c=0"},
    {"OutputsAreAddedToWhatIsAsked",
     "{transformations: [{input: a, strategy: Replace, outputs: {cpu: 1500m}}]}", "{a: 2, cpu: 1}",
     "cpu=4000"},
    {"MultipliedByAnotherResource",
     "{transformations: [{input: a, strategy: Replace, multiplyBy: cpu, outputs: {c: 3}}]}",
     "{a: 2, cpu: 500m}", "c=3 cpu=500"},
    {"MultipliedByWhatIsNotAskedIsNothing",
     "{transformations: [{input: a, strategy: Replace, multiplyBy: b, outputs: {c: 3}}]}", "{a: 2}",
     "c=0"},
    {"ExcludedInputIsNotTransformed",
     "{excludeResourcePrefixes: [a], transformations: [{input: a, outputs: {c: 1}}]}",
     "{a: 2, cpu: 1}", "cpu=1000"},
    {"MultipliedByAResourceThatQuotaLeavesOut",
     "{excludeResourcePrefixes: [lanes], transformations: [{input: cores, strategy: Replace, "
     "multiplyBy: lanes, outputs: {c: 1}}]}",
     "{cores: 20, lanes: 2}", "c=40"},
    {"MultipliedByWhatQuotaLeavesOutAndIsNotAsked",
     "{excludeResourcePrefixes: [lanes], transformations: [{input: cores, multiplyBy: lanes, "
     "outputs: {c: 1}}]}",
     "{cores: 20}", "c=0 cores=20"},
    {"SumsSaturate", "{transformations: [{input: a, outputs: {c: 8G}}]}",
     "{a: 9000000000000000000}", "a=9000000000000000000 c=9223372036854775807"},
};
class Transformed : public testing::TestWithParam<TransformCase> {};

TEST_P(Transformed, RequestIsWhatQuotaCounts) {
  const config::LoadedSettings loaded =
      config::parse_settings("apiVersion: tessera.dev/v1alpha1\nkind: Configuration\nresources: " +
                                 std::string(GetParam().resources) + "\n",
                             "c.yaml");
  ASSERT_TRUE(loaded.errors.empty()) << loaded.errors[0].text();
  ingest::Loader loader(loaded.settings);
  loader.read_text(
      workload("{containers: [{resources: {requests: " + std::string(GetParam().asked) + "}}]}"),
      "in.yaml", ingest::Role::kRequest);
  const ingest::Loaded input = loader.finish();
  ASSERT_TRUE(input.errors.empty()) << texts(input.errors);
  EXPECT_EQ(amounts_text(input.inventory.workloads.at(0).quota_requests[0]), GetParam().counted);
}
INSTANTIATE_TEST_SUITE_P(Cases, Transformed, testing::ValuesIn(kTransformCases),
                         [](const auto& test_case) { return test_case.param.name; });

}  // namespace
}  // namespace tessera::test
