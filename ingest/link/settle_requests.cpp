// SPDX-License-Identifier: Apache-2.0
#include "ingest/link/settle_requests.h"

#include <algorithm>
#include <map>

#include "ingest/fields/field_text.h"
#include "ingest/objects/limit_ranges.h"
#include "ingest/objects/pod_request.h"
#include "ingest/objects/pod_template.h"

namespace tessera::ingest {
namespace {

using topology::Amounts;
using topology::Symbol;
__extension__ using Wide = __int128;

constexpr Wide kNano = 1'000'000'000, kMilli = 1000;

Wide saturating_mul(Wide a, Wide b) {
  Wide product = 0;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  const Wide most = ~(Wide{1} << 127);
  return (a < 0) == (b < 0) ? most : -most;
}

/// The sums of the outputs for one pod, in 10^-15 of a unit: factors are exact to 10^-9, and two
/// cpu amounts in thousandths may be multiplied.
using Sums = std::map<Symbol, Wide, topology::ByText>;

/// `kept`: what quota counts of the pod. `request`: all of it, since the factor may be a resource
/// that quota leaves out.
void add_outputs(const config::ResourceTransformation& rule, const Amounts& kept,
                 const Amounts& request, Sums& sums) {
  const Symbol input(rule.input);
  Wide amount = kept.get(input);
  int thousandths = input == topology::cpu_resource() ? 1 : 0;
  if (!rule.multiply_by.empty()) {
    const Symbol by(rule.multiply_by);
    amount = saturating_mul(amount, request.get(by));
    thousandths += by == topology::cpu_resource() ? 1 : 0;
  }
  for (; thousandths < 2; ++thousandths) amount = saturating_mul(amount, kMilli);
  for (const auto& [output, factor] : rule.outputs) {
    Wide& sum = sums[Symbol(output)];
    const Wide part = saturating_mul(amount, factor.nano_value().value_or(INT64_MAX));
    if (__builtin_add_overflow(sum, part, &sum)) sum = ~(Wide{1} << 127);
  }
}

std::int64_t rounded_up(Symbol resource, Wide sum) {
  if (sum <= 0) return 0;
  const Wide unit = kNano * kMilli * (resource == topology::cpu_resource() ? 1 : kMilli);
  const Wide units = sum / unit + (sum % unit > 0 ? 1 : 0);
  return units > INT64_MAX ? INT64_MAX : static_cast<std::int64_t>(units);
}

/// Everything that changes the requests of pods, looked up once.
class Settling {
 public:
  Settling(const ReadContext& context, const config::ResourceRules& rules)
      : context_(context), rules_(rules) {
    for (const RuntimeClassObject& each : context.runtime_classes) {
      overheads_[each.name] = &each.overhead;
    }
    std::vector<const LimitRangeObject*> ranges;
    for (const LimitRangeObject& each : context.limit_ranges) ranges.push_back(&each);
    std::sort(ranges.begin(), ranges.end(),
              [](const auto* a, const auto* b) { return a->name < b->name; });
    for (const LimitRangeObject* each : ranges) {
      merge_limits(*each, limits_[each->namespace_name]);
    }
  }

  void settle(core::Workload& workload) const {
    const auto limits = limits_.find(workload.namespace_name);
    std::string range_faults;
    bool overheads_known = true, overheads_asked = false;
    for (std::size_t i = 0; i < workload.templates.size(); ++i) {
      PodResources resources = context_.pod_resources[workload.templates[i]];
      overheads_asked = overheads_asked || !resources.runtime_class.empty();
      overheads_known = add_overhead(resources) && overheads_known;
      const std::string path = item("spec.podSets", i) + ".template.spec";
      if (limits != limits_.end() && !workload.settled) {
        apply_defaults(limits->second, resources);
        if (range_faults.empty()) range_faults = range_fault(limits->second, resources, path);
      }
      if (workload.resources_fault.empty()) {
        workload.resources_fault = request_fault(resources, path);
      }
      workload.gang.pod_sets[i].request = resources.effective_request();
      workload.quota_requests[i] = quota_request(workload.gang.pod_sets[i].request, rules_);
    }
    if (workload.resources_fault.empty()) workload.resources_fault = std::move(range_faults);
    workload.settled = workload.settled || limits != limits_.end();
    // A Workload that `-o json` wrote names no class, and may carry the phrase.
    if (overheads_known && overheads_asked) drop_phrase(workload);
  }

 private:
  /// False if the RuntimeClass of the pod is not in the input.
  bool add_overhead(PodResources& resources) const {
    if (resources.runtime_class.empty() || !resources.overhead.empty()) return true;
    const auto found = overheads_.find(resources.runtime_class);
    if (found == overheads_.end()) return false;
    resources.overhead = *found->second;
    return true;
  }

  static void drop_phrase(core::Workload& workload) {
    std::vector<std::string>& phrases = workload.not_honoured;
    phrases.erase(std::remove(phrases.begin(), phrases.end(), kOverheadPhrase), phrases.end());
  }

  const ReadContext& context_;
  const config::ResourceRules& rules_;
  std::map<std::string, const Amounts*> overheads_;  // by runtime class
  std::map<std::string, LimitRangeObject> limits_;   // by namespace
};

}  // namespace

Amounts quota_request(const Amounts& request, const config::ResourceRules& rules) {
  if (rules.empty()) return request;
  Amounts kept;
  for (const topology::Amount& amount : request) {
    const auto& prefixes = rules.excluded_prefixes;
    const bool excluded = std::any_of(
        prefixes.begin(), prefixes.end(),
        [&](const std::string& prefix) { return amount.resource.view().starts_with(prefix); });
    if (!excluded) kept.set(amount.resource, amount.value);
  }
  Sums sums;
  Amounts counted = kept;
  for (const config::ResourceTransformation& rule : rules.transformations) {
    if (kept.find(Symbol(rule.input)) == nullptr) continue;
    add_outputs(rule, kept, request, sums);
    if (rule.replaces) counted.erase(Symbol(rule.input));
  }
  for (const auto& [resource, sum] : sums) {
    counted.add({{resource, rounded_up(resource, sum)}});
  }
  return counted;
}

void settle_requests(const ReadContext& context, const config::ResourceRules& rules,
                     std::vector<core::Workload>& workloads) {
  const Settling settling(context, rules);
  for (core::Workload& workload : workloads) settling.settle(workload);
}

}  // namespace tessera::ingest
