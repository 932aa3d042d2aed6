// SPDX-License-Identifier: Apache-2.0
#include "ingest/objects/nodes.h"

#include "ingest/fields/field_text.h"
#include "ingest/fields/fields.h"

namespace tessera::ingest {
namespace {

using reader::Type;
using reader::Value;
using topology::Symbol;
using topology::TaintEffect;

constexpr Word<TaintEffect> kTaintEffects[] = {
    {"NoSchedule", TaintEffect::kNoSchedule},
    {"PreferNoSchedule", TaintEffect::kPreferNoSchedule},
    {"NoExecute", TaintEffect::kNoExecute},
};

bool read_ready(ReadContext& context, const ObjectHeader& header, Value status) {
  const Value conditions = context.sequence(header, status, "conditions", "status");
  for (Value one = conditions.first(); one; one = one.next()) {
    if (one["type"].text() != "Ready") continue;
    const Value state = one["status"];
    return state.text() == "True" || state.boolean();  // an unquoted True is a boolean in YAML
  }
  return false;
}

}  // namespace

topology::Labels read_labels(ReadContext& context, const ObjectHeader& header, Value root) {
  topology::Labels labels;
  const Value entries = context.map(header, root["metadata"], "labels", "metadata");
  for (Value entry = entries.first(); entry; entry = entry.next()) {
    if (entry.is(Type::kMap) || entry.is(Type::kSequence)) {
      context.error(header, entry, member("metadata.labels", entry.key()), "must be a text");
    } else {
      labels.set(Symbol(entry.key()), Symbol(entry.text()));
    }
  }
  labels.shrink_to_fit();
  return labels;
}

std::vector<topology::Taint> read_taints(ReadContext& context, const ObjectHeader& header, Value in,
                                         std::string_view key, const std::string& path) {
  std::vector<topology::Taint> taints;
  const Value list = context.sequence(header, in, key, path);
  if (!context.few_enough(header, list, key, path)) return taints;
  std::size_t index = 0;
  for (Value one = list.first(); one; one = one.next()) {
    const std::string here = item(path + "." + std::string(key), index++);
    topology::Taint taint;
    taint.key = Symbol(read_required(context, header, one, "key", here));
    taint.value = Symbol(context.text(header, one, "value", here).value_or(""));
    const auto effect = read_word(context, header, one, "effect", here, kTaintEffects);
    if (!effect && !one["effect"]) context.error(header, one, here + ".effect", "is missing");
    taint.effect = effect.value_or(TaintEffect::kNoSchedule);
    taints.push_back(taint);
  }
  return taints;
}

/// Each resource of a node is a row of numbers over all cells. Reports the resources that are one
/// too many, and leaves them out.
void leave_out_rare_resources(ReadContext& context, const ObjectHeader& header, Value status,
                              topology::Amounts& allocatable) {
  std::vector<Symbol> too_many;
  for (const topology::Amount& amount : allocatable) {
    if (!context.node_resources.add(amount.resource)) too_many.push_back(amount.resource);
  }
  for (const Symbol resource : too_many) {
    allocatable.erase(resource);
    context.error(header, status["allocatable"][resource.view()],
                  member("status.allocatable", resource.view()),
                  "is left out: the nodes of the input have more than " +
                      std::to_string(NodeResources::kMost) + " different resources");
  }
}

void read_node(ReadContext& context, const ObjectHeader& header, Value root) {
  const std::size_t errors = context.error_count();
  const Value spec = context.map(header, root, "spec", "");
  const Value status = context.map(header, root, "status", "");
  topology::NodeRecord node;
  node.name = Symbol(header.name);
  node.uid = header.uid;
  node.labels = read_labels(context, header, root);
  node.taints = read_taints(context, header, spec, "taints", "spec");
  node.unschedulable = context.boolean(header, spec, "unschedulable", "spec").value_or(false);
  node.ready = read_ready(context, header, status);
  node.allocatable = context.amounts(header, status, "allocatable", "status");
  node.capacity = context.amounts(header, status, "capacity", "status");
  if (context.error_count() != errors) return;
  leave_out_rare_resources(context, header, status, node.allocatable);
  context.inventory.nodes.push_back(std::move(node));
}

}  // namespace tessera::ingest
