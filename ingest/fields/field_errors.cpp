// SPDX-License-Identifier: Apache-2.0
#include "ingest/fields/field_errors.h"

namespace tessera::ingest {
void FieldErrors::add(reader::Value at, const std::string& field, std::string message) {
  out_.push_back(
      {ErrorCode::kInvalidInput, std::move(message), context_.where(header_, at, field)});
}

void FieldErrors::invalid(reader::Value at, const std::string& field, std::string_view value,
                          std::string_view detail) {
  add(at, field, "Invalid value: " + quoted(value) + ": " + std::string(detail));
}

void FieldErrors::invalid(reader::Value at, const std::string& field, std::string_view detail) {
  add(at, field, "Invalid value: " + std::string(detail));
}

void FieldErrors::required(reader::Value at, const std::string& field, std::string_view detail) {
  add(at, field, "Required value: " + std::string(detail));
}

void FieldErrors::forbidden(reader::Value at, const std::string& field, std::string_view detail) {
  add(at, field, "Forbidden: " + std::string(detail));
}

void FieldErrors::duplicate(reader::Value at, const std::string& field, std::string_view value) {
  add(at, field, "Duplicate value: " + quoted(value));
}

}  // namespace tessera::ingest
