// SPDX-License-Identifier: Apache-2.0
// Effective requests of pods.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ingest/objects/pod_template.h"
#include "tests/ingest/objects/object_reading.h"
#include "tests/support/gzip_lines.h"

namespace tessera::test {
namespace {

using nlohmann::json;
using topology::Amounts;

Amounts amounts_of(const json& quantities) {
  Amounts amounts;
  for (const auto& [name, text] : quantities.items()) {
    const topology::Symbol resource(name);
    const auto quantity = topology::Quantity::parse(text.get<std::string>());
    amounts.set(resource, topology::engine_amount(resource, *quantity));
  }
  return amounts;
}

TEST(PodRequest, EqualsTheReference) {
  int exact = 0, other = 0;
  for (const std::string& line : read_gzip_lines(TESSERA_TEST_DATA "/requests.jsonl.gz")) {
    const json vector = json::parse(line);
    const json pod = {{"kind", "Pod"}, {"metadata", {{"name", "p"}}}, {"spec", vector["spec"]}};
    const ingest::ReadContext context = read_objects(pod.dump());
    ASSERT_EQ(context.pods.size(), 1u) << vector["id"] << findings(context.errors);
    const Amounts want = amounts_of(vector["requests"]);
    const Amounts& got = context.pods[0].record.request;
    EXPECT_EQ(got, want) << vector["id"] << ": " << amounts_text(got) << ", right is "
                         << amounts_text(want);
    got == want ? ++exact : ++other;
  }
  std::printf("requests: %d exact, 0 listed deviations, %d other\n", exact, other);
  EXPECT_EQ(exact, 400);
}

struct RequestCase {
  const char* name;
  const char* spec;  // of the pod, flow style
  const char* request;
};
const RequestCase kRequests[] = {
    {"overhead is added (C013)",
     "{overhead: {cpu: 250m}, containers: [{resources: {requests: {cpu: 1}}}]}", "cpu=1250"},
    {"an init container is a peak, not a sum (C013)",
     "{initContainers: [{resources: {requests: {cpu: 3}}}], containers: [{resources: {requests: "
     "{cpu: 1}}}, {resources: {requests: {cpu: 1}}}]}",
     "cpu=3000"},
    {"a sidecar is added to containers and to later init containers (C013)",
     "{initContainers: [{restartPolicy: Always, resources: {requests: {cpu: 1}}}, {resources: "
     "{requests: {cpu: 4}}}], containers: [{resources: {requests: {cpu: 2}}}]}",
     "cpu=5000"},
    {"a limit without a request is a request",
     "{containers: [{resources: {requests: {cpu: 1}, limits: {cpu: 4, nvidia.com/gpu: 4}}}]}",
     "cpu=1000 nvidia.com/gpu=4"},
    {"a tiny request keeps its size (C005)",
     "{containers: [{resources: {requests: {memory: '1'}}}, {resources: {requests: {memory: "
     "1k}}}]}",
     "memory=1001"},
    {"a pod-level limit stands in where containers name nothing",
     "{resources: {limits: {memory: 8, cpu: 9}}, containers: [{resources: {requests: {cpu: 1}}}]}",
     "cpu=1000 memory=8"},
    {"huge pages of the pod are its limit",
     "{resources: {limits: {hugepages-2Mi: 4Mi}}, containers: [{resources: {requests: "
     "{hugepages-2Mi: 2Mi}}}]}",
     "hugepages-2Mi=4194304"},
    {"no containers, no request", "{containers: []}", ""},
};

TEST(PodRequest, FollowsTheRulesOfKubernetes) {
  for (const RequestCase& c : kRequests) {
    SCOPED_TRACE(c.name);
    const std::string pod = "kind: Pod\nmetadata: {name: p}\nspec: " + std::string(c.spec) + "\n";
    const ingest::ReadContext context = read_objects(pod);
    ASSERT_EQ(context.pods.size(), 1u) << findings(context.errors);
    EXPECT_EQ(amounts_text(context.pods[0].record.request), c.request);
  }
}

struct BadRequestCase {
  const char* name;
  const char* resources;
  const char* finding;
};
const BadRequestCase kBadRequests[] = {
    {"negative", "{requests: {cpu: -1}}", "requests[\"cpu\"]: \"-1\" is negative"},
    {"no quantity", "{limits: {memory: 4x}}", "limits[\"memory\"]: \"4x\" is not a quantity"},
    {"pod slots", "{requests: {pods: 1}}", "cannot request \"pods\""},
    {"a list", "{requests: [cpu]}", "requests: must be a map"},
};

TEST(PodRequest, NeverGuessesABadAmount) {
  for (const BadRequestCase& c : kBadRequests) {
    SCOPED_TRACE(c.name);
    const ingest::ReadContext context =
        read_objects("kind: Pod\nmetadata: {name: p}\nspec: {containers: [{resources: " +
                     std::string(c.resources) + "}]}\n");
    EXPECT_TRUE(context.pods.empty());
    ASSERT_EQ(context.errors.size(), 1u);
    EXPECT_NE(findings(context.errors).find(c.finding), std::string::npos)
        << findings(context.errors);
    EXPECT_EQ(context.errors[0].where.line, 3);
  }
}

}  // namespace
}  // namespace tessera::test
