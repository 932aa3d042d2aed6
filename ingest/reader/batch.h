// SPDX-License-Identifier: Apache-2.0
// Batch: the objects of one piece of a text, kept until all pieces before it are handed over.
//
// Filled by the thread that parses the piece, emptied by the calling thread of read_text(). Its
// storage is reused from piece to piece. It does not keep an error of the piece: an error only
// marks the batch as spoiled, and the text is read again in one go.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ingest/reader/sink.h"

namespace tessera::reader {

class Batch : public Sink {
 public:
  void clear() {
    size_ = 0;
    spoilt_ = false;
  }
  void object(const Object& object) override;
  void error(Error) override { spoilt_ = true; }

  bool spoilt() const { return spoilt_; }
  std::size_t size() const { return size_; }
  void hand_over(Sink& sink) const;

 private:
  struct Kept {
    Document document;
    std::string_view file;
    std::string list_api_version, list_kind;
  };
  std::vector<Kept> kept_;  // the first size_ are filled
  std::size_t size_ = 0;
  bool spoilt_ = false;
};

}  // namespace tessera::reader
