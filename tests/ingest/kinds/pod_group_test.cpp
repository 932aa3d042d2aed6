// SPDX-License-Identifier: Apache-2.0
// PodGroups of KAI in both forms of the API: the groups that they become, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/ingest/kinds/gang_text.h"
#include "tests/ingest/load/loading.h"

namespace tessera::test {
namespace {

using ::testing::HasSubstr;

std::string invalid_texts(const ingest::Loaded& loaded) {
  return texts(group_workload(loaded).invalid);
}

struct TreeCase {
  const char* name;
  std::string spec;
  const char* gang;
};

const TreeCase kShipped[] = {
    {"one pod is enough without a minimum", "queue: q", ". 1 pod"},
    {"a minimum of pods", "minMember: 4", ". 4 pods"},
    {"no pod is needed", "minMember: 0", ". 0 pods"},
    {"null is absent", "minMember: null, subGroups: null", ". 1 pod"},
    {"levels of the whole gang",
     "topologyConstraint: {topology: t, requiredTopologyLevel: zone, preferredTopologyLevel: rack}",
     ". 1 pod in t required zone preferred rack"},
    {"a constraint without a level is none", "topologyConstraint: {topology: t}", ". 1 pod"},
    {"an empty level is none", "topologyConstraint: {topology: t, requiredTopologyLevel: ''}",
     ". 1 pod"},
    {"all groups are needed by default", "subGroups: [{name: b, minMember: 2}, {name: a}]",
     ". 2 groups; a 0 pods; b 2 pods"},
    {"some groups are enough", "minSubGroup: 1, subGroups: [{name: a}, {name: b}]",
     ". 1 group; a 0 pods; b 0 pods"},
    {"no group is needed", "minSubGroup: 0, subGroups: [{name: a, minMember: 1}]",
     ". 0 groups; a 1 pod"},
    {"groups in groups, in the order of their names",
     "subGroups: [{name: p}, {name: w, parent: d, minMember: 7}, {name: p-0, parent: p, "
     "minMember: 4}, {name: d, minSubGroup: 1, topologyConstraint: {requiredTopologyLevel: rack}}, "
     "{name: l, parent: d, minMember: 1}]",
     ". 2 groups; d 1 group required rack; l 1 pod; w 7 pods; p 1 group; p-0 4 pods"},
    {"digits in byte order", "subGroups: [{name: g-10}, {name: g-2}, {name: g-1}]",
     ". 3 groups; g-1 0 pods; g-10 0 pods; g-2 0 pods"},
    {"an empty parent is none", "subGroups: [{name: a, parent: ''}, {name: b, parent: null}]",
     ". 2 groups; a 0 pods; b 0 pods"},
};

TEST(PodGroup, BecomesATreeOfGroups) {
  for (const TreeCase& c : kShipped) {
    SCOPED_TRACE(c.name);
    const ingest::Loaded loaded = load("", pod_group(c.spec));
    EXPECT_EQ(texts(loaded.errors), "");
    ASSERT_EQ(gang_of(loaded), c.gang);
    EXPECT_EQ(invalid_texts(loaded), "");
  }
}

const TreeCase kDesigned[] = {
    {"the constraint of the whole gang",
     "topologyConstraints: {global: {requiredTopologyLevel: z}}", ". 1 pod required z"},
    {"groups by name, the minimum counts groups",
     "minMember: 1, subGroups: [{name: a, minMember: 4}, {name: b, minMember: 1}], "
     "topologyConstraints: {subGroups: {a: {requiredTopologyLevel: r}, b: {topology: t, "
     "preferredTopologyLevel: r}}}",
     ". 1 group; a 4 pods required r; b 1 pod in t preferred r"},
    {"a list of groups",
     "subGroups: [{name: a}], topologyConstraints: {subGroups: [{name: a, requiredTopologyLevel: "
     "r}]}",
     ". 1 group; a 0 pods required r"},
    {"an inner minimum without constraints",
     "minMember: 1, subGroups: [{name: r1, minMember: 2}, {name: l1, parent: r1, minMember: 1}, "
     "{name: w1, parent: r1, minMember: 3}, {name: r2, minMember: 1}, {name: l2, parent: r2}]",
     ". 1 group; r1 2 groups; l1 1 pod; w1 3 pods; r2 1 group; l2 0 pods"},
    {"a set of all groups below one",
     "subGroups: [{name: d}, {name: w, parent: d}, {name: l, parent: d}, {name: p}], "
     "topologyConstraints: {subGroupSets: [{subGroups: [w, l], constraint: {requiredTopologyLevel: "
     "b}}]}",
     ". 2 groups; d 2 groups required b; l 0 pods; w 0 pods; p 0 pods"},
    {"a set beside a constraint of the same group",
     "subGroups: [{name: d}, {name: w, parent: d}, {name: l, parent: d}, {name: p}], "
     "topologyConstraints: {subGroups: {d: {preferredTopologyLevel: r}}, subGroupSets: "
     "[{subGroups: "
     "[d], constraint: {requiredTopologyLevel: b}}]}",
     ". 2 groups; d+ 1 group required b; d 2 groups preferred r; l 0 pods; w 0 pods; p 0 pods"},
    {"a set of some groups",
     "subGroups: [{name: a}, {name: b}, {name: c}], topologyConstraints: {subGroupSets: "
     "[{subGroups: [c, a], constraint: {requiredTopologyLevel: b}}]}",
     ". 2 groups; a+c 2 groups required b; a 0 pods; c 0 pods; b 0 pods"},
    {"a set of all groups keeps what is needed",
     "minMember: 1, subGroups: [{name: a}, {name: b}, {name: c}], topologyConstraints: "
     "{global: {preferredTopologyLevel: z}, subGroupSets: [{subGroups: [c, a, b], constraint: "
     "{requiredTopologyLevel: b}}]}",
     ". 1 group; a+b+c 1 group required b; a 0 pods; b 0 pods; c 0 pods"},
    {"a set inside a set",
     "subGroups: [{name: a}, {name: b}, {name: a-0, parent: a}, {name: a-1, parent: a}, {name: "
     "a-2, parent: a}], topologyConstraints: {subGroupSets: [{subGroups: [a-2, a-0], constraint: "
     "{requiredTopologyLevel: r}}, {subGroups: [a, b], constraint: {requiredTopologyLevel: z}}]}",
     ". 1 group; a+b 2 groups required z; a 2 groups; a-0+a-2 2 groups required r; a-0 0 pods; a-2 "
     "0 pods; a-1 0 pods; b 0 pods"},
    {"global holds where nothing else does",
     "subGroups: [{name: a}, {name: b}, {name: c}], topologyConstraints: {global: "
     "{requiredTopologyLevel: z}, subGroups: {b: {requiredTopologyLevel: r}}}",
     ". 2 groups; a+c 2 groups required z; a 0 pods; c 0 pods; b 0 pods required r"},
    {"global of a single group that is left",
     "subGroups: [{name: a}, {name: b}], topologyConstraints: {global: {requiredTopologyLevel: z}, "
     "subGroups: {b: {requiredTopologyLevel: r}}}",
     ". 2 groups; a 0 pods required z; b 0 pods required r"},
    {"nothing inside a constrained group takes the global one",
     "subGroups: [{name: a}, {name: a-0, parent: a}, {name: b}], topologyConstraints: {global: "
     "{requiredTopologyLevel: z}, subGroups: {a: {requiredTopologyLevel: r}}}",
     ". 2 groups; a 1 group required r; a-0 0 pods; b 0 pods required z"},
};

TEST(PodGroup, OfKaisDesignIsTheSameTree) {
  for (const TreeCase& c : kDesigned) {
    SCOPED_TRACE(c.name);
    const ingest::Loaded loaded = load("", pod_group(c.spec));
    EXPECT_EQ(texts(loaded.errors), "");
    ASSERT_NE(gang_of(loaded), "-");
    EXPECT_EQ(invalid_texts(loaded), "");
    EXPECT_EQ(gang_of(loaded), c.gang);
  }
}

const TreeCase kInvalid[] = {
    {"a name twice", "subGroups: [{name: a}, {name: a}]",
     "request.yaml:5:32: PodGroup ns/g: spec.subGroups[1].name: Duplicate value: \"a\"\n"},
    {"an upper-case name", "subGroups: [{name: A}]",
     "request.yaml:5:21: PodGroup ns/g: spec.subGroups[0].name: Invalid value: \"A\": a lowercase "
     "RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and "
     "end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation "
     "is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')\n"},
    {"a parent that is not there", "subGroups: [{name: decode}, {name: w, parent: Decod}]",
     "request.yaml:5:46: PodGroup ns/g: spec.subGroups[1].parent: Invalid value: \"Decod\": no "
     "group of spec.subGroups has this name (did you mean \"decode\"?)\n"},
    {"a cycle", "subGroups: [{name: a, parent: b}, {name: b, parent: a}]",
     "request.yaml:5:30: PodGroup ns/g: spec.subGroups[0].parent: Invalid value: \"b\": makes a "
     "cycle of parents: a < b < a\n"},
    {"its own parent", "subGroups: [{name: a, parent: a}]",
     "request.yaml:5:30: PodGroup ns/g: spec.subGroups[0].parent: Invalid value: \"a\": makes a "
     "cycle of parents: a < a\n"},
    {"two minima of the gang", "minMember: 1, minSubGroup: 1, subGroups: [{name: a}]",
     "request.yaml:5:22: PodGroup ns/g: spec.minSubGroup: Forbidden: may not be set beside "
     "minMember: pods are counted, or child groups\n"},
    {"pods counted by a group of groups",
     "minSubGroup: 1, subGroups: [{name: a, minMember: 2}, {name: b, parent: a}]",
     "request.yaml:5:46: PodGroup ns/g: spec.subGroups[0].minMember: Forbidden: the group has "
     "child "
     "groups and no pods of its own: use minSubGroup\n"},
    {"groups counted by a leaf", "subGroups: [{name: a, minSubGroup: 1}]",
     "request.yaml:5:30: PodGroup ns/g: spec.subGroups[0].minSubGroup: Forbidden: the group has no "
     "child groups to count: use minMember\n"},
    {"groups counted where there are none", "minSubGroup: 1",
     "request.yaml:5:8: PodGroup ns/g: spec.minSubGroup: Forbidden: there are no subGroups to "
     "count: use minMember\n"},
    {"both forms in one object", "minSubGroup: 1, subGroups: [{name: a}], topologyConstraints: {}",
     "request.yaml:5:8: PodGroup ns/g: spec.minSubGroup: Forbidden: may not be set beside "
     "spec.topologyConstraints, which is another form of the same request\n"},
    {"more child groups needed than there are, in the design",
     "subGroups: [{name: w, minMember: 3}, {name: s, parent: w, minMember: 2}]",
     "request.yaml:5:30: PodGroup ns/g: spec.subGroups[0].minMember: Invalid value: \"3\": is more "
     "than the 1 child group that it counts\n"},
    {"a group in two sets",
     "subGroups: [{name: a}, {name: b}], topologyConstraints: {subGroupSets: [{subGroups: [a], "
     "constraint: {requiredTopologyLevel: r}}, {subGroups: [b, a], constraint: "
     "{requiredTopologyLevel: z}}]}",
     "request.yaml:5:154: PodGroup ns/g: spec.topologyConstraints.subGroupSets[1].subGroups[1]: "
     "Invalid value: \"a\": stands in spec.topologyConstraints.subGroupSets[0].subGroups "
     "already\n"},
    {"a set that cuts a group",
     "subGroups: [{name: a}, {name: b, parent: a}, {name: c, parent: a}, {name: d}], "
     "topologyConstraints: {subGroupSets: [{subGroups: [b, d], constraint: {requiredTopologyLevel: "
     "r}}]}",
     "request.yaml:5:125: PodGroup ns/g: spec.topologyConstraints.subGroupSets[0].subGroups: "
     "Invalid value: the set overlaps a group or another set: it must hold all groups below it, or "
     "none\n"},
    {"a set of some of the groups of which some are needed",
     "minMember: 2, subGroups: [{name: a}, {name: b}, {name: c}], topologyConstraints: "
     "{subGroupSets: [{subGroups: [b, a], constraint: {requiredTopologyLevel: r}}]}",
     "request.yaml:5:106: PodGroup ns/g: spec.topologyConstraints.subGroupSets[0].subGroups: "
     "Invalid value: the set holds a part of the groups of which their parent needs a number: give "
     "the set a group of its own in spec.subGroups\n"},
    {"a set of a group that is not there",
     "subGroups: [{name: decode}], topologyConstraints: {subGroupSets: [{subGroups: [decoder], "
     "constraint: {requiredTopologyLevel: r}}]}",
     "request.yaml:5:87: PodGroup ns/g: spec.topologyConstraints.subGroupSets[0].subGroups[0]: "
     "Invalid value: \"decoder\": no group of spec.subGroups has this name (did you mean "
     "\"decode\"?)\n"},
    {"an empty set",
     "subGroups: [{name: a}], topologyConstraints: {subGroupSets: [{subGroups: [], constraint: "
     "{requiredTopologyLevel: r}}]}",
     "request.yaml:5:70: PodGroup ns/g: spec.topologyConstraints.subGroupSets[0].subGroups: "
     "Required "
     "value: a set needs the names of its groups\n"},
    {"a back-off that KAI has not", "schedulingBackoff: 3",
     "request.yaml:5:8: PodGroup ns/g: spec.schedulingBackoff: Invalid value: \"3\": must be -1 "
     "(never stop trying) or 1 (stop after one try)\n"},
    {"a delay below zero", "preemptionDelay: -5s",
     "request.yaml:5:8: PodGroup ns/g: spec.preemptionDelay: Invalid value: \"-5s\": must be a "
     "duration such as \"30s\"\n"},
    {"a period that is none", "stalenessGracePeriod: soon",
     "request.yaml:5:8: PodGroup ns/g: spec.stalenessGracePeriod: Invalid value: \"soon\": must be "
     "a duration such as \"60s\", or negative for never\n"},
};

TEST(PodGroup, ThatBreaksARuleIsInvalidAndSaysWhere) {
  for (const TreeCase& c : kInvalid) {
    SCOPED_TRACE(c.name);
    const ingest::Loaded loaded = load("", pod_group(c.spec) + member_pod("p", "a"));
    ASSERT_NE(gang_of(loaded), "-");
    EXPECT_EQ(invalid_texts(loaded), c.gang);
  }
}

std::string groups_below_each_other(int levels) {
  std::string spec = "subGroups: [{name: g1}";
  for (int i = 2; i <= levels; ++i) {
    spec += ", {name: g" + std::to_string(i) + ", parent: g" + std::to_string(i - 1) + "}";
  }
  return spec + "]";
}

TEST(PodGroup, IsReadToALimitOfDepthAndOfGroups) {
  EXPECT_EQ(invalid_texts(load("", pod_group(groups_below_each_other(16)))), "");
  EXPECT_THAT(invalid_texts(load("", pod_group(groups_below_each_other(17)))),
              HasSubstr("spec.subGroups[16].parent: Invalid value: \"g16\": is below 16 other "
                        "groups; at most 16 groups are read below each other\n"));
  const auto many = [](int count) {
    std::string spec = "subGroups: [";
    for (int i = 0; i < count; ++i) {
      spec += (i == 0 ? "{name: g" : ", {name: g") + std::to_string(i) + "}";
    }
    return load("", pod_group(spec + "]"));
  };
  EXPECT_EQ(invalid_texts(many(10'000)), "");
  EXPECT_THAT(invalid_texts(many(10'001)),
              HasSubstr("spec.subGroups: Invalid value: has 10001 groups; at most 10000 are read"));
}

const TreeCase kUnreadable[] = {
    {"a number out of range", "minMember: -1",
     "request.yaml:5:8: PodGroup ns/g: spec.minMember: \"-1\" is not a whole number in "
     "0..2147483647\n"},
    {"a number of a group", "subGroups: [{name: a, minMember: 1.5}]",
     "request.yaml:5:30: PodGroup ns/g: spec.subGroups[0].minMember: \"1.5\" is not a whole number "
     "in 0..2147483647\n"},
    {"a group without a name", "subGroups: [{minMember: 1}]",
     "request.yaml:5:20: PodGroup ns/g: spec.subGroups[0].name: is missing\n"},
    {"a group that is no map", "subGroups: [a]",
     "request.yaml:5:20: PodGroup ns/g: spec.subGroups[0]: must be a map\n"},
    {"an unknown word", "preemptibility: never",
     "request.yaml:5:8: PodGroup ns/g: spec.preemptibility: \"never\" is unknown (right: "
     "preemptible, non-preemptible, semi-preemptible)\n"},
};

TEST(PodGroup, ThatCannotBeReadIsAnErrorAndItsPodsWait) {
  for (const TreeCase& c : kUnreadable) {
    SCOPED_TRACE(c.name);
    const ingest::Loaded loaded = load("", pod_group(c.spec) + member_pod("p"));
    EXPECT_EQ(texts(loaded.errors), c.gang);
    EXPECT_EQ(keys(loaded, loaded.to_place), "-");
    EXPECT_EQ(texts(loaded.warnings),
              "1 pod without a node waits for a PodGroup that is not in the input or was refused: "
              "ns/g (annotation pod-group-name)\n");
  }
}

const TreeCase kWarnings[] = {
    {"a minimum of pods beside groups", "minMember: 3, subGroups: [{name: a}]",
     "request.yaml:5:8: PodGroup ns/g: spec.minMember: has no effect: the group has subGroups, "
     "whose "
     "minima count (minSubGroup says how many of them are needed)\n"},
    {"more groups than there are", "minSubGroup: 3, subGroups: [{name: a}]",
     "request.yaml:5:8: PodGroup ns/g: spec.minSubGroup: 3 is more than the 1 child group that "
     "there are: the minimum can never be met\n"},
    {"a global constraint that groups cannot share",
     "minMember: 1, subGroups: [{name: a}, {name: b}, {name: c}], topologyConstraints: {global: "
     "{requiredTopologyLevel: z}, subGroups: {c: {requiredTopologyLevel: r}}}",
     "request.yaml:5:90: PodGroup ns/g: spec.topologyConstraints.global: each group without a "
     "constraint of its own keeps to it for itself: their parent needs only some of its groups, so "
     "they are not placed as one\n"},
    {"a misspelt field", "minSubgroup: 1, subGroups: [{name: a, minMembers: 1}]",
     "request.yaml:5:8: PodGroup ns/g: spec.minSubgroup: unknown key (did you mean "
     "\"minSubGroup\"?)\nrequest.yaml:5:46: PodGroup ns/g: spec.subGroups[0].minMembers: unknown "
     "key (did you mean \"minMember\"?)\n"},
    {"a misspelt field of a constraint by name",
     "subGroups: [{name: a}], topologyConstraints: {subGroups: {a: {requiredTopologyLevl: r}}}",
     "request.yaml:5:70: PodGroup ns/g: "
     "spec.topologyConstraints.subGroups[\"a\"].requiredTopologyLevl: unknown key (did you mean "
     "\"requiredTopologyLevel\"?)\n"},
    {"a constraint without a level", "topologyConstraint: {topology: t}",
     "request.yaml:5:8: PodGroup ns/g: spec.topologyConstraint: names no level and asks for "
     "nothing\n"},
    {"dead fields", "parallelism: 1, completions: 1, backoffLimit: 1, markUnschedulable: true", ""},
};

TEST(PodGroup, WarnsOfWhatHasNoEffect) {
  for (const TreeCase& c : kWarnings) {
    SCOPED_TRACE(c.name);
    const ingest::Loaded loaded = load("", pod_group(c.spec));
    EXPECT_EQ(texts(loaded.errors), "");
    EXPECT_EQ(texts(loaded.warnings), c.gang);
  }
}

TEST(PodGroup, NamesWhatIsNotHonoured) {
  const auto phrases = [](const std::string& spec, const std::string& metadata) {
    return group_workload(load("", pod_group(spec, metadata))).not_honoured;
  };
  EXPECT_THAT(phrases("preemptibility: non-preemptible, schedulingBackoff: 1",
                      "labels: {kai.scheduler/node-pool: a}"),
              ::testing::ElementsAre("spec.preemptibility: non-preemptible",
                                     "spec.schedulingBackoff: 1", "label kai.scheduler/node-pool"));
  EXPECT_THAT(phrases("preemptibility: preemptible, schedulingBackoff: -1, preemptionDelay: 30s, "
                      "stalenessGracePeriod: -1s, markUnschedulable: false",
                      ""),
              ::testing::IsEmpty());
}

struct QueueCase {
  const char* name;
  std::string objects;
  const char* queue;
};
const QueueCase kQueues[] = {
    {"of the spec", pod_group("queue: q", "labels: {kai.scheduler/queue: other}"), "q"},
    {"of the label", pod_group("", "labels: {kai.scheduler/queue: q}"), "q"},
    {"of the first pod that names one",
     pod_group("") + member_pod("b", "", "", "labels: {kai.scheduler/queue: r}") + member_pod("a") +
         member_pod("c", "", "", "labels: {kai.scheduler/queue: q}"),
     "r"},
    {"of none", pod_group("") + member_pod("b"), ""},
};

TEST(PodGroup, EntersAQueueOfKai) {
  for (const QueueCase& c : kQueues) {
    SCOPED_TRACE(c.name);
    const ingest::Loaded loaded = load("", c.objects);
    EXPECT_EQ(group_workload(loaded).queue, c.queue);
    EXPECT_EQ(group_workload(loaded).queue_is_kai, *c.queue != '\0');
  }
}

std::string class_object(const std::string& name, int value, const std::string& more = "") {
  return "---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: " + name +
         "}\nvalue: " + std::to_string(value) + "\n" + more;
}

struct ClassCase {
  const char* name;
  std::string objects;
  std::int64_t priority;
  const char* warning;
};
const ClassCase kClasses[] = {
    {"none", pod_group(""), 50, ""},
    {"the default of the cluster", pod_group("") + class_object("d", 7, "globalDefault: true\n"), 7,
     ""},
    {"a class", pod_group("priorityClassName: p") + class_object("p", 3), 3, ""},
    {"KAI's own", pod_group("priorityClassName: inference"), 125, ""},
    {"KAI's own with an object", pod_group("priorityClassName: train") + class_object("train", 60),
     60, ""},
    {"one that is not there", pod_group("priorityClassName: trian"), 50,
     "request.yaml:2:1: PodGroup ns/g: spec.priorityClassName: PriorityClass \"trian\" is not in "
     "the input: its priority counts as 50 (did you mean \"train\"?)\n"},
};

TEST(PodGroup, HasThePriorityThatKaiGivesIt) {
  for (const ClassCase& c : kClasses) {
    SCOPED_TRACE(c.name);
    const ingest::Loaded loaded = load("", c.objects);
    EXPECT_EQ(group_workload(loaded).priority, c.priority);
    EXPECT_EQ(texts(loaded.warnings), c.warning);
  }
}

}  // namespace
}  // namespace tessera::test
