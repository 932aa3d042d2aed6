// SPDX-License-Identifier: Apache-2.0
// Reads the objects of a configuration file into Settings; every fault is reported with its
// position and the valid rest stays.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/schema.h"
#include "config/settings.h"
#include "ingest/reader/sink.h"

namespace tessera::config {

class SettingsReader : public reader::Sink {
 public:
  explicit SettingsReader(std::string_view file);

  void object(const reader::Object& object) override;
  void error(Error error) override;

  LoadedSettings finish() &&;

 private:
  /// A profile as the file writes it: the fields that it sets, before `extends` is resolved.
  struct Draft {
    std::string name, extends = "default";
    std::vector<std::pair<const ProfileField*, std::int64_t>> values;
    Where where;
  };

  /// "levels[3]"
  static std::string numbered(const std::string& path, std::size_t i);
  void report(reader::Value at, const std::string& field, std::string message);
  void unknown(reader::Value entry, const std::string& path, const std::vector<std::string>& known);
  std::string text(reader::Value value, const std::string& field);
  /// Entries of the sequence at `field`; reports anything else.
  std::vector<reader::Value> entries(reader::Value value, const std::string& field);

  /// A whole number within the range, or a position among the choices; anything else is reported.
  std::optional<std::int64_t> number(reader::Value value, const std::string& field, Range range);
  std::optional<std::int64_t> choice(reader::Value value, const std::string& field,
                                     const std::vector<std::string>& choices);

  void read_threads(reader::Value value, const std::string& path);
  void read_shards(reader::Value value, const std::string& path);
  void read_pods_ready(reader::Value value, const std::string& path);
  void read_requeuing(reader::Value value, const std::string& path, PodsReady& rule);
  void read_topology(reader::Value value, const std::string& path);
  void read_level(reader::Value value, const std::string& path, topology::TopologySpec& topology);
  void check_levels(reader::Value at, const std::string& path,
                    const topology::TopologySpec& topology);
  void read_profile(reader::Value value, const std::string& path);
  void read_fields(reader::Value value, const std::string& path, const std::string& prefix,
                   Draft& draft);
  void read_rule(reader::Value value, const std::string& path);
  void read_resources(reader::Value value, const std::string& path);
  void read_transformation(reader::Value value, const std::string& path);
  void read_outputs(reader::Value value, const std::string& path, ResourceTransformation& rule);
  void resolve_profiles(const std::vector<std::string>& names);

  LoadedSettings loaded_;
  std::string file_;
  std::vector<Draft> drafts_;
  std::set<std::string> draft_names_;
  std::map<std::string, Where> rule_positions_;  // profile named by a rule -> where
  bool seen_ = false;
};

}  // namespace tessera::config
