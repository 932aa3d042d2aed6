// SPDX-License-Identifier: Apache-2.0
#include "ingest/kinds/workload_status.h"

#include <algorithm>

#include "ingest/fields/conditions.h"
#include "ingest/fields/field_text.h"
#include "ingest/fields/fields.h"
#include "ingest/fields/timestamp.h"
#include "ingest/kinds/workload_admission.h"
#include "ingest/objects/job_parts.h"

namespace tessera::ingest {
namespace {

using core::CheckState;

constexpr Word<CheckState> kCheckStates[] = {
    {"Pending", CheckState::kPending},
    {"Ready", CheckState::kReady},
    {"Retry", CheckState::kRetry},
    {"Rejected", CheckState::kRejected},
};

class StatusReader {
 public:
  StatusReader(ReadContext& context, const ObjectHeader& header, reader::Value status,
               core::Workload& workload)
      : context_(context), header_(header), status_(status), workload_(workload) {}

  void read();

 private:
  void read_conditions();
  void check_conditions();
  void keep_conditions();
  std::optional<std::int64_t> since(const char* condition);
  std::optional<std::int64_t> time(reader::Value value, const std::string& field);
  void read_requeue_state();
  void read_checks();
  void read_reclaimable();
  void read_admission();
  void apply_reclaimable();

  ReadContext& context_;
  const ObjectHeader& header_;
  reader::Value status_;
  core::Workload& workload_;
  Reclaimable reclaimable_;
  bool conditions_are_broken_ = false;
};

/// Conditions that do not say whether the quota is reserved are an error. The admission beside them
/// counts: its nodes must not read as empty.
void StatusReader::check_conditions() {
  const reader::Value list = status_["conditions"];
  if (!list || list.is(reader::Type::kNull)) return;
  if (!list.is(reader::Type::kSequence)) {
    conditions_are_broken_ = true;
    context_.sequence(header_, status_, "conditions", "status");
    return;
  }
  const reader::Value reserved = find_condition(status_, "QuotaReserved");
  std::size_t index = 0;
  for (reader::Value v = list.first(); v && !reserved; v = v.next(), ++index) {
    if (v["type"].is(reader::Type::kString) && !v["type"].text().empty()) continue;
    conditions_are_broken_ = true;
    context_.error(header_, v, item("status.conditions", index), "has no type");
    return;
  }
  const reader::Value state = reserved["status"];
  if (!reserved || state.is(reader::Type::kBool) || state.text() == "True" ||
      state.text() == "False" || state.text() == "Unknown") {
    return;
  }
  conditions_are_broken_ = true;
  context_.error(header_, state ? state : reserved, "status.conditions",
                 "the status of QuotaReserved is " +
                     (state ? quoted(state.text()) : std::string("missing")) +
                     " (right: True, False, Unknown)");
}

/// If an eviction sends the workload to the back of its queue, the time of the eviction is its time
/// in the queue order (queues.md 1.1).
void StatusReader::read_conditions() {
  check_conditions();
  workload_.status.quota_reserved = condition_is_true(status_, "QuotaReserved");
  workload_.status.finished = condition_is_true(status_, "Finished");
  workload_.status.evicted = condition_is_true(status_, "Evicted");
  workload_.status.pods_ready = condition_is_true(status_, "PodsReady");
  workload_.status.replaces_pods = condition_is_true(status_, "WaitingForReplacementPods");
  workload_.status.backs_off = condition_is_false(status_, "Requeued");
  for (const char* condition : {"QuotaReserved", "Admitted"}) {
    workload_.status.admitted_at = since(condition).value_or(workload_.status.admitted_at);
  }
  if (!workload_.status.evicted) return;
  const reader::Value reason = find_condition(status_, "Evicted")["reason"];
  if (!reason || (reason.text() != "PodsReadyTimeout" && reason.text() != "AdmissionCheck")) return;
  workload_.created = since("Evicted").value_or(workload_.created);
}

/// Keeps the conditions of a workload that waits, so that `-o json` can write them again. Those of
/// its reservation are left out: the decision gives it new ones.
void StatusReader::keep_conditions() {
  if (workload_.status.quota_reserved || workload_.status.finished) return;
  const reader::Value list = status_["conditions"];
  if (!list.is(reader::Type::kSequence)) return;
  for (reader::Value v = list.first(); v; v = v.next()) {
    const std::string_view type = v["type"].text();
    if (type.empty() || type == "QuotaReserved" || type == "Admitted") continue;
    const std::string_view state = v["status"].text();
    core::WorkloadCondition kept;
    kept.type = type;
    kept.status = state == "true" ? "True" : state == "false" ? "False" : state;
    kept.reason = v["reason"].text();
    kept.message = v["message"].text();
    kept.since = parse_timestamp(v["lastTransitionTime"].text()).value_or(INT64_MIN);
    workload_.status.conditions.push_back(std::move(kept));
  }
}

/// When a condition became true. Nothing if the condition is not true, or does not say when.
std::optional<std::int64_t> StatusReader::since(const char* condition) {
  if (!condition_is_true(status_, condition)) return std::nullopt;
  const reader::Value at = find_condition(status_, condition)["lastTransitionTime"];
  if (!at || at.is(reader::Type::kNull)) return std::nullopt;
  return time(at, "status.conditions");
}

std::optional<std::int64_t> StatusReader::time(reader::Value value, const std::string& field) {
  const std::optional<std::int64_t> time = parse_timestamp(value.text());
  if (!time) {
    context_.error(header_, value, field,
                   quoted(value.text()) + " is not a time (right: 2026-11-27T08:15:00Z)");
  }
  return time;
}

void StatusReader::read_requeue_state() {
  const std::string path = "status.requeueState";
  const reader::Value state = context_.map(header_, status_, "requeueState", "status");
  if (!state) return;
  workload_.status.requeues =
      context_.integer(header_, state, "count", path, 0, INT32_MAX).value_or(0);
  const reader::Value at = state["requeueAt"];
  if (at && !at.is(reader::Type::kNull)) {
    workload_.status.requeue_at = time(at, path + ".requeueAt").value_or(INT64_MIN);
  }
}

void StatusReader::read_checks() {
  const reader::Value checks = context_.sequence(header_, status_, "admissionChecks", "status");
  std::size_t index = 0;
  for (reader::Value v = checks.first(); v; v = v.next()) {
    const std::string path = item("status.admissionChecks", index++);
    core::WorkloadCheck check;
    check.name = context_.text(header_, v, "name", path).value_or("");
    const auto state = read_word(context_, header_, v, "state", path, kCheckStates);
    check.state = state.value_or(CheckState::kPending);
    if (v["podSetUpdates"].size() > 0) {
      add_not_honoured(workload_, "podSetUpdates of admission check " + check.name);
    }
    workload_.status.checks.push_back(std::move(check));
  }
}

void StatusReader::read_reclaimable() {
  const reader::Value list = context_.sequence(header_, status_, "reclaimablePods", "status");
  std::size_t index = 0;
  for (reader::Value v = list.first(); v; v = v.next()) {
    const std::string path = item("status.reclaimablePods", index++);
    const auto name = context_.text(header_, v, "name", path);
    const auto count = context_.integer(header_, v, "count", path, 0, INT32_MAX);
    if (!name || !count) continue;
    if (find_pod_set(workload_, *name) == nullptr) {
      context_.error(header_, v, path + ".name", quoted(*name) + " is no pod set of this workload");
      continue;
    }
    reclaimable_[*name] = *count;
  }
}

void StatusReader::read_admission() {
  const reader::Value written = context_.map(header_, status_, "admission", "status");
  core::WorkloadStatus& status = workload_.status;
  if (!written) {
    if (status.quota_reserved && !status.finished && !status_["admission"]) {
      context_.error(header_, status_, "status.admission",
                     "must be set while the QuotaReserved condition is true");
    }
    return;
  }
  status.quota_reserved = status.quota_reserved || conditions_are_broken_;
  core::Admission read =
      ingest::read_admission(context_, header_, written, reclaimable_, workload_);
  if (status.quota_reserved) {
    status.admission = std::move(read);
  } else if (!status.finished) {
    context_.warning(header_, written, "status.admission",
                     "holds nothing, since the QuotaReserved condition is not true");
  }
}

/// A waiting workload asks for the pods that are left (queues.md 4).
void StatusReader::apply_reclaimable() {
  for (solver::PodSet& pod_set : workload_.gang.pod_sets) {
    const auto reclaimed = reclaimable_.find(pod_set.name);
    if (reclaimed == reclaimable_.end()) continue;
    workload_.status.reclaimable.push_back(
        {pod_set.name, reclaimed->second, pod_set.count, pod_set.min_count});
    if (workload_.status.quota_reserved) continue;
    pod_set.count = std::max<std::int64_t>(0, pod_set.count - reclaimed->second);
    if (pod_set.min_count) pod_set.min_count = std::min(*pod_set.min_count, pod_set.count);
  }
}

void StatusReader::read() {
  read_conditions();
  read_requeue_state();
  read_checks();
  read_reclaimable();
  read_admission();
  if (status_["unhealthyNodes"].size() > 0) add_not_honoured(workload_, "status.unhealthyNodes");
  apply_reclaimable();
  keep_conditions();
}

}  // namespace

void read_workload_status(ReadContext& context, const ObjectHeader& header, reader::Value status,
                          core::Workload& workload) {
  StatusReader(context, header, status, workload).read();
}

}  // namespace tessera::ingest
