// SPDX-License-Identifier: Apache-2.0
#include "ingest/objects/limit_ranges.h"

#include <functional>

#include "ingest/fields/field_text.h"
#include "ingest/fields/fields.h"

namespace tessera::ingest {
namespace {

using topology::Amount;
using topology::Amounts;

void fill_missing(const Amounts& from, Amounts& into) {
  for (const Amount& amount : from) {
    if (into.find(amount.resource) == nullptr) into.set(amount.resource, amount.value);
  }
}

/// The stricter of two bounds, resource by resource.
void tighten(const Amounts& from, Amounts& into, bool smaller) {
  for (const Amount& amount : from) {
    const std::int64_t* known = into.find(amount.resource);
    const bool stricter = !known || (smaller ? amount.value < *known : amount.value > *known);
    if (stricter) into.set(amount.resource, amount.value);
  }
}

/// The default requests that an API server fills in when it takes an item for containers; objects
/// of a dump have them. It makes the maximum a default limit too. That is left out: where it
/// matters, the request is above the maximum, which is the clearer fault.
void fill_like_the_server(LimitRangeItem& item) {
  for (const Amounts* from : {&item.limits, &item.most, &item.least}) {
    fill_missing(*from, item.requests);
  }
}

void merge(const LimitRangeItem& from, LimitRangeItem& into) {
  fill_missing(from.limits, into.limits);
  fill_missing(from.requests, into.requests);
  tighten(from.most, into.most, true);
  tighten(from.least, into.least, false);
}

/// `["cpu" "memory"]`: the resources of `a` that are above those of `b`; empty if none is.
std::string above(const Amounts& a, const Amounts& b) {
  std::string names;
  for (const Amount& amount : a) {
    const std::int64_t* bound = b.find(amount.resource);
    if (!bound || amount.value <= *bound) continue;
    names += (names.empty() ? "" : " ") + quoted(amount.resource.view());
  }
  return names.empty() ? names : "[" + names + "]";
}

/// For each resource the larger of a container's request and limit. at_least(): the smaller.
Amounts at_most(const ContainerResources& container) {
  Amounts amounts = container.asked();
  amounts.raise_to(container.limits);
  return amounts;
}
Amounts at_least(const ContainerResources& container) {
  Amounts amounts = container.asked();
  tighten(container.limits, amounts, true);
  return amounts;
}

class Faults {
 public:
  explicit Faults(std::string what) : what_(std::move(what)) {}

  void add(const std::string& path, const std::string& names, const char* rule) {
    if (names.empty()) return;
    ++number_;
    faults_ += (faults_.empty() ? "" : ", ") + path + ": Invalid value: " + names + ": " + rule;
  }

  std::string text() const {
    if (number_ == 0) return {};
    return what_ + ": " + (number_ > 1 ? "[" + faults_ + "]" : faults_);
  }

 private:
  std::string what_, faults_;
  int number_ = 0;
};

using Visit = std::function<void(const std::string&, const ContainerResources&)>;
void for_each_container(const PodResources& resources, const std::string& path,
                        const Visit& visit) {
  for (std::size_t i = 0; i < resources.inits.size(); ++i) {
    visit(item(path + ".initContainers", i), resources.inits[i]);
  }
  for (std::size_t i = 0; i < resources.containers.size(); ++i) {
    visit(item(path + ".containers", i), resources.containers[i]);
  }
}

}  // namespace

void read_limit_range(ReadContext& context, const ObjectHeader& header, reader::Value root) {
  const std::size_t errors = context.error_count();
  const reader::Value spec = context.map(header, root, "spec", "");
  LimitRangeObject read{header.namespace_name, header.name, {}, {}};
  const reader::Value list = context.sequence(header, spec, "limits", "spec");
  std::size_t index = 0;
  for (reader::Value v = list.first(); v; v = v.next()) {
    const std::string path = item("spec.limits", index++);
    LimitRangeItem limits;
    limits.limits = context.amounts(header, v, "default", path);
    limits.requests = context.amounts(header, v, "defaultRequest", path);
    limits.most = context.amounts(header, v, "max", path);
    limits.least = context.amounts(header, v, "min", path);
    if (v["maxLimitRequestRatio"].size() > 0) {
      context.warning(header, v["maxLimitRequestRatio"], path + ".maxLimitRequestRatio",
                      "is not checked by this version");
    }
    const std::string type = read_required(context, header, v, "type", path);
    if (type == "Container") fill_like_the_server(limits);
    if (type == "Container") merge(limits, read.containers);
    if (type == "Pod") merge(limits, read.pods);
  }
  if (context.error_count() == errors) context.limit_ranges.push_back(std::move(read));
}

void merge_limits(const LimitRangeObject& other, LimitRangeObject& limits) {
  merge(other.containers, limits.containers);
  merge(other.pods, limits.pods);
}

void apply_defaults(const LimitRangeObject& limits, PodResources& resources) {
  for (auto* list : {&resources.containers, &resources.inits}) {
    for (ContainerResources& container : *list) {
      fill_missing(container.limits, container.requests);
      fill_missing(limits.containers.limits, container.limits);
      fill_missing(limits.containers.requests, container.requests);
    }
  }
  if (!resources.pod) return;
  fill_missing(resources.pod->limits, resources.pod->requests);
  fill_missing(limits.pods.limits, resources.pod->limits);
  fill_missing(limits.pods.requests, resources.pod->requests);
}

std::string request_fault(const PodResources& resources, const std::string& path) {
  Faults faults("resources validation failed");
  for_each_container(resources, path, [&](const std::string& where, const auto& container) {
    faults.add(where, above(container.requests, container.limits),
               "requests must not exceed its limits");
  });
  return faults.text();
}

std::string range_fault(const LimitRangeObject& limits, const PodResources& resources,
                        const std::string& path) {
  constexpr const char* kAbove = "requests must not be above the limitRange max";
  constexpr const char* kBelow = "requests must not be below the limitRange min";
  Faults faults("resources didn't satisfy LimitRange constraints");
  for_each_container(resources, path, [&](const std::string& where, const auto& container) {
    faults.add(where, above(at_most(container), limits.containers.most), kAbove);
    faults.add(where, above(limits.containers.least, at_least(container)), kBelow);
  });
  const Amounts total = resources.effective_request();
  faults.add(path, above(total, limits.pods.most), kAbove);
  faults.add(path, above(limits.pods.least, total), kBelow);
  return faults.text();
}

}  // namespace tessera::ingest
