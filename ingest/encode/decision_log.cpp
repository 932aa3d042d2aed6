// SPDX-License-Identifier: Apache-2.0
#include "ingest/encode/decision_log.h"

#include <nlohmann/json.hpp>
#include <span>

#include "ingest/encode/assignment_json.h"
#include "ingest/encode/json_text.h"

namespace tessera::encode {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kNano = 1'000'000'000;

Json topology_assignment(const core::PodSetAssignment& pod_set) {
  // Of a topology that ends at the host the hostname alone is written (placement.md 4.7).
  const bool hosts = pod_set.levels.back() == topology::hostname_label();
  const std::size_t from = hosts ? pod_set.levels.size() - 1 : 0;
  Assignment out;
  for (const topology::Symbol level : std::span(pod_set.levels).subspan(from)) {
    out.levels.push_back(level.str());
  }
  for (const core::DomainList::Domain domain : pod_set.domains) {
    AssignedDomain written{{}, domain.pods};
    for (const topology::Symbol value : domain.values.subspan(from)) {
      written.values.push_back(value.str());
    }
    out.domains.push_back(std::move(written));
  }
  return assignment_json(out, AssignmentVersion::kV1Beta2);
}

}  // namespace

std::string seconds_text(std::int64_t nanoseconds) {
  const bool negative = nanoseconds < 0;
  // The sign is taken off each part, since INT64_MIN has no positive counterpart.
  const std::int64_t whole = nanoseconds / kNano, rest = nanoseconds % kNano;
  std::string text = negative && whole == 0 ? "-0" : std::to_string(whole);
  if (rest == 0) return text;
  std::string digits = std::to_string(kNano + (negative ? -rest : rest)).substr(1);
  digits.erase(digits.find_last_not_of('0') + 1);
  return text + "." + digits;
}

std::string decision_line(const LoggedDecision& decision) {
  Json rest{{"seq", decision.seq}, {"gang", decision.gang}, {"workload", decision.workload}};
  rest["event"] = decision.admission != nullptr ? "Admitted"
                  : decision.evicted            ? "Evicted"
                                                : "Finished";
  if (decision.admission != nullptr) {
    Json& assignment = rest["assignment"] = Json::object();
    for (const core::PodSetAssignment& pod_set : decision.admission->pod_sets) {
      if (!pod_set.levels.empty()) assignment[pod_set.name] = topology_assignment(pod_set);
    }
  }
  // The time goes before the rest as text: a double would round it.
  return "{\"time\":" + seconds_text(decision.time) + "," + json_line(rest).substr(1);
}

}  // namespace tessera::encode
