// SPDX-License-Identifier: Apache-2.0
#include "actors/cycle/rerun.h"

#include <utility>

namespace tessera::core {

void Rerun::add(Mode mode, Record record) {
  mode_ = mode;
  records_.push_back(std::move(record));
}

void Rerun::end() {
  mode_ = Mode::kOff;
  flushes_ = false;
  records_.clear();
}

const CycleRecord* Rerun::at(CycleNumber cycle) const {
  const CycleRecord* record = next();
  return record != nullptr && record->cycle == cycle ? record : nullptr;
}

}  // namespace tessera::core
