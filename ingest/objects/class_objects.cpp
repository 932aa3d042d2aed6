// SPDX-License-Identifier: Apache-2.0
#include "ingest/objects/class_objects.h"

#include "ingest/objects/nodes.h"

namespace tessera::ingest {
namespace {

using reader::Value;
using topology::Symbol;

/// The value stands at the top of the object in both kinds.
std::optional<PriorityClassObject> read_class(ReadContext& context, const ObjectHeader& header,
                                              Value root) {
  const auto value = context.integer(header, root, "value", "", INT32_MIN, INT32_MAX);
  if (!value) {
    if (!root["value"]) context.error(header, root, "value", "is missing");
    return std::nullopt;
  }
  return PriorityClassObject{header.name, *value, false};
}

}  // namespace

void read_namespace(ReadContext& context, const ObjectHeader& header, Value root) {
  const std::size_t errors = context.error_count();
  core::NamespaceRecord read{header.name, read_labels(context, header, root)};
  // The API server gives every namespace this label; a hand-written file lacks it.
  read.labels.set(Symbol("kubernetes.io/metadata.name"), Symbol(header.name));
  if (context.error_count() == errors) context.inventory.namespaces.push_back(std::move(read));
}

void read_priority_class(ReadContext& context, const ObjectHeader& header, Value root) {
  auto read = read_class(context, header, root);
  if (!read) return;
  read->global_default = context.boolean(header, root, "globalDefault", "").value_or(false);
  context.priority_classes.push_back(std::move(*read));
}

void read_runtime_class(ReadContext& context, const ObjectHeader& header, Value root) {
  const std::size_t errors = context.error_count();
  const Value overhead = context.map(header, root, "overhead", "");
  RuntimeClassObject read{header.name, context.amounts(header, overhead, "podFixed", "overhead")};
  if (context.error_count() == errors) context.runtime_classes.push_back(std::move(read));
}

void read_workload_priority_class(ReadContext& context, const ObjectHeader& header, Value root) {
  auto read = read_class(context, header, root);
  if (read) context.workload_priority_classes.push_back(std::move(*read));
}

}  // namespace tessera::ingest
