// SPDX-License-Identifier: Apache-2.0
#include "ingest/reader/batch.h"

namespace tessera::reader {

void Batch::object(const Object& object) {
  if (size_ == kept_.size()) kept_.emplace_back();
  Kept& kept = kept_[size_++];
  kept.document.copy(object.root);
  kept.file = object.file;
  kept.list_api_version = object.list_api_version;
  kept.list_kind = object.list_kind;
}

void Batch::hand_over(Sink& sink) const {
  for (std::size_t i = 0; i < size_; ++i) {
    const Kept& kept = kept_[i];
    sink.object({kept.document.root(), kept.file, kept.list_api_version, kept.list_kind});
  }
}

}  // namespace tessera::reader
