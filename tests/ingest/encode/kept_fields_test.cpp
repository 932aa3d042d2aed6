// SPDX-License-Identifier: Apache-2.0
// A Workload with every field that the table of its kind names comes back from `-o json` with all
// of them.
#include "ingest/annotations/kept_fields.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "actors/engine/engine.h"
#include "ingest/encode/workload_json.h"
#include "ingest/kinds/field_tables.h"
#include "tests/ingest/load/loading.h"

namespace tessera::test {
namespace {

using Json = nlohmann::ordered_json;

const std::string kTime = "2026-05-01T00:00:00Z";

/// The values of the fields that are no text, and of those that take certain words only.
Json value_of(const std::string& field) {
  static const std::map<std::string, Json> kValues = {
      {"accumulatedPastExecutionTimeSeconds", 5},
      {"accumulatedPastExexcutionTimeSeconds", 5},
      {"active", false},
      {"apiVersion", "kueue.x-k8s.io/v1beta2"},
      {"blockOwnerDeletion", true},
      {"controller", true},
      {"count", 2},
      {"creationTimestamp", kTime},
      {"deletionGracePeriodSeconds", 9},
      {"deletionTimestamp", kTime},
      {"finalizers", Json::array({"x.io/f"})},
      {"generation", 7},
      {"kind", "Workload"},
      {"lastTransitionTime", kTime},
      {"maximumExecutionTimeSeconds", 60},
      {"minCount", 1},
      {"name", "main"},
      {"namespace", "ml"},
      {"nominatedClusterNames", Json::array({"a"})},
      {"observedGeneration", 3},
      {"podSetSliceRequiredTopology", "kubernetes.io/hostname"},
      {"podSetSliceSize", 1},
      {"position", 0},
      {"priority", 4},
      {"priorityClassSource", "kueue.x-k8s.io/workloadpriorityclass"},
      {"requeueAfterSeconds", 8},
      {"requeueAt", kTime},
      {"required", "kubernetes.io/hostname"},
      {"resources", {{"cpu", "1"}}},
      {"retryCount", 1},
      {"state", "Ready"},
      {"status", "False"},
      {"subGroupCount", 2},
      {"tolerationSeconds", 3},
      {"operator", "Equal"},
      {"effect", "NoSchedule"},
      {"type", "PodsReady"},
      {"nodeSelector", {{"x.io/pool", "a"}}},
      {"labels", {{"x.io/a", "b"}}},
      {"annotations", {{"x.io/a", "b"}}},
  };
  const auto found = kValues.find(field);
  return found == kValues.end() ? Json("x") : found->second;
}

Json sample_of(const ingest::FieldTree& tree) {
  Json out = Json::object();
  for (const ingest::FieldTree::Field& field : tree.fields()) {
    const std::string name(field.name);
    if (!field.below) {
      out[name] = value_of(name);
    } else {
      Json below = sample_of(*field.below);
      out[name] = field.list ? Json::array({std::move(below)}) : std::move(below);
    }
  }
  return out;
}

/// Every field that a Workload which waits may have, in one version of the API.
Json whole_workload(bool old) {
  Json out = sample_of(*ingest::field_tree_of("kueue.x-k8s.io", "Workload"));
  out["apiVersion"] = old ? "kueue.x-k8s.io/v1beta1" : "kueue.x-k8s.io/v1beta2";
  Json& metadata = out["metadata"];
  metadata["name"] = "w";
  metadata["ownerReferences"].push_back(
      {{"apiVersion", "v1"}, {"kind", "ConfigMap"}, {"name", "c"}, {"uid", "u"}});
  metadata["ownerReferences"][0]["kind"] = "Job";
  metadata["ownerReferences"][0]["apiVersion"] = "batch/v1";
  metadata.erase("managedFields");
  Json& spec = out["spec"];
  if (old) {
    spec.erase("priorityClassRef");
  } else {
    spec.erase("priorityClassName");
    spec.erase("priorityClassSource");
    spec["priorityClassRef"]["group"] = "kueue.x-k8s.io";
    spec["priorityClassRef"]["kind"] = "WorkloadPriorityClass";
  }
  Json& pod_set = spec["podSets"][0];
  pod_set["template"] = Json::parse(R"({
      "metadata": {"labels": {"x.io/a": "b"}, "annotations": {"x.io/a": "b"}},
      "spec": {"containers": [{"name": "main", "resources": {"requests": {"cpu": "2"}}}],
               "schedulerName": "s", "priorityClassName": "p", "hostNetwork": true,
               "affinity": {"podAffinity": {"x": []}},
               "topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "t"}]}})");
  for (const char* other : {"preferred", "unconstrained", "podSetGroupName",
                            "podsetSliceRequiredTopologyConstraints"}) {
    pod_set["topologyRequest"].erase(other);
  }
  out["status"].erase("admission");
  return out;
}

/// What of `in` is not in `out`: paths, a line each. The entries of a list may have moved.
std::string lost(const Json& in, const Json& out, const std::string& path) {
  std::string text;
  if (in.is_object()) {
    for (const auto& [key, value] : in.items()) {
      const std::string below = path + "." + key;
      text += out.is_object() && out.contains(key) ? lost(value, out[key], below) : below + "\n";
    }
  } else if (in.is_array()) {
    for (const Json& entry : in) {
      std::string least = path + "[]\n";
      bool first = true;
      for (const Json& other : out) {
        const std::string here = lost(entry, other, path + "[]");
        if (first || here.size() < least.size()) least = here;
        first = false;
      }
      text += least;
    }
  } else if (in != out) {
    text = path + ": " + in.dump() + " is " + out.dump() + "\n";
  }
  return text;
}

Json written(const Json& request, bool old) {
  const config::Settings settings = config::built_in_settings();
  ingest::Loader loader(settings);
  loader.keep_fields();
  loader.read_text(request.dump(), "request.json", ingest::Role::kRequest);
  const ingest::Loaded loaded = loader.finish();
  EXPECT_EQ(texts(loaded.errors), "");
  EXPECT_EQ(loaded.to_place.size(), 1u);
  core::Engine engine(loaded.inventory, {});
  const core::Decision decision = engine.run(loaded.to_place).at(0);
  EXPECT_NE(decision.outcome, core::Outcome::kPlaced);
  encode::WorkloadJsonOptions options;
  options.version = old ? encode::AssignmentVersion::kV1Beta1 : encode::AssignmentVersion::kV1Beta2;
  options.now = kTime;
  options.kept_fields = &loaded.kept_fields;
  return encode::workload_json(engine, decision, engine.explain(decision, core::Depth::kFacts),
                               options);
}

TEST(KeptFields, AWorkloadComesBackWithAllItsFields) {
  for (const bool old : {true, false}) {
    SCOPED_TRACE(old);
    const Json first = whole_workload(old);
    const Json second = written(first, old);
    EXPECT_EQ(lost(first, second, ""), "");
    EXPECT_EQ(written(second, old), second);
  }
}

struct RequestCase {
  const char* name;
  const char* request;
};
const RequestCase kRequests[] = {
    {"nothing of it", "{}"},
    {"a size without a level", R"({"podSetSliceSize": 3})"},
    {"a count without a label", R"({"required": "r", "subGroupCount": 3})"},
    {"a label of sub-groups alone", R"({"subGroupIndexLabel": "l", "subGroupCount": 3})"},
    {"a group", R"({"required": "kubernetes.io/hostname", "podSetGroupName": "g"})"},
    {"nested slices", R"({"podsetSliceRequiredTopologyConstraints": [{"topology": "a", "size": 4},
        {"topology": "b", "size": 2}]})"},
    {"none", R"({"unconstrained": false})"},
};

TEST(KeptFields, ATopologyRequestComesBack) {
  for (const RequestCase& c : kRequests) {
    SCOPED_TRACE(c.name);
    Json workload = whole_workload(false);
    workload["spec"]["podSets"][0]["topologyRequest"] = Json::parse(c.request);
    const Json back = written(workload, false);
    const Json& pod_set = back["spec"]["podSets"][0];
    EXPECT_EQ(pod_set.value("topologyRequest", Json::object()), Json::parse(c.request));
  }
}

TEST(KeptFields, WhatHoldsTheEnvironmentOfPodsIsNotKept) {
  Json workload = whole_workload(false);
  workload["metadata"]["annotations"]["kubectl.kubernetes.io/last-applied-configuration"] =
      "secret";
  workload["spec"]["podSets"][0]["template"]["spec"]["containers"][0]["env"] =
      Json::array({{{"name", "TOKEN"}, {"value", "secret"}}});
  EXPECT_EQ(written(workload, false).dump().find("secret"), std::string::npos);
}

}  // namespace
}  // namespace tessera::test
