// SPDX-License-Identifier: Apache-2.0
#include "ingest/objects/queue_objects.h"

#include "ingest/fields/conditions.h"
#include "ingest/fields/field_text.h"
#include "ingest/fields/fields.h"
#include "ingest/objects/quota_groups.h"

namespace tessera::ingest {
namespace {

using core::QueueStrategy;
using core::StopPolicy;
using reader::Value;

enum class TryNext { kStop, kNext };

constexpr Word<StopPolicy> kStopPolicies[] = {
    {"None", StopPolicy::kNone},
    {"Hold", StopPolicy::kHold},
    {"HoldAndDrain", StopPolicy::kHoldAndDrain},
};
constexpr Word<QueueStrategy> kStrategies[] = {
    {"BestEffortFIFO", QueueStrategy::kBestEffortFifo},
    {"StrictFIFO", QueueStrategy::kStrictFifo},
};
// `Borrow` and `Preempt` are the names of MayStopSearch in v1beta1.
constexpr Word<TryNext> kCanBorrow[] = {{"MayStopSearch", TryNext::kStop},
                                        {"TryNextFlavor", TryNext::kNext},
                                        {"Borrow", TryNext::kStop}};
constexpr Word<TryNext> kCanPreempt[] = {{"MayStopSearch", TryNext::kStop},
                                         {"TryNextFlavor", TryNext::kNext},
                                         {"Preempt", TryNext::kStop}};
constexpr Word<bool> kPreferences[] = {{"BorrowingOverPreemption", false},
                                       {"PreemptionOverBorrowing", true}};
// Words of preemption policies (queues.md 12.1): the value says whether anything may be preempted.
constexpr Word<bool> kWithinQueue[] = {
    {"Never", false}, {"LowerPriority", true}, {"LowerOrNewerEqualPriority", true}};
enum class Reclaim { kNever, kSome, kAny };
constexpr Word<Reclaim> kWithinCohort[] = {{"Never", Reclaim::kNever},
                                           {"LowerPriority", Reclaim::kSome},
                                           {"LowerOrNewerEqualPriority", Reclaim::kSome},
                                           {"Any", Reclaim::kAny}};
constexpr Word<bool> kWhileBorrowing[] = {{"Never", false}, {"LowerPriority", true}};

void read_preemption(ReadContext& context, const ObjectHeader& header, Value spec,
                     core::ClusterQueueRecord& queue) {
  const std::string path = "spec.preemption";
  const Value in = context.map(header, spec, "preemption", "spec");
  const auto within = read_word(context, header, in, "withinClusterQueue", path, kWithinQueue);
  const auto reclaim = read_word(context, header, in, "reclaimWithinCohort", path, kWithinCohort);
  const Value borrow = context.map(header, in, "borrowWithinCohort", path);
  const std::string borrow_path = path + ".borrowWithinCohort";
  const auto borrowing = read_word(context, header, borrow, "policy", borrow_path, kWhileBorrowing);
  context.integer(header, borrow, "maxPriorityThreshold", borrow_path, INT32_MIN, INT32_MAX);
  const Reclaim reclaims = reclaim.value_or(Reclaim::kNever);
  queue.reclaims_any = reclaims == Reclaim::kAny;
  queue.preempts_while_borrowing = borrowing.value_or(false);
  queue.preempts =
      within.value_or(false) || reclaims != Reclaim::kNever || queue.preempts_while_borrowing;
}

void read_fungibility(ReadContext& context, const ObjectHeader& header, Value spec,
                      core::ClusterQueueRecord& queue) {
  const std::string path = "spec.flavorFungibility";
  const Value in = context.map(header, spec, "flavorFungibility", "spec");
  const auto borrow = read_word(context, header, in, "whenCanBorrow", path, kCanBorrow);
  const auto preempt = read_word(context, header, in, "whenCanPreempt", path, kCanPreempt);
  read_word(context, header, in, "preference", path, kPreferences);
  queue.borrow_tries_next_flavor = borrow.value_or(TryNext::kStop) == TryNext::kNext;
  queue.preempt_tries_next_flavor = preempt.value_or(TryNext::kNext) == TryNext::kNext;
}

using Checks = std::map<std::string, std::vector<std::string>>;

/// `admissionChecks` of v1beta1: names of checks, each for all flavors.
Checks read_check_names(ReadContext& context, const ObjectHeader& header, Value spec) {
  Checks checks;
  const Value names = context.sequence(header, spec, "admissionChecks", "spec");
  std::size_t index = 0;
  for (Value name = names.first(); name; name = name.next(), ++index) {
    if (name.is(reader::Type::kString) && !name.text().empty()) {
      checks[std::string(name.text())];
    } else {
      context.error(header, name, item("spec.admissionChecks", index), "must be a name");
    }
  }
  return checks;
}

Checks read_check_rules(ReadContext& context, const ObjectHeader& header, Value spec) {
  Checks checks;
  const Value in = context.map(header, spec, "admissionChecksStrategy", "spec");
  const std::string list_path = "spec.admissionChecksStrategy.admissionChecks";
  const Value list =
      context.sequence(header, in, "admissionChecks", "spec.admissionChecksStrategy");
  std::size_t index = 0;
  for (Value rule = list.first(); rule; rule = rule.next()) {
    const std::string path = item(list_path, index++);
    std::vector<std::string>& flavors = checks[read_required(context, header, rule, "name", path)];
    const Value names = context.sequence(header, rule, "onFlavors", path);
    for (Value name = names.first(); name; name = name.next()) flavors.emplace_back(name.text());
  }
  return checks;
}

Checks read_checks(ReadContext& context, const ObjectHeader& header, Value spec) {
  Checks names = read_check_names(context, header, spec);
  Checks rules = read_check_rules(context, header, spec);
  if (names.empty()) return rules;
  if (!rules.empty() && rules != names) {
    context.error(header, spec["admissionChecks"], "spec.admissionChecks",
                  "contradicts admissionChecksStrategy (the same under its old name)");
  }
  return names;
}

/// True if a weight is given. Fair sharing is not evaluated yet: the engine warns of each queue
/// that has a weight.
bool read_fair_sharing(ReadContext& context, const ObjectHeader& header, Value spec) {
  const Value in = context.map(header, spec, "fairSharing", "spec");
  const Value weight = in["weight"];
  if (!weight || weight.is(reader::Type::kNull)) return false;
  return context.quantity(header, weight, "spec.fairSharing.weight").has_value();
}

StopPolicy read_stop(ReadContext& context, const ObjectHeader& header, Value spec) {
  const auto stop = read_word(context, header, spec, "stopPolicy", "spec", kStopPolicies);
  return stop.value_or(StopPolicy::kNone);
}

}  // namespace

void read_cluster_queue(ReadContext& context, const ObjectHeader& header, Value root) {
  const std::size_t errors = context.error_count();
  const Value spec = context.map(header, root, "spec", "");
  core::ClusterQueueRecord queue;
  queue.name = header.name;
  queue.where = context.where(header, root, "");
  queue.cohort = read_renamed(context, header, spec, "cohortName", "cohort", "spec").value_or("");
  queue.strategy = read_word(context, header, spec, "queueingStrategy", "spec", kStrategies)
                       .value_or(QueueStrategy::kBestEffortFifo);
  queue.stop = read_stop(context, header, spec);
  queue.namespace_selector =
      read_label_selector(context, header, spec, "namespaceSelector", "spec");
  queue.groups = read_resource_groups(context, header, spec, !queue.cohort.empty());
  read_fungibility(context, header, spec, queue);
  read_preemption(context, header, spec, queue);
  queue.fair_sharing = read_fair_sharing(context, header, spec);
  queue.checks = read_checks(context, header, spec);
  if (context.error_count() == errors) {
    context.inventory.cluster_queues.push_back(std::move(queue));
  }
}

void read_cohort(ReadContext& context, const ObjectHeader& header, Value root) {
  const std::size_t errors = context.error_count();
  const Value spec = context.map(header, root, "spec", "");
  core::CohortRecord cohort;
  cohort.name = header.name;
  cohort.where = context.where(header, root, "");
  cohort.parent = read_renamed(context, header, spec, "parentName", "parent", "spec").value_or("");
  cohort.groups = read_resource_groups(context, header, spec, !cohort.parent.empty());
  cohort.fair_sharing = read_fair_sharing(context, header, spec);
  if (context.error_count() == errors) context.inventory.cohorts.push_back(std::move(cohort));
}

void read_local_queue(ReadContext& context, const ObjectHeader& header, Value root) {
  const std::size_t errors = context.error_count();
  const Value spec = context.map(header, root, "spec", "");
  core::LocalQueueRecord queue;
  queue.namespace_name = header.namespace_name;
  queue.name = header.name;
  queue.cluster_queue = read_required(context, header, spec ? spec : root, "clusterQueue", "spec");
  queue.stop = read_stop(context, header, spec);
  if (context.error_count() == errors) context.inventory.local_queues.push_back(std::move(queue));
}

void read_admission_check(ReadContext& context, const ObjectHeader& header, Value root) {
  const std::size_t errors = context.error_count();
  const Value spec = context.map(header, root, "spec", "");
  core::AdmissionCheckRecord check;
  check.name = header.name;
  check.controller = context.text(header, spec, "controllerName", "spec").value_or("");
  const Value status = root["status"];
  // A check without a status counts as active until its controller says otherwise.
  check.active = status["conditions"].size() == 0 || condition_is_true(status, "Active");
  if (context.error_count() == errors) context.inventory.checks.push_back(std::move(check));
}

}  // namespace tessera::ingest
