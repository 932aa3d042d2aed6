// SPDX-License-Identifier: Apache-2.0
#include "ingest/link/queue_check.h"

#include <algorithm>
#include <map>
#include <set>

#include "ingest/fields/shown_names.h"
#include "topology/text/nearest.h"
#include "topology/text/wording.h"

namespace tessera::ingest {
namespace {

constexpr std::size_t kQueuesShown = 5;

/// Who names a queue.
struct Users {
  std::vector<std::string> local_queues, admitted;  // "ml/q", "ml/w"
};

std::string text_of(const Users& users) {
  std::string text;
  const bool one = users.local_queues.size() == 1;
  if (!users.local_queues.empty()) {
    text = std::string(one ? "LocalQueue " : "LocalQueues ") + shown_names(users.local_queues) +
           (one ? " leads" : " lead") + " nowhere";
  }
  if (!users.admitted.empty()) {
    text += (text.empty() ? "" : ", and ") + std::string("the quota that ") +
            shown_names(users.admitted) + (users.admitted.size() == 1 ? " holds" : " hold") +
            " there counts nowhere";
  }
  return text;
}

}  // namespace

void check_cluster_queues(ReadContext& context) {
  const core::Inventory& inventory = context.inventory;
  if (!inventory.has_queues) return;
  std::set<std::string, std::less<>> known;
  std::vector<std::string> names;  // a LocalQueue leads to one of these
  for (const core::ClusterQueueRecord& queue : inventory.cluster_queues) {
    known.insert(queue.name);
    names.push_back(queue.name);
  }
  std::map<std::string, Users> lost;
  // A LocalQueue that is checked on its own needs no cluster.
  const bool alone = known.empty() && inventory.nodes.empty();
  for (const core::LocalQueueRecord& queue : inventory.local_queues) {
    if (alone || known.count(queue.cluster_queue) > 0) continue;
    lost[queue.cluster_queue].local_queues.push_back(queue.namespace_name + "/" + queue.name);
  }
  for (const core::KaiQueueRecord& queue : inventory.kai_queues) known.insert(queue.name);
  for (const core::Workload& workload : inventory.workloads) {
    if (!workload.status.admission || workload.status.finished) continue;
    const std::string& queue = workload.status.admission->cluster_queue;
    if (!queue.empty() && known.count(queue) == 0) lost[queue].admitted.push_back(workload.key());
  }
  std::size_t told = 0;
  for (const auto& entry : lost) {
    const std::string& name = entry.first;  // clang 14 captures no structured bindings
    if (told++ == kQueuesShown) {
      context.warnings.push_back(
          {ErrorCode::kInvalidInput, counted(static_cast<std::int64_t>(lost.size() - kQueuesShown),
                                             "more ClusterQueue is", "more ClusterQueues are") +
                                         " named and not in the input"});
      return;
    }
    const auto& refused = inventory.refused;
    const bool faulty = std::any_of(refused.begin(), refused.end(), [&](const auto& each) {
      return each.kind == "ClusterQueue" && each.name == name;
    });
    context.warnings.push_back({ErrorCode::kInvalidInput,
                                "ClusterQueue " + name +
                                    (faulty ? " was refused with an error"
                                            : " is not in the input" + did_you_mean(name, names)) +
                                    ": " + text_of(entry.second)});
  }
}

}  // namespace tessera::ingest
