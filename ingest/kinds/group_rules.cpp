// SPDX-License-Identifier: Apache-2.0
#include "ingest/kinds/group_rules.h"

#include <algorithm>

#include "ingest/annotations/annotation_keys.h"
#include "ingest/fields/field_errors.h"

namespace tessera::ingest {
namespace {

class GroupRules {
 public:
  GroupRules(const ReadContext& context, const ObjectHeader& header,
             const std::vector<TemplatePlace>& places, core::Workload& workload)
      : places_(places),
        pod_sets_(workload.gang.pod_sets),
        errors_(context, header, workload.invalid) {}

  void check(const std::string& name, const std::vector<std::size_t>& members) {
    if (members.size() != 2) {
      for (const std::size_t m : members) {
        at_group(m, "can only define groups of exactly 2 pod sets, got: " +
                        std::to_string(members.size()) + " pod set(s)");
      }
      return;
    }
    check_counts(members);
    const auto& first = pod_sets_[members[0]].topology;
    const auto& second = pod_sets_[members[1]].topology;
    if (first.required == second.required && first.preferred == second.preferred) return;
    inconsistent(members[0], members[1], name);
    inconsistent(members[1], members[0], name);
  }

 private:
  std::string annotations_path(std::size_t m) const {
    return places_[m].path + ".metadata.annotations";
  }
  reader::Value annotations(std::size_t m) const {
    return places_[m].pod_template["metadata"]["annotations"];
  }

  void at_group(std::size_t m, const std::string& detail) {
    const reader::Value name = annotations(m)[annotation::kGroupName];
    errors_.invalid(name, member(annotations_path(m), annotation::kGroupName), name.text(), detail);
  }

  void check_counts(const std::vector<std::size_t>& members) {
    const std::int64_t first = pod_sets_[members[0]].count;
    const std::int64_t second = pod_sets_[members[1]].count;
    if (first == 1 || second == 1) return;
    for (const std::size_t m : members) {
      at_group(m, "can only define groups where at least one pod set has only 1 replica, got: " +
                      std::to_string(first) + " replica(s) and " + std::to_string(second) +
                      " replica(s) in the group");
    }
  }

  void inconsistent(std::size_t m, std::size_t other, const std::string& name) {
    errors_.invalid(annotations(m), annotations_path(m),
                    "must specify '" + std::string(annotation::kRequired) + "' or '" +
                        std::string(annotation::kPreferred) + "' topology consistent with '" +
                        annotations_path(other) + "' in group '" + name + "'");
  }

  const std::vector<TemplatePlace>& places_;
  const std::vector<solver::PodSet>& pod_sets_;
  FieldErrors errors_;
};

}  // namespace

void check_groups(const ReadContext& context, const ObjectHeader& header,
                  const std::vector<TemplatePlace>& places, core::Workload& workload) {
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < workload.gang.pod_sets.size(); ++i) {
    const std::string& group = workload.gang.pod_sets[i].unit;
    if (!group.empty()) groups[group].push_back(i);
  }
  GroupRules rules(context, header, places, workload);
  for (const auto& [name, members] : groups) rules.check(name, members);
}

}  // namespace tessera::ingest
