// SPDX-License-Identifier: Apache-2.0
#include "topology/nodes/amounts.h"

#include <algorithm>

namespace tessera::topology {
namespace {

constexpr std::size_t kFew = 4;  // resources of most requests: one allocation, not three

auto position(std::vector<Amount>& amounts, Symbol resource) {
  return std::lower_bound(
      amounts.begin(), amounts.end(), resource,
      [](const Amount& a, Symbol name) { return a.resource.view() < name.view(); });
}

}  // namespace

Amounts::Amounts(std::initializer_list<Amount> amounts) {
  for (const Amount& amount : amounts) set(amount.resource, amount.value);
}

const std::int64_t* Amounts::find(Symbol resource) const {
  for (const Amount& amount : amounts_) {
    if (amount.resource == resource) return &amount.value;
  }
  return nullptr;
}

std::int64_t Amounts::get(Symbol resource) const {
  const std::int64_t* value = find(resource);
  return value == nullptr ? 0 : *value;
}

void Amounts::set(Symbol resource, std::int64_t value) {
  if (amounts_.empty()) amounts_.reserve(kFew);
  const auto at = position(amounts_, resource);
  if (at != amounts_.end() && at->resource == resource) {
    at->value = value;
  } else {
    amounts_.insert(at, {resource, value});
  }
}

void Amounts::erase(Symbol resource) {
  const auto at = position(amounts_, resource);
  if (at != amounts_.end() && at->resource == resource) amounts_.erase(at);
}

void Amounts::add(const Amounts& other) {
  if (empty()) {
    *this = other;
    return;
  }
  for (const Amount& amount : other)
    set(amount.resource, saturating_add(get(amount.resource), amount.value));
}

void Amounts::subtract(const Amounts& other) {
  for (const Amount& amount : other)
    set(amount.resource, saturating_sub(get(amount.resource), amount.value));
}

void Amounts::raise_to(const Amounts& other) {
  for (const Amount& amount : other) {
    const std::int64_t* own = find(amount.resource);
    if (own == nullptr || *own < amount.value) set(amount.resource, amount.value);
  }
}

Amounts Amounts::times(std::int64_t factor) const {
  Amounts out = *this;
  for (Amount& amount : out.amounts_) amount.value = saturating_mul(amount.value, factor);
  return out;
}

Symbol cpu_resource() {
  static const Symbol kName("cpu");
  return kName;
}

Symbol pods_resource() {
  static const Symbol kName("pods");
  return kName;
}

Symbol gpu_resource() {
  static const Symbol kName("nvidia.com/gpu");
  return kName;
}

std::int64_t engine_amount(Symbol resource, const Quantity& quantity) {
  const auto amount = resource == cpu_resource() ? quantity.milli_value() : quantity.value();
  return amount.value_or(quantity.sign() < 0 ? INT64_MIN : INT64_MAX);
}

}  // namespace tessera::topology
