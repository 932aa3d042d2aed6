// SPDX-License-Identifier: Apache-2.0
#include "ingest/load/load.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include "ingest/annotations/kept_fields.h"
#include "ingest/fields/field_text.h"
#include "ingest/fields/metadata.h"
#include "ingest/kinds/registry.h"
#include "ingest/link/caps.h"
#include "ingest/link/link.h"
#include "ingest/link/node_check.h"
#include "ingest/link/queue_check.h"
#include "ingest/link/settle_requests.h"
#include "ingest/link/topologies.h"
#include "ingest/load/object_index.h"
#include "ingest/load/trace.h"
#include "ingest/objects/kai_queues.h"
#include "ingest/reader/reader.h"
#include "topology/text/nearest.h"

namespace tessera::ingest {
namespace {

using reader::Value;

/// Size on disk of a path that a user named; 0 for stdin and for a path that does not exist.
std::uint64_t bytes_of(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code failed;
  if (fs::is_regular_file(path, failed)) return fs::file_size(path, failed);
  std::uint64_t bytes = 0;
  fs::recursive_directory_iterator entry(path, failed), end;
  for (; !failed && entry != end; entry.increment(failed)) {
    std::error_code unreadable;
    if (!entry->is_regular_file(unreadable)) continue;
    const std::uint64_t size = entry->file_size(unreadable);
    if (!unreadable) bytes += size;
  }
  return bytes;
}

/// "kueue.x-k8s.io/v1beta1, kueue.x-k8s.io/v1beta2"
std::string known_versions(const KindReader& kind) {
  std::string text;
  for (const std::string_view version : kind.versions) {
    if (!text.empty()) text += ", ";
    if (!kind.group.empty()) text.append(kind.group).append("/");
    text += version;
  }
  return text;
}

/// The known kind that a misspelt kind of the same group most likely means.
std::string nearest_kind(std::string_view group, std::string_view kind) {
  std::vector<std::string> known;
  for (const KindReader& one : known_kinds()) {
    if (one.group == group) known.emplace_back(one.kind);
  }
  return nearest(kind, known);
}

template <class T>
void sort_by_name(std::vector<T>& records) {
  std::sort(records.begin(), records.end(), [](const T& a, const T& b) { return a.name < b.name; });
}

void sort_records(core::Inventory& inventory) {
  std::sort(inventory.nodes.begin(), inventory.nodes.end(),
            [](const auto& a, const auto& b) { return a.name.view() < b.name.view(); });
  sort_by_name(inventory.flavors);
  sort_by_name(inventory.cluster_queues);
  sort_by_name(inventory.cohorts);
  sort_by_name(inventory.kai_queues);
  sort_by_name(inventory.checks);
  sort_by_name(inventory.namespaces);
  std::sort(inventory.local_queues.begin(), inventory.local_queues.end(),
            [](const auto& a, const auto& b) {
              return std::tie(a.namespace_name, a.name) < std::tie(b.namespace_name, b.name);
            });
}

}  // namespace

class Loader::State : public reader::Sink {
 public:
  explicit State(const config::Settings& settings) : settings_(settings) {}

  void object(const reader::Object& object) override;
  void error(Error error) override { context_.errors.push_back(std::move(error)); }
  Loaded finish();

  void note(std::string text) { notes_.push_back(std::move(text)); }

  Role role = Role::kState;
  bool in_trace = false;
  bool keeps_fields = false;
  std::uint64_t bytes = 0;

 private:
  enum class Action { kApply, kReplace, kDelete, kIgnore };

  void watch_event(const reader::Object& event);
  void trace_line(const reader::Object& line);
  void apply(const reader::Object& object, Action action);
  /// A header with the kind and version of the object. Nothing, and an error, if the object does
  /// not name them.
  std::optional<ObjectHeader> type_of(const reader::Object& object);
  bool knows_version(const reader::Object& object, const KindReader& kind,
                     const ObjectHeader& header);
  void read(const KindReader& kind, const ObjectHeader& header, Value root, Action action);
  void keep_fields(Value root);
  void refuse(const reader::Object& object, Value at, std::string field, std::string message);
  std::vector<KindCount> skipped_kinds();

  const config::Settings& settings_;
  ReadContext context_;
  FieldCheck field_check_{context_};
  ObjectIndex index_;
  Trace trace_;
  std::map<std::pair<std::string, std::string>, std::int64_t> skipped_;  // (apiVersion, kind)
  std::int64_t objects_ = 0;
  std::vector<std::string> notes_;
  std::map<std::string, std::string> kept_fields_;  // of Workloads of -f, by key
};

void Loader::State::refuse(const reader::Object& object, Value at, std::string field,
                           std::string message) {
  const reader::Position position = at.position();
  Error error{ErrorCode::kInvalidInput, std::move(message)};
  error.where = {std::string(object.file), static_cast<int>(position.line),
                 static_cast<int>(position.column), "", std::move(field)};
  context_.errors.push_back(std::move(error));
}

void Loader::State::object(const reader::Object& object) {
  const Value root = object.root;
  if (in_trace) {
    trace_line(object);
  } else if (root["object"].is(reader::Type::kMap) && root["type"] && !root["kind"]) {
    watch_event(object);
  } else {
    apply(object, Action::kApply);
  }
}

void Loader::State::watch_event(const reader::Object& event) {
  const Value type = event.root["type"];
  Action action = Action::kIgnore;
  if (type.text() == "ADDED" || type.text() == "MODIFIED") {
    action = Action::kReplace;
  } else if (type.text() == "DELETED") {
    action = Action::kDelete;
  } else if (type.text() == "ERROR") {
    const Value message = event.root["object"]["message"];
    refuse(event, type, "type", "the watch ended with an error: " + ingest::quoted(message.text()));
    return;
  } else if (type.text() != "BOOKMARK") {
    refuse(event, type, "type",
           ingest::quoted(type.text()) +
               " is no watch event (right: ADDED, MODIFIED, DELETED, BOOKMARK)");
    return;
  }
  if (action == Action::kIgnore) return;
  reader::Object object = event;
  object.root = event.root["object"];
  apply(object, action);
}

std::optional<ObjectHeader> Loader::State::type_of(const reader::Object& object) {
  ObjectHeader header;
  header.api_version = object.root["apiVersion"].text();
  header.kind = object.root["kind"].text();
  constexpr std::string_view kList = "List";
  if (header.kind.empty() && object.list_kind.size() > kList.size()) {
    // Items of a typed list ("NodeList") may leave out the kind and apiVersion that follow from the
    // list.
    header.kind = object.list_kind.substr(0, object.list_kind.size() - kList.size());
    if (header.api_version.empty()) header.api_version = object.list_api_version;
  }
  if (header.kind.empty() || header.api_version.empty()) {
    refuse(object, object.root, header.kind.empty() ? "kind" : "apiVersion", "is missing");
    return std::nullopt;
  }
  const GroupVersion parts = split_api_version(header.api_version);
  header.group = parts.group;
  header.version = parts.version;
  header.role = role;
  header.where.file = object.file;
  return header;
}

bool Loader::State::knows_version(const reader::Object& object, const KindReader& kind,
                                  const ObjectHeader& header) {
  const auto& versions = kind.versions;
  if (std::find(versions.begin(), versions.end(), header.version) != versions.end()) return true;
  refuse(object, object.root["apiVersion"], "apiVersion",
         ingest::quoted(header.api_version) + " is not a known version of " + header.kind +
             " (right: " + known_versions(kind) + ")");
  return false;
}

void Loader::State::trace_line(const reader::Object& line) {
  ++objects_;
  const std::optional<TraceTimes> times = read_trace_times(context_, line);
  if (!times) return;
  reader::Object object = line;
  object.root = line.root["workload"];
  std::optional<ObjectHeader> header = type_of(object);
  if (!header) return;
  const KindReader* kind = find_kind(header->group, header->kind);
  if (kind == nullptr || !makes_workloads(*kind)) {
    const std::string near =
        kind == nullptr ? nearest_kind(header->group, header->kind) : std::string();
    refuse(object, object.root["kind"], "kind",
           ingest::quoted(header->kind) + " makes no workloads" +
               (near.empty() ? "" : " (did you mean " + ingest::quoted(near) + "?)"));
    return;
  }
  if (!knows_version(object, *kind, *header)) return;
  const bool named = read_metadata(context_, *header, object.root, kind->namespaced, kind->parts);
  field_check_.check(kind->fields, *header, object.root);
  if (!named) return;
  const reader::Position at = line.root.position();
  const std::size_t errors = context_.error_count();
  const bool any = trace_.add(
      context_, *times,
      {header->where.file, static_cast<int>(at.line), static_cast<int>(at.column), "", ""},
      [&] { kind->read(context_, *header, object.root); });
  if (!any && context_.error_count() == errors) {
    refuse(object, object.root, "workload", "makes no workload");
  }
}

void Loader::State::apply(const reader::Object& object, Action action) {
  std::optional<ObjectHeader> header = type_of(object);
  if (!header) return;
  ++objects_;
  const KindReader* kind = find_kind(header->group, header->kind);
  if (kind == nullptr) {
    ++skipped_[{header->api_version, header->kind}];
    return;
  }
  if (!knows_version(object, *kind, *header)) return;
  const bool named = read_metadata(context_, *header, object.root, kind->namespaced, kind->parts);
  if (action != Action::kDelete) field_check_.check(kind->fields, *header, object.root);
  if (action == Action::kDelete) {
    if (!header->name.empty()) index_.remove(*kind, *header);
    return;
  }
  // What a pod or a workload holds is there all the same.
  header->faulty = !named;
  if (named || kind->role == KindRole::kWorkload) {
    if (header->name.empty()) header->name = invented_name("unnamed-", header->where);
    read(*kind, *header, object.root, action);
    if (keeps_fields && kind->kind == "Workload" && role == Role::kRequest) {
      keep_fields(object.root);
    }
  } else if (!header->name.empty()) {
    index_.put(*kind, *header, std::nullopt);  // it is there, and refused
  }
}

/// Keeps the other fields of the Workload that was read last, if it waits: others are not written.
void Loader::State::keep_fields(Value root) {
  if (context_.workload_objects.empty()) return;
  const core::Workload& workload = context_.workload_objects.back().second;
  if (workload.status.quota_reserved || workload.status.finished) return;
  std::string kept = kept_fields_text(root);
  if (!kept.empty()) kept_fields_[workload.key()] = std::move(kept);
}

void Loader::State::read(const KindReader& kind, const ObjectHeader& header, Value root,
                         Action action) {
  const std::size_t before = kind.shelf.size(context_);
  kind.read(context_, header, root);
  std::optional<std::size_t> record;
  if (kind.shelf.size(context_) > before) record = before;
  const std::optional<Where> earlier = index_.put(kind, header, record);
  if (!earlier || action == Action::kReplace) return;
  context_.warning(header, root, "",
                   "stands in the input twice: this one is used, not that of " + earlier->file +
                       ":" + std::to_string(earlier->line));
}

std::vector<KindCount> Loader::State::skipped_kinds() {
  constexpr std::size_t kKindsNamed = 20;
  std::vector<KindCount> kinds;
  std::string list;
  std::int64_t total = 0;
  for (const auto& [type, count] : skipped_) {
    const auto& [api_version, kind] = type;
    kinds.push_back({api_version + " " + kind, count});
    total += count;
    if (kinds.size() > kKindsNamed) continue;
    const std::string near = nearest_kind(split_api_version(api_version).group, kind);
    if (!list.empty()) list += ", ";
    list += std::to_string(count) + " " + api_version + " " + kind;
    if (!near.empty()) list += " (did you mean " + ingest::quoted(near) + "?)";
  }
  if (total == 0) return kinds;
  if (kinds.size() > kKindsNamed) {
    list += " and " + std::to_string(kinds.size() - kKindsNamed) + " more kinds";
  }
  std::string message =
      total == 1 ? "skipped 1 object of a kind that is not read: "
                 : "skipped " + std::to_string(total) + " objects of kinds that are not read: ";
  context_.warnings.push_back({ErrorCode::kInvalidInput, std::move(message) + list});
  return kinds;
}

Loaded Loader::State::finish() {
  Loaded loaded;
  core::Inventory& inventory = context_.inventory;
  inventory.has_queues = index_.has(KindRole::kQueue);
  inventory.has_flavors = index_.has(KindRole::kFlavor);
  const bool has_topology = index_.has(KindRole::kTopology);
  inventory.refused = index_.refused();
  index_.sweep(context_);
  field_check_.finish();
  sort_records(inventory);
  keep_caps(context_);
  check_nodes(context_);
  check_kai_queues(context_);
  settle_topologies(context_, settings_, has_topology);
  LinkedWorkloads linked = link_objects(context_);
  check_cluster_queues(context_);
  settle_requests(context_, settings_.resources, inventory.workloads);
  loaded.trace = trace_.finish(context_, settings_.resources, loaded.notes);
  loaded.skipped = skipped_kinds();
  loaded.kept_fields = std::move(kept_fields_);
  loaded.notes.insert(loaded.notes.end(), notes_.begin(), notes_.end());
  loaded.notes.insert(loaded.notes.end(), linked.notes.begin(), linked.notes.end());
  if (!inventory.has_queues && objects_ > 0) loaded.notes.emplace_back("no queues in the input");
  loaded.inventory = std::move(inventory);
  loaded.to_place = std::move(linked.to_place);
  loaded.waiting_state = std::move(linked.waiting_state);
  loaded.settled_request = std::move(linked.settled_request);
  loaded.errors = std::move(context_.errors);
  loaded.warnings = std::move(context_.warnings);
  loaded.name_faults = std::move(context_.name_faults);
  loaded.objects = objects_;
  loaded.bytes = bytes;
  return loaded;
}

Loader::Loader(const config::Settings& settings, const reader::Cutting& cutting)
    : settings_(settings), cutting_(cutting), state_(std::make_unique<State>(settings)) {}
Loader::~Loader() = default;

void Loader::keep_fields() { state_->keeps_fields = true; }

void Loader::read_path(const std::string& path, Role role) {
  state_->role = role;
  state_->bytes += bytes_of(path);
  std::error_code unknown;
  const bool is_folder = std::filesystem::is_directory(path, unknown);
  if (reader::read_path(path, {}, *state_, cutting_) == 0 && is_folder) {
    state_->note("folder " + path + " holds no file that is read (" + reader::kFileNames + ")");
  }
}

void Loader::read_text(std::string_view text, std::string_view file, Role role) {
  state_->role = role;
  state_->bytes += text.size();
  reader::read_text(text, file, {}, *state_, cutting_);
}

void Loader::read_trace(const std::string& path) {
  state_->in_trace = true;
  read_path(path, Role::kRequest);
  state_->in_trace = false;
}

void Loader::read_trace_text(std::string_view text, std::string_view file) {
  state_->in_trace = true;
  read_text(text, file, Role::kRequest);
  state_->in_trace = false;
}

Loaded Loader::finish() {
  Loaded loaded = state_->finish();
  state_ = std::make_unique<State>(settings_);
  return loaded;
}

}  // namespace tessera::ingest
