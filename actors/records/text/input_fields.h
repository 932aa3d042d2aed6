// SPDX-License-Identifier: Apache-2.0
// The fields of inputs in the canonical text, and the key under which each kind stands: see
// fields.h.
#pragma once

#include "actors/records/input.h"
#include "actors/records/search_result.h"
#include "actors/records/text/decision_fields.h"

namespace tessera::core {

/// An input is an object with one key, this one.
template <class T>
inline constexpr std::string_view kInputName{};
template <>
inline constexpr std::string_view kInputName<Submit> = "submit";
template <>
inline constexpr std::string_view kInputName<Started> = "started";
template <>
inline constexpr std::string_view kInputName<Finish> = "finish";
template <>
inline constexpr std::string_view kInputName<Evict> = "evict";
template <>
inline constexpr std::string_view kInputName<PodsGone> = "podsGone";
template <>
inline constexpr std::string_view kInputName<Suspend> = "suspend";
template <>
inline constexpr std::string_view kInputName<Resume> = "resume";
template <>
inline constexpr std::string_view kInputName<Advance> = "advance";
template <>
inline constexpr std::string_view kInputName<NodeUpdate> = "nodeUpdate";
template <>
inline constexpr std::string_view kInputName<NodeDelete> = "nodeDelete";
template <>
inline constexpr std::string_view kInputName<PodUpdate> = "podUpdate";
template <>
inline constexpr std::string_view kInputName<PodDelete> = "podDelete";
template <>
inline constexpr std::string_view kInputName<Redefine> = "redefine";
template <>
inline constexpr std::string_view kInputName<SearchEnded> = "searchEnded";

template <>
inline constexpr auto kFields<BooksVersion> =
    fields<BooksVersion>(field("freed", &BooksVersion::freed), field("nodes", &BooksVersion::nodes),
                         field("placed", &BooksVersion::placed));

template <>
inline constexpr auto kFields<TreeName> = fields<TreeName>(field("flavor", &TreeName::flavor),
                                                           field("open", &TreeName::open));

template <>
inline constexpr auto kFields<FoundPlace> = fields<FoundPlace>(field("admission",
                                                                     &FoundPlace::admission),
                                                               field("trees", &FoundPlace::trees));

template <>
inline constexpr auto kFields<SearchResult> = fields<SearchResult>(
    field("place", &SearchResult::place), field("refused", &SearchResult::refused),
    field("stale", &SearchResult::stale), field("steps", &SearchResult::steps),
    field("version", &SearchResult::version), field("void", &SearchResult::is_void));

template <>
inline constexpr auto kFields<Submit> = fields<Submit>(field("gang", &Submit::gang),
                                                       field("workload", &Submit::workload));

template <>
inline constexpr auto kFields<Started> = fields<Started>(field("gang", &Started::gang));

template <>
inline constexpr auto kFields<Finish> = fields<Finish>(field("gang", &Finish::gang));

template <>
inline constexpr auto kFields<Evict> = fields<Evict>(field("gang", &Evict::gang),
                                                     field("podsRun", &Evict::pods_run),
                                                     field("requeueAt", &Evict::requeue_at,
                                                           INT64_MIN));

template <>
inline constexpr auto kFields<PodsGone> = fields<PodsGone>(field("gang", &PodsGone::gang));

template <>
inline constexpr auto kFields<Suspend> = fields<Suspend>(field("gang", &Suspend::gang));

template <>
inline constexpr auto kFields<Resume> = fields<Resume>(field("gang", &Resume::gang));

template <>
inline constexpr auto kFields<Advance> = fields<Advance>(field("now", &Advance::now));

template <>
inline constexpr auto kFields<NodeUpdate> = fields<NodeUpdate>(field("node", &NodeUpdate::record));

template <>
inline constexpr auto kFields<NodeDelete> = fields<NodeDelete>(field("name", &NodeDelete::name));

template <>
inline constexpr auto kFields<PodUpdate> = fields<PodUpdate>(field("pod", &PodUpdate::record));

template <>
inline constexpr auto kFields<PodDelete> = fields<PodDelete>(field("name", &PodDelete::name),
                                                             field("namespace",
                                                                   &PodDelete::namespace_name));

template <>
inline constexpr auto kFields<Redefine> = fields<Redefine>(field("definitions",
                                                                 &Redefine::definitions));

template <>
inline constexpr auto kFields<SearchEnded> =
    fields<SearchEnded>(field("gang", &SearchEnded::gang), field("result", &SearchEnded::result),
                        field("ticket", &SearchEnded::ticket));

}  // namespace tessera::core
