// SPDX-License-Identifier: Apache-2.0
#include "actors/flavors/quota_check.h"

namespace tessera::core {

namespace {
using Kind = FlavorRejection::Kind;
}

QuotaCheck check_quota(const FlavorProblem& problem, FlavorId flavor,
                       const topology::Amount& amount, const TakenQuota& taken) {
  const QuotaNode node = *problem.queue->quota;
  QuotaCheck check;
  check.resource = amount.resource;
  check.request = amount.value;
  check.column = problem.ledger->column(node, problem.flavors[index(flavor)].name, amount.resource);
  if (!check.column) {
    if (problem.queue->is_kai) check.most = check.left = topology::kUnlimited;
    return check;
  }
  const auto earlier = taken.find(*check.column);
  if (earlier != taken.end()) check.previous = earlier->second;
  check.most = problem.ledger->maximum(node, *check.column);
  check.left = problem.rule == QuotaRule::kAvailable
                   ? problem.ledger->available(node, *check.column)
                   : check.most;
  return check;
}

FlavorRejection quota_rejection(const FlavorProblem& problem, const QuotaCheck& check,
                                std::size_t pod_set, FlavorId flavor) {
  FlavorRejection rejection;
  rejection.kind = check.over_maximum() ? Kind::kOverMaximum : Kind::kNoUnusedQuota;
  rejection.pod_set = pod_set;
  rejection.flavor = problem.flavors[index(flavor)].record.name;
  rejection.resource = check.resource;
  rejection.previous = check.previous;
  rejection.request = check.request;
  rejection.limit = check.most;
  rejection.missing = topology::saturating_sub(check.wanted(), check.left);
  if (problem.queue->is_kai) {
    const bool idle = rejection.kind == Kind::kOverMaximum;
    const QuotaNode tightest = problem.ledger->tightest(*problem.queue->quota, *check.column, idle);
    rejection.limiting_queue = problem.ledger->name(tightest);
    rejection.limit = problem.ledger->limit(tightest, *check.column);
    rejection.used = problem.ledger->usage(tightest, *check.column);
  }
  return rejection;
}

}  // namespace tessera::core
