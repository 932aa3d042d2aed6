// SPDX-License-Identifier: Apache-2.0
// The gang trees of the vectors as PodGroup and Pod objects: what is read is the tree of the
// vector.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "tests/ingest/kinds/gang_text.h"
#include "tests/ingest/load/loading.h"
#include "tests/support/gzip_lines.h"
#include "topology/text/wording.h"

namespace tessera::test {
namespace {

using nlohmann::json;

json levels_of(const json& group) {
  json levels = {{"topology", "cluster"}};
  if (group.contains("required")) levels["requiredTopologyLevel"] = group["required"];
  if (group.contains("preferred")) levels["preferredTopologyLevel"] = group["preferred"];
  return levels;
}

void copy_minimum(const json& group, json& out) {
  for (const char* key : {"minMember", "minSubGroup"}) {
    if (group.contains(key)) out[key] = group[key];
  }
}

void add_groups(const json& group, const std::string& parent, json& out) {
  for (const json& child : group.value("children", json::array())) {
    json one = {{"name", child["name"]}, {"topologyConstraint", levels_of(child)}};
    copy_minimum(child, one);
    if (!parent.empty()) one["parent"] = parent;
    out.push_back(std::move(one));
    add_groups(child, child["name"], out);
  }
}

json pod_object(const std::string& name, const std::string& leaf, json requests,
                const std::string& node) {
  requests.erase("pods");
  json pod = {
      {"apiVersion", "v1"},
      {"kind", "Pod"},
      {"metadata",
       {{"name", name}, {"namespace", "ns"}, {"annotations", {{"pod-group-name", "g"}}}}},
      {"spec",
       {{"schedulerName", "kai-scheduler"},
        {"containers", {{{"name", "c"}, {"resources", {{"requests", std::move(requests)}}}}}}}}};
  if (!leaf.empty()) pod["metadata"]["labels"]["kai.scheduler/subgroup-name"] = leaf;
  if (!node.empty()) pod["spec"]["nodeName"] = node;
  return pod;
}

/// The objects of one gang, and the line that they must become.
class VectorGang {
 public:
  VectorGang(const json& vector, const json& gang) {
    const json& tree = gang["tree"];
    json group = {{"apiVersion", "scheduling.run.ai/v2alpha2"},
                  {"kind", "PodGroup"},
                  {"metadata", {{"name", "g"}, {"namespace", "ns"}}},
                  {"spec", {{"queue", "q"}, {"topologyConstraint", levels_of(tree)}}}};
    copy_minimum(tree, group["spec"]);
    if (tree.contains("children")) {
      add_groups(tree, "", group["spec"]["subGroups"] = json::array());
    }
    objects_ = group.dump() + "\n";
    for (const json& bound : vector["bound"]) {
      if (bound.value("gang", "") != gang["name"]) continue;
      const std::string leaf = tree.contains("children") ? bound["group"] : "";
      running_[leaf][bound["pod"]] = bound["node"];
      objects_ += pod_object(bound["pod"], leaf, bound["requests"], bound["node"]).dump() + "\n";
    }
    add(tree, true);
  }

  const std::string& objects() const { return objects_; }
  const std::string& line() const { return line_; }

 private:
  void add(const json& group, bool root) {
    const std::string name = root ? "" : group["name"];
    line_ += (line_.empty() ? "" : "; ") + (root ? "." : name) + " ";
    std::map<std::string, const json*> children;
    for (const json& child : group.value("children", json::array())) children[child["name"]] = {};
    if (children.empty()) {
      line_ += counted(group.value("minMember", root ? 1 : 0), "pod", "pods");
    } else {
      const auto all = static_cast<std::int64_t>(children.size());
      line_ += counted(group.value("minSubGroup", all), "group", "groups");
    }
    if (group.contains("required") || group.contains("preferred")) line_ += " in cluster";
    for (const char* level : {"required", "preferred"}) {
      if (group.contains(level))
        line_ += " " + std::string(level) + " " + std::string(group[level]);
    }
    if (children.empty()) add_pods(group, name);
    for (const auto& child : children) {
      for (const json& each : group["children"]) {
        if (each["name"] == child.first) add(each, false);
      }
    }
  }

  void add_pods(const json& leaf, const std::string& name) {
    std::map<std::string, std::string> pods;  // requests by name
    for (const json& pod : leaf.value("pods", json::array())) {
      objects_ += pod_object(pod["name"], name, pod["requests"], "").dump() + "\n";
      pods[pod["name"]] = pod["requests"].dump();
    }
    std::vector<std::string> sizes;
    std::map<std::string, std::string> names;
    for (const auto& [pod, size] : pods) {
      if (names.count(size) == 0) sizes.push_back(size);
      names[size] += (names[size].empty() ? "" : " ") + pod;
    }
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      line_ += " [" + (name.empty() ? "default" : name);
      line_ += (i == 0 ? "" : "-" + std::to_string(i + 1)) + ": " + names[sizes[i]] + "]";
    }
    const char* before = " runs ";
    for (const auto& pod : running_[name]) {
      line_ += before + pod.second;
      before = " ";
    }
  }

  std::map<std::string, std::map<std::string, std::string>> running_;  // nodes by leaf and pod
  std::string objects_, line_;
};

class TreeVectors : public ::testing::TestWithParam<const char*> {};

TEST_P(TreeVectors, AreReadAsTheTreesThatTheyDescribe) {
  const std::string path = std::string(TESSERA_TEST_DATA "/trees-") + GetParam() + ".jsonl.gz";
  for (const std::string& text : read_gzip_lines(path)) {
    const json vector = json::parse(text);
    SCOPED_TRACE(std::string(vector["id"]));
    for (const json& gang : vector["gangs"]) {
      const VectorGang expected(vector, gang);
      const ingest::Loaded loaded = load("", expected.objects());
      ASSERT_EQ(texts(loaded.errors), "");
      ASSERT_EQ(gang_of(loaded), expected.line());
      ASSERT_EQ(texts(group_workload(loaded).invalid), "");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, TreeVectors,
                         ::testing::Values("table", "directed", "random", "partial"),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace tessera::test
