// SPDX-License-Identifier: Apache-2.0
#include "ingest/objects/kai_queues.h"

#include <map>
#include <set>
#include <string>

#include "ingest/fields/field_text.h"
#include "ingest/fields/fields.h"
#include "topology/parent_forest.h"
#include "topology/text/nearest.h"

namespace tessera::ingest {
namespace {

using core::KaiQueueRecord;
using core::KaiQuota;
using reader::Value;
using topology::kUnlimited;
using topology::Quantity;

constexpr std::int64_t kNanosPerUnit = 1'000'000'000;
constexpr std::int64_t kMegabyte = 1'000'000;

/// `number` times `unit`, rounded down; kUnlimited if the product does not fit.
std::int64_t scaled_down(const Quantity& number, std::int64_t unit) {
  // Beyond 9.2e9 units, where nano precision ends, fractions do not matter.
  const std::optional<std::int64_t> nanos = number.nano_value();
  if (!nanos) return topology::saturating_mul(number.value().value_or(kUnlimited), unit);
  const std::int64_t whole = topology::saturating_mul(*nanos / kNanosPerUnit, unit);
  return topology::saturating_add(whole, *nanos % kNanosPerUnit * unit / kNanosPerUnit);
}

class QuotaReader {
 public:
  QuotaReader(ReadContext& context, const ObjectHeader& header, Value resources)
      : context_(context), header_(header), resources_(resources) {}

  /// `unit`: how many engine units make one unit of the field.
  KaiQuota read(std::string_view resource, std::int64_t unit) const {
    const std::string path = "spec.resources." + std::string(resource);
    const Value in = context_.map(header_, resources_, resource, "spec.resources");
    KaiQuota read;
    read.deserved = amount(in["quota"], path + ".quota", unit);
    read.limit = amount(in["limit"], path + ".limit", unit);
    read.over_quota_weight = weight(in["overQuotaWeight"], path + ".overQuotaWeight");
    return read;
  }

 private:
  /// The number in `value`. Nothing if the field is absent. Nothing, and an error, if it is not a
  /// number.
  std::optional<Quantity> number(Value value, const std::string& path) const {
    if (!value || value.is(reader::Type::kNull)) return std::nullopt;
    const auto parsed = value.is(reader::Type::kNumber)
                            ? Quantity::parse(value.text())
                            : Result<Quantity>(fail(ErrorCode::kInvalidInput, ""));
    if (parsed) return *parsed;
    const bool is_text = value.is(reader::Type::kString);
    context_.error(
        header_, value, path,
        (is_text ? quoted(value.text()) + " is not" : std::string("must be")) + " a number");
    return std::nullopt;
  }

  std::int64_t amount(Value value, const std::string& path, std::int64_t unit) const {
    const std::optional<Quantity> read = number(value, path);
    if (!read) return 0;
    if (read->sign() >= 0) return scaled_down(*read, unit);
    if (read->nano_value() == -kNanosPerUnit) return kUnlimited;
    context_.error(header_, value, path,
                   quoted(value.text()) + " is negative (right: -1 for unlimited, or from 0 on)");
    return 0;
  }

  std::int64_t weight(Value value, const std::string& path) const {
    constexpr std::int64_t kThousandths = 1000;
    const std::optional<Quantity> read = number(value, path);
    if (!read) return 0;
    if (read->sign() >= 0) return scaled_down(*read, kThousandths);
    context_.error(header_, value, path, quoted(value.text()) + " is negative");
    return 0;
  }

  ReadContext& context_;
  const ObjectHeader& header_;
  const Value resources_;
};

Error fault(const Where& where, const KaiQueueRecord& queue, const char* field,
            std::string message) {
  Error error{ErrorCode::kInvalidInput, std::move(message), where};
  error.where.object = "Queue " + queue.name;
  error.where.field = field;
  return error;
}

topology::ParentForest parents_of(const std::vector<KaiQueueRecord>& queues) {
  std::vector<topology::NamedParent> names;
  names.reserve(queues.size());
  for (const KaiQueueRecord& queue : queues) names.push_back({queue.name, queue.parent});
  return topology::ParentForest(topology::parent_positions(names));
}

}  // namespace

void read_kai_queue(ReadContext& context, const ObjectHeader& header, Value root) {
  const std::size_t errors = context.error_count();
  const Value spec = context.map(header, root, "spec", "");
  KaiQueueRecord queue;
  queue.name = header.name;
  queue.where = context.where(header, root, "");
  queue.parent_where = context.where(header, spec["parentQueue"], "");
  queue.display_name = context.text(header, spec, "displayName", "spec").value_or("");
  queue.parent = context.text(header, spec, "parentQueue", "spec").value_or("");
  queue.priority = context.integer(header, spec, "priority", "spec", INT32_MIN, INT32_MAX)
                       .value_or(queue.priority);
  const Value resources = context.map(header, spec, "resources", "spec");
  if (!resources && !spec["resources"]) {
    context.error(header, spec ? spec : root, "spec.resources",
                  "is missing: without it nothing is allowed (limit: -1 is unlimited)");
  }
  const QuotaReader quotas(context, header, resources);
  queue.cpu = quotas.read("cpu", 1);
  queue.memory = quotas.read("memory", kMegabyte);
  queue.gpu = quotas.read("gpu", 1);
  if (context.error_count() == errors) context.inventory.kai_queues.push_back(std::move(queue));
}

void check_kai_queues(ReadContext& context) {
  const std::vector<KaiQueueRecord>& queues = context.inventory.kai_queues;
  std::vector<std::string> names;
  for (const KaiQueueRecord& queue : queues) names.push_back(queue.name);
  std::set<std::string> cluster_queues;
  for (const auto& queue : context.inventory.cluster_queues) cluster_queues.insert(queue.name);
  Speller speller;
  const topology::ParentForest forest = parents_of(queues);
  auto unknown = forest.unknown_parents().begin();
  auto circle = forest.circles().begin();  // each is reported once, at its first queue
  for (std::uint32_t i = 0; i < queues.size(); ++i) {
    const KaiQueueRecord& queue = queues[i];
    if (cluster_queues.count(queue.name) > 0) {
      context.errors.push_back(fault(
          queue.where, queue, "metadata.name",
          quoted(queue.name) + " is the name of a ClusterQueue too: no workload enters this one"));
    }
    if (unknown != forest.unknown_parents().end() && *unknown == i) {
      ++unknown;
      context.errors.push_back(fault(queue.parent_where, queue, "spec.parentQueue",
                                     "Queue " + quoted(queue.parent) + " is not in the input" +
                                         speller.did_you_mean(queue.parent, names)));
    }
    if (circle == forest.circles().end() || circle->front() != i) continue;
    std::string chain;
    for (const std::uint32_t member : *circle) chain += queues[member].name + " < ";
    ++circle;
    context.errors.push_back(fault(queue.parent_where, queue, "spec.parentQueue",
                                   "makes a cycle of parents: " + chain + queue.name));
  }
}

}  // namespace tessera::ingest
