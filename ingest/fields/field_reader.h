// SPDX-License-Identifier: Apache-2.0
// FieldReader: typed look-ups of the fields of an object, and the list of what is wrong with them.
//
// Base of the context that every object reader gets (ingest/objects/read_context.h). A fault is
// kept with its position, object and field, and reading goes on. Knows no kind and keeps no record.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/fields/object_header.h"
#include "ingest/values/value.h"
#include "topology/nodes/amounts.h"
#include "topology/nodes/quantity.h"
#include "topology/text/name_budget.h"
#include "topology/text/result.h"

namespace tessera::ingest {

class FieldReader {
 public:
  std::vector<Error> errors, warnings;
  topology::NameBudget* names = &topology::asked_names();  // see asked_name()
  /// Names that the API server would refuse. The object is read all the same: `validate` tells them
  /// as errors, other commands as warnings.
  std::vector<Error> name_faults;

  /// Position, object and field of a finding; `field` as a user writes it:
  /// `spec.template.metadata.annotations["x"]`.
  Where where(const ObjectHeader& header, reader::Value at, std::string field) const;
  void error(const ObjectHeader& header, reader::Value at, std::string field, std::string message);
  void warning(const ObjectHeader& header, reader::Value at, std::string field,
               std::string message);

  /// Number of errors so far. A reader that finds more at its end leaves its object out.
  std::size_t error_count() const { return errors.size(); }

  // Typed look-ups of `key` in the map `in`. Absent (or null): nothing. Of the wrong type or out of
  // range: an error is reported and nothing is returned. `path` is the field path of `in`
  // ("spec.template.spec").
  std::optional<std::string> text(const ObjectHeader& h, reader::Value in, std::string_view key,
                                  const std::string& path);
  std::optional<std::int64_t> integer(const ObjectHeader& h, reader::Value in, std::string_view key,
                                      const std::string& path, std::int64_t low, std::int64_t high);
  std::optional<bool> boolean(const ObjectHeader& h, reader::Value in, std::string_view key,
                              const std::string& path);
  reader::Value map(const ObjectHeader& h, reader::Value in, std::string_view key,
                    const std::string& path);
  reader::Value sequence(const ObjectHeader& h, reader::Value in, std::string_view key,
                         const std::string& path);
  /// Some lists are compared with each other, so that the time grows with the product of their
  /// lengths: taints with tolerations, requests with what nodes have. False, and an error, if
  /// `list` has more than kMostEntries entries; then none of them is read.
  static constexpr std::size_t kMostEntries = 1024;
  bool few_enough(const ObjectHeader& h, reader::Value list, std::string_view key,
                  const std::string& path);
  /// The same for what is read at `field`: labels, expressions, terms and values together.
  bool few_enough(const ObjectHeader& h, reader::Value at, const std::string& field,
                  std::size_t entries);

  /// A map from resource to quantity. An entry with a fault is reported and left out. A negative
  /// quantity is a fault.
  topology::Amounts amounts(const ObjectHeader& h, reader::Value in, std::string_view key,
                            const std::string& path);
  std::optional<topology::Quantity> quantity(const ObjectHeader& h, reader::Value value,
                                             const std::string& path);

  /// The name of a resource or level that a gang asks for. Such names become symbols, which stay
  /// for ever: an error is reported if this is a new one and one too many.
  std::optional<topology::Symbol> asked_name(const ObjectHeader& h, reader::Value at,
                                             const std::string& field, std::string_view name);
  /// amounts() that a gang or pod asks for: its resources are asked_name().
  topology::Amounts asked_amounts(const ObjectHeader& h, reader::Value in, std::string_view key,
                                  const std::string& path);

 private:
  topology::Amounts read_amounts(const ObjectHeader& h, reader::Value in, std::string_view key,
                                 const std::string& path, bool asked);
};

}  // namespace tessera::ingest
