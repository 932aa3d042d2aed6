// SPDX-License-Identifier: Apache-2.0
#include "config/view.h"

#include "config/duration.h"
#include "config/schema.h"

namespace tessera::config {
namespace {

class Writer {
 public:
  Writer(const Settings& settings, const ViewOptions& options)
      : settings_(settings), options_(options) {}

  std::string run() {
    line("apiVersion: tessera.dev/v1alpha1");
    line("kind: Configuration");
    const Settings built_in = built_in_settings();
    const bool threads_chosen = settings_.solver_threads != built_in.solver_threads ||
                                settings_.actor_threads != built_in.actor_threads;
    if (threads_chosen || options_.effective) {
      line("threads: {solver: " + std::to_string(settings_.solver_threads) +
               ", actors: " + std::to_string(settings_.actor_threads) + "}",
           threads_chosen);
    }
    if (!settings_.shard_level.empty() || options_.effective) {
      line("shards: {level: " + quoted(settings_.shard_level) + "}",
           !settings_.shard_level.empty());
    }
    if (!settings_.topologies.empty()) line("topologies:");
    for (const topology::TopologySpec& topology : settings_.topologies) write(topology);
    if (!settings_.resources.empty()) write(settings_.resources);
    if (settings_.pods_ready) write(*settings_.pods_ready);
    line(settings_.profiles.size() == built_in.profiles.size() && !options_.effective
             ? "profiles: []"
             : "profiles:");
    for (const Profile& profile : settings_.profiles) {
      const bool from_file = built_in.find_profile(profile.name) == nullptr;
      if (from_file || options_.effective) write(profile, from_file);
    }
    if (!settings_.profile_rules.empty()) line("profileRules:");
    for (const ProfileRule& rule : settings_.profile_rules) write(rule);
    return out_;
  }

 private:
  void line(std::string text, bool from_file = false) {
    if (options_.show_source) {
      if (text.size() < kSourceColumn) text.resize(kSourceColumn, ' ');
      text += from_file ? " # " + settings_.source : " # built in";
    }
    out_ += text + "\n";
  }

  static std::string quoted(const std::string& text) {
    const bool plain = !text.empty() &&
                       text.find_first_not_of(
                           "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-./_") ==
                           std::string::npos &&
                       text.find_first_not_of("0123456789.-") != std::string::npos;
    if (plain) return text;
    std::string out = "'";
    for (char c : text) out += c == '\'' ? std::string("''") : std::string(1, c);
    return out + "'";
  }

  void write(const topology::TopologySpec& topology) {
    line("- name: " + quoted(topology.name), true);
    line("  levels:", true);
    for (const topology::TopologyLevel& level : topology.levels) {
      std::string text = "  - {label: " + quoted(level.label.str());
      if (!level.alias.empty()) text += ", alias: " + quoted(level.alias);
      if (!level.display.empty()) text += ", display: " + quoted(level.display);
      line(text + "}", true);
    }
    const bool open = topology.unlabelled == topology::UnlabelledNodes::kUnconstrainedOnly;
    line(std::string("  unlabelledNodes: ") + (open ? "UnconstrainedOnly" : "Exclude"), true);
  }

  void write(const ResourceRules& rules) {
    line("resources:", true);
    if (!rules.excluded_prefixes.empty()) line("  excludeResourcePrefixes:", true);
    for (const std::string& prefix : rules.excluded_prefixes) line("  - " + quoted(prefix), true);
    if (!rules.transformations.empty()) line("  transformations:", true);
    for (const ResourceTransformation& rule : rules.transformations) {
      line("  - input: " + quoted(rule.input), true);
      line(std::string("    strategy: ") + (rule.replaces ? "Replace" : "Retain"), true);
      if (!rule.multiply_by.empty()) line("    multiplyBy: " + quoted(rule.multiply_by), true);
      if (!rule.outputs.empty()) line("    outputs:", true);
      for (const auto& [resource, factor] : rule.outputs) {
        line("      " + quoted(resource) + ": " + quoted(factor.canonical()), true);
      }
    }
  }

  void write(const PodsReady& rule) {
    line("waitForPodsReady:", true);
    line("  timeout: " + duration_text(rule.timeout), true);
    line("  requeuingStrategy:", true);
    line(std::string("    timestamp: ") + (rule.orders_by_eviction ? "Eviction" : "Creation"),
         true);
    line("    backoffLimitCount: " + (rule.backoff_limit_count
                                          ? std::to_string(*rule.backoff_limit_count)
                                          : std::string("null")),
         true);
    line("    backoffBaseSeconds: " + std::to_string(rule.backoff_base_seconds), true);
    line("    backoffMaxSeconds: " + std::to_string(rule.backoff_max_seconds), true);
  }

  void write(const Profile& profile, bool from_file) {
    line("- name: " + quoted(profile.name), from_file);
    std::string parent;
    for (const ProfileField& field : profile_fields()) {
      const std::size_t dot = field.path.find('.');
      const std::string above = dot == std::string::npos ? "" : field.path.substr(0, dot);
      if (!above.empty() && above != parent) line("  " + above + ":", from_file);
      parent = above;
      const std::string name = dot == std::string::npos ? field.path : field.path.substr(dot + 1);
      line((above.empty() ? "  " : "    ") + name + ": " + field.written(profile), from_file);
    }
  }

  void write(const ProfileRule& rule) {
    std::string text = "- {";
    if (!rule.queue.empty()) text += "queue: " + quoted(rule.queue) + ", ";
    if (!rule.kind.empty()) text += "kind: " + quoted(rule.kind) + ", ";
    line(text + "profile: " + quoted(rule.profile) + "}", true);
  }

  static constexpr std::size_t kSourceColumn = 48;
  const Settings& settings_;
  const ViewOptions& options_;
  std::string out_;
};

}  // namespace

std::string view(const Settings& settings, const ViewOptions& options) {
  return Writer(settings, options).run();
}

}  // namespace tessera::config
