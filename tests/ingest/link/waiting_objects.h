// SPDX-License-Identifier: Apache-2.0
// Texts of objects that wait to be placed, for the tests of the linking step.
#pragma once

#include <string>

namespace tessera::test {

inline constexpr char kSpec[] = "containers: [{name: c, resources: {requests: {cpu: 1}}}]";

inline std::string waiting_job(const std::string& metadata, const std::string& pod_template = "",
                               const std::string& rest = "") {
  return "apiVersion: batch/v1\nkind: Job\nmetadata: {namespace: ns, name: a" +
         (metadata.empty() ? "" : ", " + metadata) + "}\nspec: {template: {" +
         (pod_template.empty() ? "" : "metadata: {" + pod_template + "}, ") + "spec: {" + kSpec +
         "}}}\n" + rest;
}

inline std::string owned_by(const std::string& version, const std::string& kind) {
  return "ownerReferences: [{apiVersion: " + version + ", kind: " + kind +
         ", name: bert, uid: u, controller: true}]";
}

}  // namespace tessera::test
