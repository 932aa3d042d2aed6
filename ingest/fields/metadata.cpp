// SPDX-License-Identifier: Apache-2.0
#include "ingest/fields/metadata.h"

#include "ingest/fields/api_names.h"
#include "ingest/fields/field_text.h"
#include "ingest/fields/timestamp.h"

namespace tessera::ingest {
namespace {

using reader::Type;
using reader::Value;

std::map<std::string, std::string> read_texts(FieldReader& context, const ObjectHeader& header,
                                              Value metadata, std::string_view key) {
  std::map<std::string, std::string> texts;
  const Value entries = context.map(header, metadata, key, "metadata");
  for (Value entry = entries.first(); entry; entry = entry.next()) {
    if (entry.is(Type::kMap) || entry.is(Type::kSequence)) {
      context.error(header, entry, member("metadata." + std::string(key), entry.key()),
                    "must be a text");
    } else {
      texts.emplace(entry.key(), entry.text());
    }
  }
  return texts;
}

std::vector<ObjectHeader::Owner> read_owners(FieldReader& context, const ObjectHeader& header,
                                             Value metadata) {
  std::vector<ObjectHeader::Owner> owners;
  const Value list = context.sequence(header, metadata, "ownerReferences", "metadata");
  std::size_t index = 0;
  for (Value one = list.first(); one; one = one.next()) {
    const std::string path = item("metadata.ownerReferences", index++);
    ObjectHeader::Owner owner;
    owner.api_version = context.text(header, one, "apiVersion", path).value_or("");
    owner.kind = context.text(header, one, "kind", path).value_or("");
    owner.name = context.text(header, one, "name", path).value_or("");
    owner.uid = context.text(header, one, "uid", path).value_or("");
    owner.controller = context.boolean(header, one, "controller", path).value_or(false);
    owners.push_back(std::move(owner));
  }
  return owners;
}

void read_created(FieldReader& context, ObjectHeader& header, Value metadata) {
  const auto text = context.text(header, metadata, "creationTimestamp", "metadata");
  if (!text || text->empty()) return;
  if (const auto time = parse_timestamp(*text)) {
    header.created = *time;
  } else {
    context.error(header, metadata["creationTimestamp"], "metadata.creationTimestamp",
                  quoted(*text) + " is not a time of the form 2026-11-27T08:15:00Z");
  }
}

/// Checks the name and the namespace as they are written.
void check_names(FieldReader& context, const ObjectHeader& header, Value metadata) {
  const auto tell = [&](std::string_view key, const std::string& name,
                        const std::vector<std::string>& faults) {
    for (const std::string& fault : faults) {
      const Value at = metadata[key];
      context.name_faults.push_back(
          {ErrorCode::kInvalidInput, "Invalid value: " + quoted(name) + ": " + fault,
           context.where(header, at ? at : metadata, "metadata." + std::string(key))});
    }
  };
  const bool is_namespace = header.kind == "Namespace" && header.group.empty();
  if (!header.name.empty()) {
    tell("name", header.name,
         is_namespace ? namespace_name_faults(header.name) : object_name_faults(header.name));
  }
  if (!header.namespace_name.empty()) {
    tell("namespace", header.namespace_name, namespace_name_faults(header.namespace_name));
  }
}

}  // namespace

std::string invented_name(const std::string& prefix, const Where& where) {
  constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";  // no words, as Kubernetes
  constexpr std::size_t kLongest = 63, kAdded = 8;
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  for (const char c :
       where.file + ":" + std::to_string(where.line) + ":" + std::to_string(where.column)) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  }
  hash ^= hash >> 32U;  // the low half alone mixes little of the last characters
  std::string name = prefix.substr(0, kLongest - kAdded);
  for (std::size_t i = 0; i < kAdded; ++i) {
    name += kLetters[hash % kLetters.size()];
    hash /= kLetters.size();
  }
  return name;
}

bool read_metadata(FieldReader& context, ObjectHeader& header, Value root, bool namespaced,
                   HeaderParts parts) {
  const std::size_t errors = context.error_count();
  const reader::Position start = root.position();
  header.where.line = static_cast<int>(start.line);
  header.where.column = static_cast<int>(start.column);
  const Value metadata = context.map(header, root, "metadata", "");
  header.name = context.text(header, metadata, "name", "metadata").value_or("");
  if (header.name.empty() && context.error_count() == errors) {
    const auto prefix = context.text(header, metadata, "generateName", "metadata");
    if (prefix && !prefix->empty()) {
      header.name = invented_name(*prefix, header.where);
    } else if (context.error_count() == errors) {
      context.error(header, metadata ? metadata : root, "metadata.name", "is missing");
    }
  }
  if (namespaced) {
    header.namespace_name = context.text(header, metadata, "namespace", "metadata").value_or("");
    if (header.namespace_name.empty()) header.namespace_name = "default";
  }
  check_names(context, header, metadata);
  header.uid = context.text(header, metadata, "uid", "metadata").value_or("");
  if (parts == HeaderParts::kAll) {
    read_created(context, header, metadata);
    header.deleted = !metadata["deletionTimestamp"].text().empty();
    header.labels = read_texts(context, header, metadata, "labels");
    header.annotations = read_texts(context, header, metadata, "annotations");
    header.owners = read_owners(context, header, metadata);
  }
  return context.error_count() == errors;
}

}  // namespace tessera::ingest
