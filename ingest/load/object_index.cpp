// SPDX-License-Identifier: Apache-2.0
#include "ingest/load/object_index.h"

#include <algorithm>
#include <tuple>

namespace tessera::ingest {
namespace {

// '/' is in no group, kind or namespace, so that different identities have different texts.
std::string identity(const KindReader& kind, const ObjectHeader& header) {
  std::string text(kind.group);
  text.append("/").append(kind.kind).append("/").append(header.namespace_name);
  return text.append("/").append(header.name);
}

}  // namespace

std::optional<Where> ObjectIndex::put(const KindReader& kind, const ObjectHeader& header,
                                      std::optional<std::size_t> record) {
  const Entry now{&kind, record, file_number(header.where.file), header.where.line};
  const auto [at, added] = entries_.try_emplace(identity(kind, header), now);
  if (added) return std::nullopt;
  Where earlier;
  earlier.file = files_[at->second.file];
  earlier.line = at->second.line;
  drop(at->second);
  at->second = now;
  return earlier;
}

void ObjectIndex::remove(const KindReader& kind, const ObjectHeader& header) {
  const auto at = entries_.find(identity(kind, header));
  if (at == entries_.end()) return;
  drop(at->second);
  entries_.erase(at);
}

bool ObjectIndex::has(KindRole role) const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [&](const auto& entry) { return entry.second.kind->role == role; });
}

std::vector<core::RefusedObject> ObjectIndex::refused() const {
  std::vector<core::RefusedObject> out;
  for (const auto& [text, entry] : entries_) {
    if (entry.record) continue;
    const std::string own = text.substr(entry.kind->group.size() + entry.kind->kind.size() + 2);
    const std::size_t slash = own.find('/');
    out.push_back({std::string(entry.kind->kind), own.substr(0, slash), own.substr(slash + 1)});
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
    return std::tie(a.kind, a.namespace_name, a.name) < std::tie(b.kind, b.namespace_name, b.name);
  });
  return out;
}

void ObjectIndex::sweep(ReadContext& context) {
  for (const auto& [remove_from_list, gone] : gone_) remove_from_list(context, gone);
  gone_.clear();
  entries_.clear();
}

void ObjectIndex::drop(const Entry& entry) {
  if (!entry.record) return;
  std::vector<bool>& gone = gone_[entry.kind->shelf.remove];
  if (gone.size() <= *entry.record) gone.resize(*entry.record + 1);
  gone[*entry.record] = true;
}

std::uint32_t ObjectIndex::file_number(const std::string& file) {
  if (files_.empty() || files_.back() != file) files_.push_back(file);
  return static_cast<std::uint32_t>(files_.size() - 1);
}

}  // namespace tessera::ingest
