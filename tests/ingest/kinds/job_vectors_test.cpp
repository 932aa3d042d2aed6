// SPDX-License-Identifier: Apache-2.0
// Jobs and JobSets against the reference's answers: pod sets, and errors of validation.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/ingest/objects/object_reading.h"
#include "tests/support/gzip_lines.h"

namespace tessera::test {
namespace {

using nlohmann::json;

std::string manifests(const json& vector) {
  std::string text;
  for (const json& object : vector["objects"]) text += object.dump() + "\n";
  return text;
}

struct Kind {
  const char* prefix;  // of our messages
  const char* type;    // of the reference
};
constexpr Kind kErrorKinds[] = {{"Invalid value: ", "FieldValueInvalid"},
                                {"Required value: ", "FieldValueRequired"},
                                {"Forbidden: ", "FieldValueForbidden"},
                                {"Duplicate value: ", "FieldValueDuplicate"}};

/// Behind `"value": ` at the start of a message; 0 if there is only a value.
std::size_t value_end(const std::string& message) {
  std::size_t at = 1;
  while (at < message.size() && message[at] != '"') at += message[at] == '\\' ? 2 : 1;
  return message.compare(at, 3, "\": ") == 0 ? at + 3 : 0;
}

/// "field type detail", as the reference writes a field: no quotes in brackets.
std::string found_error(const Error& error) {
  std::string field = error.where.field;
  field.erase(std::remove(field.begin(), field.end(), '"'), field.end());
  std::string detail = error.message;
  std::string type = "?";
  for (const Kind& kind : kErrorKinds) {
    if (!detail.starts_with(kind.prefix)) continue;
    detail.erase(0, std::string(kind.prefix).size());
    type = kind.type;
  }
  if (detail.starts_with('"')) detail.erase(0, value_end(detail));
  return field + " " + type + (type == "FieldValueDuplicate" ? "" : " " + detail);
}

std::string right_error(const json& error, bool with_detail) {
  std::string text = error.value("field", "") + " " + error.value("type", "");
  const std::string detail = error.value("detail", "");
  if (with_detail && !detail.empty()) text += " " + detail;
  return text;
}

/// Each right error is among `found`, and nothing else is. Errors marked loose keep their own
/// words.
bool same_errors(const json& right, const std::vector<Error>& found) {
  std::multiset<std::string> left;
  for (const Error& error : found) left.insert(found_error(error));
  for (const json& error : right) {
    const bool loose = error.value("loose", false);
    const std::string wanted = right_error(error, !loose);
    const auto hit = std::find_if(left.begin(), left.end(), [&](const std::string& text) {
      return loose ? text.starts_with(wanted) : text == wanted;
    });
    if (hit == left.end()) return false;
    left.erase(hit);
  }
  return left.empty();
}

/// Why a line is answered otherwise on purpose, or nullptr.
const char* listed_deviation(const json& vector) {
  static const std::map<std::string, const char*> kById = {
      {"vk-055", "sizes in quotes are read (kinds.md 0.13)"},
      {"vk-271", "the field is written like every other annotation"},
      {"vk-272", "the field is written like every other annotation"},
  };
  if (vector.contains("deviation")) return "every error of a file is reported";
  const auto found = kById.find(vector["id"].get<std::string>());
  return found == kById.end() ? nullptr : found->second;
}

TEST(JobValidation, EqualsTheReference) {
  int exact = 0, listed = 0, other = 0;
  for (const std::string& line : read_gzip_lines(TESSERA_TEST_DATA "/validation-jobs.jsonl.gz")) {
    const json vector = json::parse(line);
    const ingest::ReadContext context = read_objects(manifests(vector));
    std::vector<Error> found = context.errors;
    for (const ingest::JobObject& job : context.jobs) {
      found.insert(found.end(), job.workload.invalid.begin(), job.workload.invalid.end());
    }
    const json right = vector["expect"].value("errors", json::array());
    if (same_errors(right, found)) {
      ++exact;
    } else if (listed_deviation(vector) != nullptr) {
      EXPECT_TRUE(!found.empty() || vector["id"] == "vk-055") << vector["id"];
      ++listed;
    } else {
      ++other;
      ADD_FAILURE() << vector["id"] << " right:\n"
                    << right.dump(1) << "\nfound:\n"
                    << findings(found);
    }
  }
  std::printf("job validation: %d exact, %d listed deviations, %d other\n", exact, listed, other);
  EXPECT_EQ(exact + listed, 157);
}

std::string right_request(const json& request) {
  if (request.is_null()) return "-";
  std::string text;
  for (const char* key : {"required", "preferred"}) {
    if (request.contains(key))
      text += " " + std::string(key) + "=" + request[key].get<std::string>();
  }
  if (request.contains("unconstrained")) {
    text += request["unconstrained"].get<bool>() ? " unconstrained" : " constrained";
  }
  if (request.contains("podsetSliceRequiredTopologyConstraints")) {
    for (const json& layer : request["podsetSliceRequiredTopologyConstraints"]) {
      text += " slice=" + layer["topology"].get<std::string>() + ":" + layer["size"].dump();
    }
  } else if (request.contains("podSetSliceRequiredTopology")) {
    text += " slice=" + request["podSetSliceRequiredTopology"].get<std::string>() + ":" +
            request["podSetSliceSize"].dump();
  }
  if (request.contains("podSetGroupName")) {
    text += " group=" + request["podSetGroupName"].get<std::string>();
  }
  return text.empty() ? "-" : text.substr(1);
}

std::string right_amounts(const json& quantities) {
  topology::Amounts amounts;
  for (const auto& [name, text] : quantities.items()) {
    const topology::Symbol resource(name);
    amounts.set(resource, topology::engine_amount(
                              resource, *topology::Quantity::parse(text.get<std::string>())));
  }
  return amounts_text(amounts);
}

std::string right_pod_set(const json& p) {
  const json tolerations = p.value("tolerations", json::array());
  return p["name"].get<std::string>() + " count " + p["count"].dump() + " min " +
         (p.contains("minCount") ? p["minCount"].dump() : "-") + " [" +
         right_request(p.value("topologyRequest", json())) + "] " +
         right_amounts(p.value("requests", json::object())) + " selector " +
         std::to_string(p.value("nodeSelector", json::object()).size()) + " tolerations " +
         std::to_string(tolerations.size());
}

std::string found_pod_set(const solver::PodSet& p) {
  return p.name + " count " + std::to_string(p.count) + " min " +
         (p.min_count ? std::to_string(*p.min_count) : "-") + " [" + request_text(p) + "] " +
         amounts_text(p.request) + " selector " + std::to_string(p.filter.node_selector.size()) +
         " tolerations " + std::to_string(p.filter.tolerations.size());
}

/// RuntimeClass and LimitRange objects change requests; they are not read here.
bool uses_defaults_of_others(const json& vector) {
  return std::any_of(vector["objects"].begin(), vector["objects"].end(), [](const json& object) {
    return object["kind"] == "RuntimeClass" || object["kind"] == "LimitRange";
  });
}

TEST(JobPodSets, EqualTheReference) {
  int exact = 0, no_workload = 0, listed = 0;
  for (const std::string& line : read_gzip_lines(TESSERA_TEST_DATA "/kinds-jobs.jsonl.gz")) {
    const json vector = json::parse(line);
    const ingest::ReadContext context = read_objects(manifests(vector));
    const json workloads = vector["expect"].value("workloads", json::array());
    if (workloads.empty()) {
      ++no_workload;  // no queue, refused, or a class that is absent: not the readers' business
      continue;
    }
    if (uses_defaults_of_others(vector)) {
      ++listed;
      continue;
    }
    ASSERT_EQ(workloads.size(), 1u) << vector["id"];
    const std::string owner = workloads[0]["owners"][0].get<std::string>();
    const auto job = std::find_if(
        context.jobs.begin(), context.jobs.end(),
        [&](const ingest::JobObject& j) { return j.header.kind + "/" + j.header.name == owner; });
    ASSERT_NE(job, context.jobs.end()) << vector["id"] << findings(context.errors);
    const core::Workload& workload = job->workload;
    EXPECT_EQ(findings(workload.invalid), "") << vector["id"];
    EXPECT_EQ(workload.queue, workloads[0].value("queue", "")) << vector["id"];
    std::string right, found;
    for (const json& p : workloads[0]["podSets"]) right += right_pod_set(p) + "\n";
    for (const solver::PodSet& p : workload.gang.pod_sets) found += found_pod_set(p) + "\n";
    EXPECT_EQ(found, right) << vector["id"];
    exact += found == right ? 1 : 0;
  }
  std::printf("job pod sets: %d exact, %d listed, %d without workload\n", exact, listed,
              no_workload);
  EXPECT_EQ(exact + listed + no_workload, 196);
}

}  // namespace
}  // namespace tessera::test
