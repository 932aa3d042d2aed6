// SPDX-License-Identifier: Apache-2.0
// Annotations of pod templates: what they ask for, and V1..V10 of placement.md 7 with the field of
// the user's file.
#include <gtest/gtest.h>

#include "tests/ingest/objects/object_reading.h"

namespace tessera::test {
namespace {

/// A Job of 4 pods whose pod template has `annotations` (flow style, short keys: "required: rack").
std::string job(const std::string& annotations, const std::string& own = "") {
  std::string long_keys;
  std::size_t at = 0;
  while (at < annotations.size()) {  // a key starts the text or follows "; "
    const std::size_t end = std::min(annotations.find("; ", at), annotations.size());
    long_keys += "        kueue.x-k8s.io/" + annotations.substr(at, end - at) + "\n";
    at = end + 2;
  }
  return "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: j\n  annotations: {" + own +
         "}\nspec:\n  parallelism: 4\n  completionMode: Indexed\n  template:\n    metadata:\n      "
         "annotations:\n" +
         long_keys + "    spec: {containers: [{resources: {requests: {cpu: 1}}}]}\n";
}

struct RequestCase {
  const char* name;
  const char* annotations;
  const char* request;
};
const RequestCase kRequests[] = {
    {"required", "podset-required-topology: rack", "required=rack"},
    {"preferred", "podset-preferred-topology: cloud.com/block", "preferred=cloud.com/block"},
    {"unconstrained as text", "podset-unconstrained-topology: \"true\"", "unconstrained"},
    {"unconstrained unquoted (C155)", "podset-unconstrained-topology: true", "unconstrained"},
    {"false is explicit", "podset-unconstrained-topology: \"false\"", "constrained"},
    {"slices as text", "podset-slice-required-topology: rack; podset-slice-size: \"2\"",
     "slice=rack:2"},
    {"slices as number (C155)", "podset-slice-required-topology: rack; podset-slice-size: 2",
     "slice=rack:2"},
    {"two levels",
     "podset-required-topology: block; podset-slice-required-topology: rack; podset-slice-size: 4",
     "required=block slice=rack:4"},
    {"layers",
     "podset-slice-required-topology-constraints: "
     "'[{\"topology\":\"block\",\"size\":4},{\"topology\":\"rack\",\"size\":2}]'",
     "slice=block:4 slice=rack:2"},
    {"sizes in quotes (kinds.md 0.13)",
     "podset-slice-required-topology-constraints: '[{\"topology\":\"rack\",\"size\":\"2\"}]'",
     "slice=rack:2"},
    {"group with required", "podset-required-topology: rack; podset-group-name: g",
     "required=rack group=g"},
    {"an index alone asks for nothing", "pod-index-offset: \"1\"", "-"},
};

TEST(TopologyAnnotations, BecomeARequest) {
  for (const RequestCase& c : kRequests) {
    SCOPED_TRACE(c.name);
    const ingest::ReadContext context = read_objects(job(c.annotations));
    ASSERT_EQ(context.jobs.size(), 1u) << findings(context.errors);
    const core::Workload& workload = context.jobs[0].workload;
    EXPECT_EQ(findings(workload.invalid), "");
    EXPECT_EQ(findings(context.warnings), "");
    EXPECT_EQ(request_text(workload.gang.pod_sets[0]), c.request);
  }
}

struct RuleCase {
  const char* name;
  const char* annotations;
  const char* field;  // behind spec.template.metadata.annotations, short key
  const char* words;
  const char* own = "";  // annotations of the Job itself
};
const RuleCase kRules[] = {
    {"V1", "podset-required-topology: rack; podset-preferred-topology: rack", "",
     "must not contain more than one topology annotation"},
    {"V2", "podset-required-topology: bad value", "podset-required-topology", "name part"},
    {"V2 prefix", "podset-preferred-topology: UP/x", "podset-preferred-topology", "prefix part"},
    {"V3 number", "podset-required-topology: rack; podset-group-name: 7", "podset-group-name",
     "must not be a number"},
    {"V3 alone", "podset-group-name: g", "podset-group-name", "may not be set when neither"},
    {"V3 slices",
     "podset-required-topology: b; podset-group-name: g; podset-slice-required-topology: rack; "
     "podset-slice-size: 2",
     "podset-group-name", "may not be set when 'kueue.x-k8s.io/podset-slice-size'"},
    {"V4", "podset-unconstrained-topology: maybe", "podset-unconstrained-topology",
     "must be a boolean value"},
    {"V5 text", "podset-slice-required-topology: rack; podset-slice-size: two", "podset-slice-size",
     "must be a numeric value"},
    {"V5 zero", "podset-slice-required-topology: rack; podset-slice-size: 0", "podset-slice-size",
     "must be greater than or equal to 1"},
    {"V5 over 32 bits", "podset-slice-required-topology: rack; podset-slice-size: 2147483648",
     "podset-slice-size", "must be a numeric value"},
    {"V6 no size", "podset-slice-required-topology: rack", "podset-slice-size", "must be set when"},
    {"V6 no level", "podset-slice-size: 2", "podset-slice-size", "is not specified"},
    {"V7 text", "podset-slice-required-topology-constraints: many",
     "podset-slice-required-topology-constraints", "must be a valid JSON array"},
    {"V7 empty", "podset-slice-required-topology-constraints: '[]'",
     "podset-slice-required-topology-constraints", "between 1 and 3 entries"},
    {"V7 divisor",
     "podset-slice-required-topology-constraints: "
     "'[{\"topology\":\"b\",\"size\":4},{\"topology\":\"r\",\"size\":3}]'",
     "podset-slice-required-topology-constraints", "must evenly divide the parent layer size 4"},
    {"V7 twice",
     "podset-slice-required-topology-constraints: "
     "'[{\"topology\":\"b\",\"size\":4},{\"topology\":\"b\",\"size\":2}]'",
     "podset-slice-required-topology-constraints", "Duplicate value"},
    {"V8 size", "podset-slice-required-topology: rack; podset-slice-size: 5", "podset-slice-size",
     "must not be greater than pod set count 4"},
    {"V8 layer", "podset-slice-required-topology-constraints: '[{\"topology\":\"b\",\"size\":8}]'",
     "podset-slice-required-topology-constraints", "must not be greater than pod set count 4"},
    {"V10", "podset-required-topology: rack", "podset-required-topology",
     "not supported with elastic jobs", "kueue.x-k8s.io/elastic-job: \"true\""},
};

TEST(TopologyAnnotations, BrokenRulesNameTheUsersField) {
  for (const RuleCase& c : kRules) {
    SCOPED_TRACE(c.name);
    const ingest::ReadContext context = read_objects(job(c.annotations, c.own));
    ASSERT_EQ(context.jobs.size(), 1u) << findings(context.errors);
    const std::vector<Error>& invalid = context.jobs[0].workload.invalid;
    ASSERT_FALSE(invalid.empty());
    std::string field = "spec.template.metadata.annotations";
    if (*c.field != '\0') field += "[\"kueue.x-k8s.io/" + std::string(c.field) + "\"]";
    EXPECT_EQ(invalid[0].where.field.substr(0, field.size()), field);
    EXPECT_NE(findings(invalid).find(c.words), std::string::npos) << findings(invalid);
    EXPECT_EQ(invalid[0].where.file, "in.yaml");
    EXPECT_GE(invalid[0].where.line, 11);
    EXPECT_EQ(invalid[0].where.object, "Job default/j");
  }
}

TEST(TopologyAnnotations, MisspeltKeyIsNamedWithTheNearest) {
  const ingest::ReadContext context = read_objects(job("podset-required-topolgy: rack"));
  EXPECT_EQ(findings(context.warnings),
            "spec.template.metadata.annotations[\"kueue.x-k8s.io/podset-required-topolgy\"]: "
            "unknown key (did you mean \"kueue.x-k8s.io/podset-required-topology\"?)\n");
  EXPECT_EQ(context.warnings[0].where.line, 12);
}

TEST(TopologyAnnotations, OnTheJobItselfHaveNoEffectAndSayWhereTheyBelong) {
  const ingest::ReadContext context =
      read_objects(job("pod-index-offset: 0", "kueue.x-k8s.io/podset-required-topology: rack"));
  EXPECT_EQ(findings(context.warnings),
            "metadata.annotations[\"kueue.x-k8s.io/podset-required-topology\"]: has no effect "
            "here: it is read from the pod template (write it at "
            "spec.template.metadata.annotations[\"kueue.x-k8s.io/podset-required-topology\"])\n");
  EXPECT_EQ(request_text(context.jobs[0].workload.gang.pod_sets[0]), "-");
}

TEST(TopologyAnnotations, AListOrMapIsAnErrorNotAText) {
  const ingest::ReadContext context = read_objects(job("podset-required-topology: [rack]"));
  EXPECT_TRUE(context.jobs.empty());
  EXPECT_NE(findings(context.errors).find("must be a text"), std::string::npos);
}

struct FilterCase {
  const char* name;
  const char* spec;  // of the pod, beside containers
  const char* finding;
};
const FilterCase kBadFilters[] = {
    {"unknown toleration operator", "tolerations: [{key: a, operator: Exist}]",
     "\"Exist\" is unknown"},
    {"unknown effect", "tolerations: [{key: a, operator: Exists, effect: NoShedule}]",
     "did you mean \"NoSchedule\""},
    {"no key", "tolerations: [{value: x}]", "operator must be Exists when key is empty"},
    {"value beside Exists", "tolerations: [{key: a, operator: Exists, value: x}]",
     "must be empty when operator is Exists"},
    {"Gt without a number", "tolerations: [{key: a, operator: Gt, value: x}]", "is not an integer"},
    {"number in a selector", "nodeSelector: {rank: 4}", "must be a text"},
    {"unknown affinity operator",
     "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
     "{nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Within, values: [x]}]}]}}}",
     "\"Within\" is unknown"},
    {"In without values",
     "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
     "{nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In}]}]}}}",
     "operator In needs at least one value"},
    {"Lt with a text",
     "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
     "{nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Lt, values: [x]}]}]}}}",
     "exactly one value, an integer"},
    {"unknown field",
     "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
     "{nodeSelectorTerms: [{matchFields: [{key: spec.x, operator: In, values: [x]}]}]}}}",
     "only metadata.name"},
    {"weight",
     "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 101, "
     "preference: {}}]}}",
     "weight: \"101\""},
};

TEST(NodeFilters, AreNeverGuessed) {
  for (const FilterCase& c : kBadFilters) {
    SCOPED_TRACE(c.name);
    const ingest::ReadContext context =
        read_objects("kind: Job\nmetadata: {name: j}\nspec: {template: {spec: {containers: [], " +
                     std::string(c.spec) + "}}}\n");
    EXPECT_TRUE(context.jobs.empty());
    EXPECT_NE(findings(context.errors).find(c.finding), std::string::npos)
        << findings(context.errors);
  }
}

TEST(NodeFilters, AllPartsAreRead) {
  const ingest::ReadContext context = read_objects(R"(
kind: Job
metadata: {name: j}
spec:
  template:
    spec:
      containers: []
      nodeSelector: {z: "1", a: b}
      tolerations:
      - {operator: Exists}
      - {key: c, operator: Lt, value: "5", effect: NoExecute, tolerationSeconds: 30}
      - {key: e, value: v}
      affinity:
        nodeAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            nodeSelectorTerms:
            - matchExpressions: [{key: k, operator: NotIn, values: [x, w]}]
            - matchFields: [{key: metadata.name, operator: In, values: [n1]}]
          preferredDuringSchedulingIgnoredDuringExecution:
          - weight: 7
            preference: {matchExpressions: [{key: g, operator: Gt, values: ["3"]}]}
)");
  ASSERT_EQ(context.jobs.size(), 1u) << findings(context.errors);
  const topology::NodeFilter& filter = context.jobs[0].workload.gang.pod_sets[0].filter;
  ASSERT_EQ(filter.node_selector.size(), 2u);
  EXPECT_EQ(filter.node_selector[0].first.view(), "a");
  ASSERT_EQ(filter.tolerations.size(), 3u);
  EXPECT_EQ(filter.tolerations[1].op, topology::TolerationOperator::kLt);
  EXPECT_EQ(filter.tolerations[1].effect, topology::TaintEffect::kNoExecute);
  EXPECT_EQ(filter.tolerations[1].seconds, 30);
  EXPECT_EQ(filter.tolerations[2].op, topology::TolerationOperator::kEqual);
  ASSERT_TRUE(filter.required.has_value());
  ASSERT_EQ(filter.required->size(), 2u);
  EXPECT_EQ((*filter.required)[0].expressions[0].op, topology::LabelOperator::kNotIn);
  EXPECT_EQ((*filter.required)[1].fields[0].values[0].view(), "n1");
  ASSERT_EQ(filter.preferred.size(), 1u);
  EXPECT_EQ(filter.preferred[0].weight, 7);
}

TEST(NodeFilters, EmptyRequiredAffinityIsNotNoAffinity) {
  const ingest::ReadContext context = read_objects(
      "kind: Job\nmetadata: {name: j}\nspec: {template: {spec: {containers: [], affinity: "
      "{nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
      "[]}}}}}}\n");
  ASSERT_EQ(context.jobs.size(), 1u);
  EXPECT_TRUE(context.jobs[0].workload.gang.pod_sets[0].filter.required.has_value());
}

}  // namespace
}  // namespace tessera::test
