// SPDX-License-Identifier: Apache-2.0
#include "ingest/encode/assignment_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/gzip_lines.h"

namespace tessera::encode {
namespace {

using nlohmann::json;

Assignment from(const json& vector) {
  Assignment out;
  out.levels = vector["levels"].get<std::vector<std::string>>();
  for (const json& d : vector["domains"]) {
    out.domains.push_back(
        {d["values"].get<std::vector<std::string>>(), d["count"].get<std::int64_t>()});
  }
  return out;
}

json encoded(const Assignment& assignment, SliceForm form) {
  return json::parse(assignment_json(assignment, AssignmentVersion::kV1Beta2, form).dump());
}

TEST(AssignmentJson, EqualsTheReferenceInBothForms) {
  int cases = 0, other = 0;
  for (const std::string& line : test::read_gzip_lines(TESSERA_TEST_DATA "/encoding.jsonl.gz")) {
    const json vector = json::parse(line);
    const Assignment assignment = from(vector);
    ++cases;
    const bool exact =
        encoded(assignment, SliceForm::kSingle) == vector["v1beta2"] &&
        encoded(assignment, SliceForm::kByHostnamePrefix) == vector["v1beta2ByHostnamePrefix"];
    if (!exact) ++other;
    EXPECT_TRUE(exact) << vector["id"];
  }
  EXPECT_EQ(cases, 400);
  std::printf("encoding: %d exact, 0 listed deviations, %d other\n", cases - other, other);
}

TEST(AssignmentJson, StaysSmallForTensOfThousandsOfHosts) {  // cases.md C175
  Assignment assignment{{"kubernetes.io/hostname"}, {}};
  for (int i = 0; i < 60'000; ++i) {
    const int spread = i * 7919;
    std::string name = "gke-pool-a-7f3c2b1d-";
    for (int k = 0, rest = spread; k < 5; ++k, rest /= 36)
      name += "0123456789abcdefghijklmnopqrstuvwxyz"[rest % 36];
    assignment.domains.push_back({{name}, 1});
  }
  EXPECT_LT(assignment_json(assignment, AssignmentVersion::kV1Beta2).dump().size(), 1'500'000u);
}

TEST(AssignmentJson, V1Beta1ListsDomains) {
  const Assignment assignment{{"block", "rack"}, {{{"b1", "r1"}, 2}, {{"b1", "r2"}, 1}}};
  EXPECT_EQ(
      assignment_json(assignment, AssignmentVersion::kV1Beta1).dump(),
      R"({"levels":["block","rack"],"domains":[{"values":["b1","r1"],"count":2},{"values":["b1","r2"],"count":1}]})");
}

}  // namespace
}  // namespace tessera::encode
