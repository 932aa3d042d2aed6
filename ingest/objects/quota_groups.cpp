// SPDX-License-Identifier: Apache-2.0
#include "ingest/objects/quota_groups.h"

#include <algorithm>
#include <set>

#include "ingest/fields/field_text.h"
#include "ingest/fields/fields.h"

namespace tessera::ingest {
namespace {

using core::FlavorQuotas;
using core::ResourceGroup;
using core::ResourceQuota;
using reader::Value;
using topology::Symbol;

class GroupReader {
 public:
  GroupReader(ReadContext& context, const ObjectHeader& header, bool has_parent)
      : context_(context), header_(header), has_parent_(has_parent) {}

  ResourceGroup group(Value in, const std::string& path);

 private:
  FlavorQuotas flavor(Value in, const std::string& path, const std::vector<Symbol>& covered);
  ResourceQuota resource(Value in, const std::string& path);
  std::optional<std::int64_t> amount(Value in, std::string_view key, const std::string& path,
                                     Symbol resource);
  std::optional<std::int64_t> limit(Value in, std::string_view key, const std::string& path,
                                    Symbol resource);
  void check_covered(Value in, const std::string& path, const FlavorQuotas& flavor,
                     const std::vector<Symbol>& covered);

  ReadContext& context_;
  const ObjectHeader& header_;
  const bool has_parent_;
  std::set<std::string, std::less<>> resources_, flavors_;  // each in one group only
};

std::optional<std::int64_t> GroupReader::amount(Value in, std::string_view key,
                                                const std::string& path, Symbol resource) {
  const Value value = in[key];
  if (!value || value.is(reader::Type::kNull)) return std::nullopt;
  const auto quantity = context_.quantity(header_, value, path + "." + std::string(key));
  if (!quantity) return std::nullopt;
  return topology::engine_amount(resource, *quantity);
}

std::optional<std::int64_t> GroupReader::limit(Value in, std::string_view key,
                                               const std::string& path, Symbol resource) {
  const std::optional<std::int64_t> read = amount(in, key, path, resource);
  if (!read || has_parent_) return read;
  context_.warning(header_, in[key], path + "." + std::string(key),
                   "has no effect without a cohort");
  return std::nullopt;
}

ResourceQuota GroupReader::resource(Value in, const std::string& path) {
  ResourceQuota read;
  read.resource = Symbol(read_required(context_, header_, in, "name", path));
  const std::optional<std::int64_t> nominal = amount(in, "nominalQuota", path, read.resource);
  if (!nominal && !in["nominalQuota"]) {
    context_.error(header_, in, path + ".nominalQuota", "is missing");
  }
  read.nominal = nominal.value_or(0);
  read.borrowing_limit = limit(in, "borrowingLimit", path, read.resource);
  read.lending_limit = limit(in, "lendingLimit", path, read.resource);
  if (nominal && read.lending_limit && *read.lending_limit > *nominal) {
    context_.error(header_, in["lendingLimit"], path + ".lendingLimit",
                   quoted(in["lendingLimit"].text()) + " is above nominalQuota " +
                       quoted(in["nominalQuota"].text()));
  }
  return read;
}

void GroupReader::check_covered(Value in, const std::string& path, const FlavorQuotas& flavor,
                                const std::vector<Symbol>& covered) {
  std::set<std::string_view> quotas, expected;
  for (const ResourceQuota& quota : flavor.resources) quotas.insert(quota.resource.view());
  for (const Symbol resource : covered) expected.insert(resource.view());
  if (quotas.size() != flavor.resources.size()) {
    context_.error(header_, in["resources"], path + ".resources", "names a resource twice");
  }
  for (const std::string_view resource : expected) {
    if (quotas.count(resource) > 0) continue;
    context_.error(header_, in, path + ".resources",
                   "lacks " + quoted(resource) + ", which coveredResources names");
  }
  for (const std::string_view resource : quotas) {
    if (resource.empty() || expected.count(resource) > 0) continue;
    context_.error(header_, in["resources"], path + ".resources",
                   "names " + quoted(resource) + ", which coveredResources lacks");
  }
}

FlavorQuotas GroupReader::flavor(Value in, const std::string& path,
                                 const std::vector<Symbol>& covered) {
  FlavorQuotas read;
  read.flavor = read_required(context_, header_, in, "name", path);
  if (!read.flavor.empty() && !flavors_.insert(read.flavor).second) {
    context_.error(header_, in["name"], path + ".name",
                   quoted(read.flavor) + " stands in resourceGroups twice");
  }
  const Value list = context_.sequence(header_, in, "resources", path);
  for (Value one = list.first(); one; one = one.next()) {
    read.resources.push_back(resource(one, item(path + ".resources", read.resources.size())));
  }
  check_covered(in, path, read, covered);
  return read;
}

ResourceGroup GroupReader::group(Value in, const std::string& path) {
  ResourceGroup read;
  const Value covered = context_.sequence(header_, in, "coveredResources", path);
  if (!context_.few_enough(header_, covered, "coveredResources", path)) return read;
  for (Value one = covered.first(); one; one = one.next()) {
    const std::string here = item(path + ".coveredResources", read.covered.size());
    read.covered.emplace_back(one.text());
    if (one.text().empty()) {
      context_.error(header_, one, here, "must be the name of a resource");
    } else if (!resources_.emplace(one.text()).second) {
      context_.error(header_, one, here, quoted(one.text()) + " is covered twice");
    }
  }
  if (read.covered.empty()) {
    context_.error(header_, in, path + ".coveredResources", "names no resource");
  }
  const Value flavors = context_.sequence(header_, in, "flavors", path);
  for (Value one = flavors.first(); one; one = one.next()) {
    const std::string here = item(path + ".flavors", read.flavors.size());
    read.flavors.push_back(flavor(one, here, read.covered));
  }
  if (read.flavors.empty()) context_.error(header_, in, path + ".flavors", "names no flavor");
  return read;
}

}  // namespace

std::vector<ResourceGroup> read_resource_groups(ReadContext& context, const ObjectHeader& header,
                                                Value spec, bool has_parent) {
  std::vector<ResourceGroup> groups;
  GroupReader groups_reader(context, header, has_parent);
  const Value list = context.sequence(header, spec, "resourceGroups", "spec");
  if (!context.few_enough(header, list, "resourceGroups", "spec")) return groups;
  for (Value one = list.first(); one; one = one.next()) {
    groups.push_back(groups_reader.group(one, item("spec.resourceGroups", groups.size())));
  }
  return groups;
}

}  // namespace tessera::ingest
