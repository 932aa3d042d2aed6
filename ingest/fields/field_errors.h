// SPDX-License-Identifier: Apache-2.0
// Errors of validation (placement.md 7), worded as the API server words them: `Invalid value: "0":
// must be ...`.
//
// Called by the readers of jobs and Workloads. Such an error does not stop reading: it goes into
// Workload::invalid and the workload is answered as Invalid. What cannot be read at all goes to
// FieldReader::error instead.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ingest/fields/field_reader.h"
#include "ingest/fields/field_text.h"

namespace tessera::ingest {

class FieldErrors {
 public:
  FieldErrors(const FieldReader& context, const ObjectHeader& header, std::vector<Error>& out)
      : context_(context), header_(header), out_(out) {}

  void invalid(reader::Value at, const std::string& field, std::string_view value,
               std::string_view detail);
  void invalid(reader::Value at, const std::string& field, std::string_view detail);
  void required(reader::Value at, const std::string& field, std::string_view detail);
  void forbidden(reader::Value at, const std::string& field, std::string_view detail);
  void duplicate(reader::Value at, const std::string& field, std::string_view value);

 private:
  void add(reader::Value at, const std::string& field, std::string message);

  const FieldReader& context_;
  const ObjectHeader& header_;
  std::vector<Error>& out_;
};

}  // namespace tessera::ingest
