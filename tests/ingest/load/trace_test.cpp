// SPDX-License-Identifier: Apache-2.0
// Traces: times to the nanosecond, what makes a gang, and what a faulty line says and costs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "ingest/load/load.h"
#include "tests/ingest/load/loading.h"

namespace tessera::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

ingest::Loaded load_trace(const std::string& trace, const std::string& state = "") {
  const config::Settings settings = config::built_in_settings();
  ingest::Loader loader(settings);
  loader.read_trace_text(trace, "t.jsonl");
  if (!state.empty()) loader.read_text(state, "state.yaml", ingest::Role::kState);
  return loader.finish();
}

std::string job(const std::string& name, const std::string& more_metadata = "") {
  return R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"name":")" + name + "\"" +
         more_metadata +
         R"(},"spec":{"parallelism":2,"template":{"spec":{"containers":[{"resources":)"
         R"({"requests":{"nvidia.com/gpu":4}}}]}}}})";
}

std::string line(const std::string& times, const std::string& workload = job("a")) {
  return "{" + times + ",\"workload\":" + workload + "}\n";
}

/// "arrival+run key" of each entry.
std::string entries_text(const ingest::Loaded& loaded) {
  std::string text;
  for (const ingest::TraceEntry& entry : loaded.trace) {
    const std::string run = entry.run == ingest::kRunsForEver ? "ever" : std::to_string(entry.run);
    text += std::to_string(entry.arrival) + "+" + run + " " + entry.workload->key() + "\n";
  }
  return text;
}

struct LineCase {
  const char* name;
  std::string text;
  const char* entries;
  const char* errors;
};

void PrintTo(const LineCase& tested, std::ostream* out) { *out << tested.name; }

#define RANGE " from 0 to 3155760000 (100 years)\n"
const LineCase kLines[] = {
    {"WholeSeconds", line(R"("time":5,"runSeconds":7)"), "5000000000+7000000000 default/job-a\n",
     ""},
    {"FractionsAreExact", line(R"("time":0.1,"runSeconds":1234567.000000001)"),
     "100000000+1234567000000001 default/job-a\n", ""},
    {"DigitsBeyondTheNanosecondRoundUp", line(R"("time":1.0000000001,"runSeconds":1)"),
     "1000000001+1000000000 default/job-a\n", ""},
    {"Exponents", line(R"("time":1.5e3,"runSeconds":2E-3)"),
     "1500000000000+2000000 default/job-a\n", ""},
    {"NoRunIsForEver", line(R"("time":0)"), "0+ever default/job-a\n", ""},
    {"NullRunIsForEver", line(R"("time":0,"runSeconds":null)"), "0+ever default/job-a\n", ""},
    {"NoRunTimeAtAll", line(R"("time":0,"runSeconds":0)"), "0+0 default/job-a\n", ""},
    {"LongestTime", line(R"("time":3155760000,"runSeconds":3155760000)"),
     "3155760000000000000+3155760000000000000 default/job-a\n", ""},
    {"TooLong", line(R"("time":3155760000.1)"), "",
     "t.jsonl:1:9: time: \"3155760000.1\" is not a number of seconds" RANGE},
    {"FarTooLong", line(R"("time":1e300)"), "",
     "t.jsonl:1:9: time: \"1e300\" is not a number of seconds" RANGE},
    {"Negative", line(R"("time":-1)"), "",
     "t.jsonl:1:9: time: \"-1\" is not a number of seconds" RANGE},
    {"NegativeRun", line(R"("time":1,"runSeconds":-0.5)"), "",
     "t.jsonl:1:24: runSeconds: \"-0.5\" is not a number of seconds" RANGE},
    {"Text", line(R"("time":"12")"), "",
     "t.jsonl:1:9: time: \"12\" is not a number of seconds" RANGE},
    {"ListForANumber", line(R"("time":[1])"), "", "t.jsonl:1:9: time: must be a number" RANGE},
    {"TimeMissing", line(R"("runSeconds":1)"), "", "t.jsonl:1:1: time: is missing\n"},
    {"WorkloadMissing", "{\"time\":1}\n", "", "t.jsonl:1:1: workload: is missing\n"},
    {"WorkloadIsNoObject", "{\"time\":1,\"workload\":\"job\"}\n", "",
     "t.jsonl:1:22: workload: must be an object\n"},
    {"MisspeltField", line(R"("time":1,"runSecond":1)"), "",
     "t.jsonl:1:11: runSecond: unknown field (right: time, startSeconds, runSeconds, workload) "
     "(did you mean "
     "\"runSeconds\"?)\n"},
    {"EveryFaultOfALineIsTold", line(R"("tim":1,"runSeconds":"x")"), "",
     "t.jsonl:1:2: tim: unknown field (right: time, startSeconds, runSeconds, workload) (did you "
     "mean "
     "\"time\"?)\nt.jsonl:1:1: time: is missing\n"
     "t.jsonl:1:23: runSeconds: \"x\" is not a number of seconds" RANGE},
    {"KindMissing", line("\"time\":1", R"({"metadata":{"name":"a"}})"), "",
     "t.jsonl:1:22: kind: is missing\n"},
    {"KindWithoutWorkloads",
     line("\"time\":1", R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"a"}})"), "",
     "t.jsonl:1:48: kind: \"Node\" makes no workloads\n"},
    {"MisspeltKind",
     line("\"time\":1", R"({"apiVersion":"batch/v1","kind":"Jub","metadata":{"name":"a"}})"), "",
     "t.jsonl:1:54: kind: \"Jub\" makes no workloads (did you mean \"Job\"?)\n"},
    {"RunningPod",
     line("\"time\":1", R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},)"
                        R"("spec":{"nodeName":"n","containers":[]}})"),
     "", "t.jsonl:1:1: the workload is a pod that runs, has ended, or is a part of one\n"},
    {"FaultyLineLeavesTheRest",
     line("\"time\":1") + line("\"time\":x") + line("\"time\":3", job("c")),
     "1000000000+ever default/job-a\n3000000000+ever default/job-c\n",
     "t.jsonl:2:9: malformed JSON while parsing value: invalid literal\n"},
    {"InvalidWorkloadIsLeftOut",
     line("\"time\":1", job("a", R"(,"annotations":{"kueue.x-k8s.io/job-min-parallelism":"5"})")) +
         line("\"time\":2"),
     "2000000000+ever default/job-a\n",
     "t.jsonl:1:98: Job default/a: metadata.annotations[\"kueue.x-k8s.io/job-min-parallelism\"]: "
     "Invalid value: \"5\": should be between 0 and 1\n"},
};
#undef RANGE

class TraceLines : public ::testing::TestWithParam<LineCase> {};

TEST_P(TraceLines, GiveTheExpectedGangsAndErrors) {
  const ingest::Loaded loaded = load_trace(GetParam().text);
  EXPECT_EQ(entries_text(loaded), GetParam().entries);
  EXPECT_EQ(texts(loaded.errors), GetParam().errors);
  EXPECT_THAT(loaded.inventory.workloads, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Trace, TraceLines, ::testing::ValuesIn(kLines),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(Trace, SameNameAgainIsAnotherGangOfThatName) {
  const ingest::Loaded loaded =
      load_trace(line("\"time\":1") + line("\"time\":2") + line("\"time\":2"));
  EXPECT_EQ(entries_text(loaded),
            "1000000000+ever default/job-a\n2000000000+ever default/job-a\n"
            "2000000000+ever default/job-a\n");
  EXPECT_THAT(texts(loaded.warnings), ::testing::Not(HasSubstr("twice")));
}

TEST(Trace, JobOfTheStateIsAnotherThanThatOfTheTrace) {
  const ingest::Loaded loaded = load_trace(line("\"time\":1"), job("a"));
  EXPECT_EQ(keys(loaded, loaded.waiting_state), "default/job-a");
  ASSERT_EQ(loaded.trace.size(), 1u);
}

TEST(Trace, LinesAreSortedByTimeWithOneNoteAndKeepTheirOrderWithin) {
  const ingest::Loaded loaded =
      load_trace(line("\"time\":5", job("late")) + line("\"time\":1", job("x")) +
                 line("\"time\":5", job("later")) + line("\"time\":1", job("b")));
  EXPECT_EQ(entries_text(loaded),
            "1000000000+ever default/job-x\n1000000000+ever default/job-b\n"
            "5000000000+ever default/job-late\n5000000000+ever default/job-later\n");
  EXPECT_THAT(loaded.notes,
              ::testing::Contains("2 lines of the trace not in the order of time: sorted"));
}

TEST(Trace, FilesAreMergedWithoutANote) {
  const config::Settings settings = config::built_in_settings();
  ingest::Loader loader(settings);
  loader.read_trace_text(line("\"time\":5", job("a")), "a.jsonl");
  loader.read_trace_text(line("\"time\":1", job("b")), "b.jsonl");
  const ingest::Loaded loaded = loader.finish();
  EXPECT_EQ(entries_text(loaded), "1000000000+ever default/job-b\n5000000000+ever default/job-a\n");
  EXPECT_EQ(loaded.notes, std::vector<std::string>{"no queues in the input"});
}

TEST(Trace, ArrivalIsTheTimeOfTheQueueOrder) {
  const ingest::Loaded loaded = load_trace(
      line("\"time\":1.000000002", job("a", R"(,"creationTimestamp":"2026-11-27T08:15:00Z")")));
  ASSERT_EQ(loaded.trace.size(), 1u);
  EXPECT_EQ(loaded.trace[0].workload->created, 1'000'000'002);
}

TEST(Trace, StateBehindTheTraceSettlesItsRequests) {
  const ingest::Loaded loaded = load_trace(
      line("\"time\":1",
           R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"a","namespace":"team",)"
           R"("labels":{"kueue.x-k8s.io/priority-class":"high"}},)"
           R"("spec":{"template":{"spec":{"containers":[{"name":"c"}]}}}})"),
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: WorkloadPriorityClass\n"
      "metadata: {name: high}\nvalue: 7\n---\n"
      "apiVersion: v1\nkind: LimitRange\nmetadata: {name: l, namespace: team}\n"
      "spec: {limits: [{type: Container, defaultRequest: {cpu: 3}}]}\n");
  ASSERT_EQ(loaded.trace.size(), 1u) << texts(loaded.errors);
  const core::Workload& workload = *loaded.trace[0].workload;
  EXPECT_EQ(workload.priority, 7);
  EXPECT_EQ(workload.gang.pod_sets[0].request.get(topology::cpu_resource()), 3000);
}

TEST(Trace, WhatTheStatusSaysIsNotLookedAt) {
  const ingest::Loaded loaded = load_trace(line(
      "\"time\":1",
      R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Workload","metadata":{"name":"w"},)"
      R"("spec":{"podSets":[{"name":"main","count":1,"template":{"spec":{"containers":[]}}}]},)"
      R"("status":{"conditions":[{"type":"QuotaReserved","status":"True"},)"
      R"({"type":"Finished","status":"True"}],"admission":{"clusterQueue":"q"},)"
      R"("requeueState":{"count":2,"requeueAt":"2026-11-27T09:15:00Z"}}})"));
  ASSERT_EQ(loaded.trace.size(), 1u) << texts(loaded.errors);
  const core::Workload& workload = *loaded.trace[0].workload;
  EXPECT_EQ(workload.name, "w");
  EXPECT_FALSE(workload.status.finished || workload.status.quota_reserved ||
               workload.status.admission.has_value());
  EXPECT_EQ(workload.status.requeue_at, INT64_MIN);
  EXPECT_EQ(workload.status.requeues, 0);
}

TEST(Trace, EqualWarningsAreToldOnce) {
  const std::string labels = R"(,"labels":{"kueue.x-k8s.io/priority-class":"hihg"})";
  const ingest::Loaded loaded =
      load_trace(line("\"time\":1", job("a", labels)) + line("\"time\":2", job("b", labels)) +
                 line("\"time\":3", job("c", labels)));
  EXPECT_EQ(loaded.trace.size(), 3u);
  EXPECT_THAT(texts(loaded.warnings),
              HasSubstr("t.jsonl:1:22: Job default/a: WorkloadPriorityClass \"hihg\" is not in the "
                        "input: its priority counts as 0 (and 2 more of the trace)\n"));
  EXPECT_THAT(texts(loaded.warnings), ::testing::Not(HasSubstr("t.jsonl:2")));
}

TEST(Trace, LoaderReadsObjectsAgainAfterATrace) {
  const ingest::Loaded loaded =
      load_trace(line("\"time\":1"), "apiVersion: v1\nkind: Namespace\nmetadata: {name: team}\n");
  EXPECT_EQ(loaded.inventory.namespaces.size(), 1u);
  EXPECT_THAT(loaded.errors, IsEmpty());
}

TEST(Trace, FileThatIsNotThereIsAnError) {
  const config::Settings settings = config::built_in_settings();
  ingest::Loader loader(settings);
  loader.read_trace("/nowhere/t.jsonl");
  const ingest::Loaded loaded = loader.finish();
  ASSERT_EQ(loaded.errors.size(), 1u);
  EXPECT_EQ(loaded.errors[0].code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace tessera::test
