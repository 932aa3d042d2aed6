// SPDX-License-Identifier: Apache-2.0
#include "config/settings_reader.h"

#include <algorithm>

#include "topology/parent_forest.h"
#include "topology/text/nearest.h"
#include "topology/text/wording.h"

namespace tessera::config {
namespace {

using reader::Type;
using reader::Value;
using topology::Symbol;

constexpr std::size_t kMostLevels = 16;  // placement.md 1.1

/// "12" or "-12", of any length.
bool is_integer(std::string_view text) {
  if (!text.empty() && text.front() == '-') text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

SettingsReader::SettingsReader(std::string_view file) : file_(file) {
  loaded_.settings = built_in_settings();
  loaded_.settings.source = file_;
}

std::string SettingsReader::numbered(const std::string& path, std::size_t i) {
  return path + "[" + std::to_string(i) + "]";
}

void SettingsReader::error(Error error) { loaded_.errors.push_back(std::move(error)); }

void SettingsReader::report(Value at, const std::string& field, std::string message) {
  const reader::Position position = at.position();
  error({ErrorCode::kInvalidInput,
         std::move(message),
         {file_, static_cast<int>(position.line), static_cast<int>(position.column), "", field}});
}

void SettingsReader::unknown(Value entry, const std::string& path,
                             const std::vector<std::string>& known) {
  const reader::Position position = entry.key_position();
  const std::string name(entry.key());
  error({ErrorCode::kInvalidInput,
         "unknown field" + did_you_mean(name, known),
         {file_, static_cast<int>(position.line), static_cast<int>(position.column), "",
          path.empty() ? name : path + "." + name}});
}

std::string SettingsReader::text(Value value, const std::string& field) {
  if (value.is(Type::kMap) || value.is(Type::kSequence) || value.is(Type::kNull)) {
    report(value, field, "expected a text");
    return {};
  }
  return std::string(value.text());
}

std::optional<std::int64_t> SettingsReader::number(Value value, const std::string& field,
                                                   Range range) {
  if (value.is(Type::kMap) || value.is(Type::kSequence) || value.is(Type::kNull)) {
    report(value, field, "expected a whole number");
    return std::nullopt;
  }
  const std::string written(value.text());
  const bool digits = is_integer(written);
  if (!digits || !value.is(Type::kNumber)) {
    report(value, field,
           "\"" + written + "\" is not a whole number" + (digits ? ": leave out the quotes" : ""));
    return std::nullopt;
  }
  const std::optional<std::int64_t> number = value.integer();  // none: more than 64 bits
  if (!number || *number < range.least || *number > range.most) {
    report(value, field,
           written + " is not between " + std::to_string(range.least) + " and " +
               std::to_string(range.most));
    return std::nullopt;
  }
  return number;
}

std::optional<std::int64_t> SettingsReader::choice(Value value, const std::string& field,
                                                   const std::vector<std::string>& choices) {
  std::string chosen = text(value, field);
  // YAML reads a plain Off as the boolean false.
  if (value.is(Type::kBool) && chosen == "false" && choices.front() == "Off") chosen = "Off";
  const auto it = std::find(choices.begin(), choices.end(), chosen);
  if (it != choices.end()) return it - choices.begin();
  report(value, field,
         "\"" + chosen + "\" is not one of " + joined(choices) + did_you_mean(chosen, choices));
  return std::nullopt;
}

std::vector<Value> SettingsReader::entries(Value value, const std::string& field) {
  std::vector<Value> out;
  if (value.is(Type::kNull)) return out;
  if (!value.is(Type::kSequence)) {
    report(value, field, "expected a list");
    return out;
  }
  for (Value v = value.first(); v; v = v.next()) out.push_back(v);
  return out;
}

void SettingsReader::object(const reader::Object& object) {
  const Value root = object.root;
  if (seen_) return report(root, "", "a second document: a configuration file holds one");
  seen_ = true;
  const std::string version = std::string(root["apiVersion"].text()),
                    kind = std::string(root["kind"].text());
  if (version != "tessera.dev/v1alpha1" || kind != "Configuration") {
    return report(root, "",
                  "expected apiVersion: tessera.dev/v1alpha1 and kind: Configuration, found \"" +
                      version + "\" and \"" + kind + "\"");
  }
  const std::vector<std::string> known{"apiVersion",       "kind",      "threads",
                                       "shards",           "resources", "topologies",
                                       "waitForPodsReady", "profiles",  "profileRules"};
  for (Value v = root.first(); v; v = v.next()) {
    const std::string key(v.key());
    std::size_t i = 0;
    if (key == "threads") {
      read_threads(v, key);
    } else if (key == "shards") {
      read_shards(v, key);
    } else if (key == "waitForPodsReady") {
      read_pods_ready(v, key);
    } else if (key == "topologies") {
      for (Value t : entries(v, key)) read_topology(t, numbered(key, i++));
    } else if (key == "resources") {
      read_resources(v, key);
    } else if (key == "profiles") {
      for (Value p : entries(v, key)) read_profile(p, numbered(key, i++));
    } else if (key == "profileRules") {
      for (Value r : entries(v, key)) read_rule(r, numbered(key, i++));
    } else if (std::find(known.begin(), known.end(), key) == known.end()) {
      unknown(v, "", known);
    }
  }
}

void SettingsReader::read_threads(Value value, const std::string& path) {
  if (!value.is(Type::kMap)) return report(value, path, "expected a map");
  for (Value v = value.first(); v; v = v.next()) {
    const bool solver = v.key() == "solver";
    if (!solver && v.key() != "actors") {
      unknown(v, path, {"solver", "actors"});
    } else if (const auto threads = number(v, path + "." + std::string(v.key()), kThreads)) {
      Settings& settings = loaded_.settings;
      (solver ? settings.solver_threads : settings.actor_threads) = static_cast<int>(*threads);
    }
  }
}

/// Does not check the level: levels are known only when the cluster is read. ShardLayout::fault()
/// checks it then.
void SettingsReader::read_shards(Value value, const std::string& path) {
  if (!value.is(Type::kMap)) return report(value, path, "expected a map");
  for (Value v = value.first(); v; v = v.next()) {
    if (v.key() != "level") {
      unknown(v, path, {"level"});
      continue;
    }
    Settings& settings = loaded_.settings;
    settings.shard_level = text(v, path + ".level");
    settings.shard_level_where = {file_, static_cast<int>(v.position().line),
                                  static_cast<int>(v.position().column), "", path + ".level"};
  }
}

void SettingsReader::read_topology(Value value, const std::string& path) {
  if (!value.is(Type::kMap)) return report(value, path, "expected a map");
  topology::TopologySpec topology;
  for (Value v = value.first(); v; v = v.next()) {
    const std::string field = path + "." + std::string(v.key());
    if (v.key() == "name") {
      topology.name = text(v, field);
    } else if (v.key() == "levels") {
      std::size_t i = 0;
      for (Value level : entries(v, field)) read_level(level, numbered(field, i++), topology);
      check_levels(v, field, topology);
    } else if (v.key() == "unlabelledNodes") {
      const std::string policy = text(v, field);
      if (policy == "UnconstrainedOnly") {
        topology.unlabelled = topology::UnlabelledNodes::kUnconstrainedOnly;
      } else if (policy != "Exclude") {
        report(v, field,
               "\"" + policy + "\" is not one of Exclude, UnconstrainedOnly" +
                   did_you_mean(policy, {"Exclude", "UnconstrainedOnly"}));
      }
    } else {
      unknown(v, path, {"name", "levels", "unlabelledNodes"});
    }
  }
  if (topology.name.empty()) return report(value, path + ".name", "a topology needs a name");
  if (topology.levels.empty())
    return report(value, path + ".levels", "a topology needs at least one level");
  for (const topology::TopologySpec& other : loaded_.settings.topologies) {
    if (other.name == topology.name)
      return report(value, path + ".name", "topology \"" + topology.name + "\" is given twice");
  }
  loaded_.settings.topologies.push_back(std::move(topology));
}

void SettingsReader::read_level(Value value, const std::string& path,
                                topology::TopologySpec& topology) {
  if (!value.is(Type::kMap)) return report(value, path, "expected a map");
  topology::TopologyLevel level;
  for (Value v = value.first(); v; v = v.next()) {
    const std::string field = path + "." + std::string(v.key());
    if (v.key() == "label") {
      level.label = Symbol(text(v, field));
    } else if (v.key() == "alias") {
      level.alias = text(v, field);
    } else if (v.key() == "display") {
      level.display = text(v, field);
    } else {
      unknown(v, path, {"label", "alias", "display"});
    }
  }
  if (level.label.empty()) return report(value, path + ".label", "a level needs a label");
  topology.levels.push_back(std::move(level));
}

void SettingsReader::check_levels(Value at, const std::string& path,
                                  const topology::TopologySpec& topology) {
  if (topology.levels.size() > kMostLevels) report(at, path, "a topology has at most 16 levels");
  for (std::size_t i = 0; i < topology.levels.size(); ++i) {
    const Symbol label = topology.levels[i].label;
    if (label == topology::hostname_label() && i + 1 < topology.levels.size()) {
      report(at, numbered(path, i), "kubernetes.io/hostname may only be the last level");
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (topology.levels[j].label == label)
        report(at, numbered(path, i), "level \"" + label.str() + "\" is given twice");
    }
  }
}

void SettingsReader::read_fields(Value value, const std::string& path, const std::string& prefix,
                                 Draft& draft) {
  if (!value.is(Type::kMap)) return report(value, path, "expected a map");
  for (Value v = value.first(); v; v = v.next()) {
    const std::string key(v.key());
    if (prefix.empty() && (key == "name" || key == "extends")) continue;
    const std::string field = path + "." + key;
    const ProfileField* known = find_profile_field(prefix + key);
    if (known == nullptr) {
      std::vector<std::string> names = profile_field_names(prefix);
      if (std::find(names.begin(), names.end(), key) != names.end()) {
        read_fields(v, field, prefix + key + ".", draft);
        continue;
      }
      if (prefix.empty()) names.insert(names.end(), {"name", "extends"});
      unknown(v, path, names);
      continue;
    }
    const std::optional<std::int64_t> read =
        known->range ? number(v, field, *known->range) : choice(v, field, known->choices);
    if (read) draft.values.emplace_back(known, *read);
  }
}

void SettingsReader::read_profile(Value value, const std::string& path) {
  if (!value.is(Type::kMap)) return report(value, path, "expected a map");
  Draft draft;
  draft.where = {file_, static_cast<int>(value.position().line),
                 static_cast<int>(value.position().column), "", path};
  if (Value name = value["name"]) draft.name = text(name, path + ".name");
  if (Value extends = value["extends"]) draft.extends = text(extends, path + ".extends");
  read_fields(value, path, "", draft);
  if (draft.name.empty()) return report(value, path + ".name", "a profile needs a name");
  const bool built_in = built_in_settings().find_profile(draft.name) != nullptr;
  if (built_in && draft.values.empty() && !value["extends"])
    return;  // the file may name a built-in profile
  if (built_in)
    return report(value, path + ".name",
                  "profile \"" + draft.name +
                      "\" is built in and keeps its meaning: choose another name and extend it");
  if (!draft_names_.insert(draft.name).second)
    return report(value, path + ".name", "profile \"" + draft.name + "\" is given twice");
  drafts_.push_back(std::move(draft));
}

void SettingsReader::read_rule(Value value, const std::string& path) {
  if (!value.is(Type::kMap)) return report(value, path, "expected a map");
  ProfileRule rule;
  for (Value v = value.first(); v; v = v.next()) {
    const std::string field = path + "." + std::string(v.key());
    if (v.key() == "queue") {
      rule.queue = text(v, field);
    } else if (v.key() == "kind") {
      rule.kind = text(v, field);
    } else if (v.key() == "profile") {
      rule.profile = text(v, field);
      rule_positions_[rule.profile] = {file_, static_cast<int>(v.position().line),
                                       static_cast<int>(v.position().column), "", field};
    } else {
      unknown(v, path, {"queue", "kind", "profile"});
    }
  }
  if (rule.profile.empty()) return report(value, path + ".profile", "a rule needs a profile");
  loaded_.settings.profile_rules.push_back(std::move(rule));
}

/// Makes the profiles of the file, each after the profile that it extends. A profile that extends
/// itself or an unknown profile is an error; it is left out, and so are all that extend it.
void SettingsReader::resolve_profiles(const std::vector<std::string>& names) {
  const std::size_t built_in = loaded_.settings.profiles.size();
  std::vector<topology::NamedParent> things;
  for (const Profile& profile : loaded_.settings.profiles) things.push_back({profile.name, ""});
  for (const Draft& draft : drafts_)
    things.push_back({draft.name, full_profile_name(draft.extends)});
  const topology::ParentForest forest(topology::parent_positions(things));

  std::vector<std::optional<Profile>> made(things.size());
  std::copy(loaded_.settings.profiles.begin(), loaded_.settings.profiles.end(), made.begin());
  for (const topology::ParentForest::Position at : forest.order()) {
    if (forest.depth(at) == 0 || !made[forest.parent(at)]) continue;
    made[at] = made[forest.parent(at)];
    const Draft& draft = drafts_[at - built_in];
    made[at]->name = draft.name;
    for (const auto& [field, value] : draft.values) field->set(*made[at], value);
  }
  for (std::size_t i = built_in; i < made.size(); ++i) {
    if (made[i]) loaded_.settings.profiles.push_back(*std::move(made[i]));
  }

  Speller speller;
  for (const topology::ParentForest::Position at : forest.unknown_parents()) {
    const Draft& draft = drafts_[at - built_in];
    Where where = draft.where;
    where.field += ".extends";
    error({ErrorCode::kInvalidInput,
           "no profile \"" + draft.extends + "\"" + speller.did_you_mean(draft.extends, names),
           where});
  }
  for (const auto& circle : forest.circles()) {
    for (const topology::ParentForest::Position at : circle) {
      const Draft& draft = drafts_[at - built_in];
      error(
          {ErrorCode::kInvalidInput, "profile \"" + draft.name + "\" extends itself", draft.where});
    }
  }
}

LoadedSettings SettingsReader::finish() && {
  std::vector<std::string> names{"default", "kueue-0.19"};
  for (const Draft& draft : drafts_) names.push_back(draft.name);
  resolve_profiles(names);
  const std::set<std::string_view> all(names.begin(), names.end());
  const auto known = [&](const std::string& name) { return all.contains(full_profile_name(name)); };
  Speller speller;
  for (const auto& [name, where] : rule_positions_) {
    if (!known(name))
      error({ErrorCode::kInvalidInput,
             "no profile \"" + name + "\"" + speller.did_you_mean(name, names), where});
  }
  return std::move(loaded_);
}

}  // namespace tessera::config
