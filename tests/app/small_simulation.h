// SPDX-License-Identifier: Apache-2.0
// A simulation of three gangs on two hosts, for the tests of `simulate`.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/app/run_tessera.h"

namespace tessera::app_test {

/// Two hosts of 4 GPUs.
inline std::string two_hosts() {
  std::string text;
  for (const char* name : {"h1", "h2"}) {
    text +=
        nlohmann::json{
            {"apiVersion", "v1"},
            {"kind", "Node"},
            {"metadata", {{"name", name}, {"labels", {{"kubernetes.io/hostname", name}}}}},
            {"status",
             {{"allocatable", {{"cpu", "64"}, {"nvidia.com/gpu", "4"}, {"pods", "110"}}},
              {"conditions", {{{"type", "Ready"}, {"status", "True"}}}}}}}
            .dump() +
        "\n";
  }
  return text;
}

/// `pods` pods of 4 GPUs each.
inline nlohmann::json job(const std::string& name, int pods) {
  const nlohmann::json container = {{"name", "main"},
                                    {"resources", {{"requests", {{"nvidia.com/gpu", "4"}}}}}};
  return {{"apiVersion", "batch/v1"},
          {"kind", "Job"},
          {"metadata", {{"name", name}}},
          {"spec",
           {{"parallelism", pods},
            {"completions", pods},
            {"template", {{"spec", {{"containers", {container}}}}}}}}};
}

inline std::string line(double time, double run, const nlohmann::json& workload) {
  return nlohmann::json{{"time", time}, {"runSeconds", run}, {"workload", workload}}.dump() + "\n";
}

/// Arguments of a run over two hosts and `trace`.
inline std::vector<std::string> simulate(const Scratch& scratch, const std::string& trace,
                                         const std::vector<std::string>& extra = {}) {
  std::vector<std::string> arguments = {"simulate", "-C", scratch.file("nodes.json", two_hosts()),
                                        "--trace", scratch.file("t.jsonl", trace)};
  arguments.insert(arguments.end(), extra.begin(), extra.end());
  return arguments;
}

// a holds both hosts 0..10; b waits 8 s, on one host 10..30; c as well 9 s, 10..15.
inline const std::string kThree =
    line(0, 10, job("a", 2)) + line(2, 20, job("b", 1)) + line(1, 5, job("c", 1));

}  // namespace tessera::app_test
