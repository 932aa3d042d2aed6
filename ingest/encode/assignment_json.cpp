// SPDX-License-Identifier: Apache-2.0
#include "ingest/encode/assignment_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "ingest/encode/prefix_runs.h"

namespace tessera::encode {
namespace {

using Json = nlohmann::ordered_json;
using Run = std::span<const AssignedDomain>;

std::size_t common_prefix(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                                  a.begin());
}

std::size_t common_suffix(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend()).first -
                                  a.rbegin());
}

/// One level of a slice: one value for all, or the middles between the longest common prefix and
/// suffix.
Json level_values(Run run, std::size_t level) {
  const std::string& first = run.front().values[level];
  std::size_t prefix = first.size(), suffix = first.size(), shortest = first.size(),
              longest = first.size();
  for (const AssignedDomain& domain : run) {
    const std::string& value = domain.values[level];
    prefix = std::min(prefix, common_prefix(first, value));
    suffix = std::min(suffix, common_suffix(first, value));
    shortest = std::min(shortest, value.size());
    longest = std::max(longest, value.size());
  }
  if (prefix == longest) return Json{{"universal", first}};
  if (prefix + suffix > shortest) prefix = shortest - suffix;

  Json roots = Json::array();
  for (const AssignedDomain& domain : run) {
    const std::string& value = domain.values[level];
    roots.push_back(value.substr(prefix, value.size() - prefix - suffix));
  }
  Json individual = Json::object();
  if (prefix > 0) individual["prefix"] = first.substr(0, prefix);
  if (suffix > 0) individual["suffix"] = first.substr(first.size() - suffix);
  individual["roots"] = std::move(roots);
  return Json{{"individual", std::move(individual)}};
}

Json pod_counts(Run run) {
  const auto same = [&](const AssignedDomain& domain) { return domain.pods == run.front().pods; };
  if (std::all_of(run.begin(), run.end(), same)) return Json{{"universal", run.front().pods}};
  Json counts = Json::array();
  for (const AssignedDomain& domain : run) counts.push_back(domain.pods);
  return Json{{"individual", std::move(counts)}};
}

Json slice_json(Run run, std::size_t levels) {
  Json values = Json::array();
  for (std::size_t level = 0; level < levels; ++level) values.push_back(level_values(run, level));
  return Json{{"domainCount", run.size()},
              {"valuesPerLevel", std::move(values)},
              {"podCounts", pod_counts(run)}};
}

Json slices_json(const Assignment& assignment, const std::vector<std::size_t>& ends) {
  Json slices = Json::array();
  std::size_t begin = 0;
  for (std::size_t end : ends) {
    slices.push_back(
        slice_json(Run(assignment.domains).subspan(begin, end - begin), assignment.levels.size()));
    begin = end;
  }
  return slices;
}

Json v1beta2(const Assignment& assignment, SliceForm form) {
  Json out{{"levels", assignment.levels}};
  if (assignment.domains.empty()) return out;
  const std::vector<std::size_t> one{assignment.domains.size()};
  if (form == SliceForm::kSingle) {
    out["slices"] = slices_json(assignment, one);
    return out;
  }
  const std::vector<std::size_t> runs = prefix_runs(assignment);
  Json by_prefix = slices_json(assignment, runs);
  if (runs.size() > 1 && assignment.domains.size() <= kMostDomainsInSlice) {
    Json single = slices_json(assignment, one);
    if (single.dump().size() < by_prefix.dump().size()) by_prefix = std::move(single);
  }
  out["slices"] = std::move(by_prefix);
  return out;
}

}  // namespace

Json assignment_json(const Assignment& assignment, AssignmentVersion version, SliceForm form) {
  if (version == AssignmentVersion::kV1Beta2) return v1beta2(assignment, form);
  Json domains = Json::array();
  for (const AssignedDomain& domain : assignment.domains) {
    domains.push_back(Json{{"values", domain.values}, {"count", domain.pods}});
  }
  return Json{{"levels", assignment.levels}, {"domains", std::move(domains)}};
}

}  // namespace tessera::encode
