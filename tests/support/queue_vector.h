// SPDX-License-Identifier: Apache-2.0
// One line of queues-table.jsonl or queues-random.jsonl: a whole cluster, and what Kueue decides on
// it. The line runs through the loader, the engine and the encoder.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tessera::test {

struct QueueVector {
  std::string id;
  std::string objects;  // JSON lines
  std::string configuration;
  bool one_cycle = false;
  nlohmann::json expected;
};

QueueVector parse_queue_vector(const std::string& line);

/// What differs from the expectation, a line for each; the admissions by cycle come first. Empty:
/// the answer is exact.
struct QueueAnswer {
  std::vector<std::string> differences;
  int own_reasons = 0;  // texts to which Kueue gives no reason (queues.md 10.3)
};
QueueAnswer answer(const QueueVector& vector);

}  // namespace tessera::test
