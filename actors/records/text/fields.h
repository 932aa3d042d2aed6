// SPDX-License-Identifier: Apache-2.0
// Fields: how a struct states, once, which of its members stand in the canonical text and under
// which keys. The writer (text_writer.h) and the reader (read_record.cpp) walk the same tables.
//
// kFields<T> names every member of T: with field(), or with left_out() and the reason. A table with
// a member too few does not compile, nor one whose keys are not in byte order. Compile time only.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace tessera::core {

/// The table of T: specialised beside the others of its subject (*_fields.h).
template <class T>
inline constexpr auto kFields = nullptr;

template <class T>
concept HasFields = !std::is_same_v<decltype(kFields<T>), const std::nullptr_t>;

/// The names of an enum's values, in their order. An enum without names is written as its number.
template <class E>
inline constexpr auto kNames = nullptr;

template <class E>
concept HasNames = std::is_enum_v<E> && !std::is_same_v<decltype(kNames<E>), const std::nullptr_t>;

/// A value that equals its default is left out of the text. The default of numbers and enums
/// stands in the table, since the reader starts from a T{}; a test compares the two.
template <class M>
using DefaultOf =
    std::conditional_t<std::is_arithmetic_v<M> || std::is_enum_v<M>, M, std::monostate>;

/// A member under a key. `N`: length of the key. `Decided`: part of what a cycle decided.
template <class T, class M, std::size_t N, bool Decided>
struct Field {
  static constexpr bool kWritten = true;
  static constexpr bool kDecided = Decided;

  char quoted[N + 3];  // "key":
  M T::*member;
  DefaultOf<M> otherwise;

  constexpr std::string_view key() const { return {quoted + 1, N}; }
  constexpr std::string_view quoted_key() const { return {quoted, N + 3}; }
};

/// A member that is not in the text.
template <class T, class M>
struct LeftOut {
  static constexpr bool kWritten = false;
  M T::*member;
};

namespace internal {

/// Converts to any type, so that the compiler can count the members of a struct.
struct AnyMember {
  template <class M>
  // NOLINTNEXTLINE(google-explicit-constructor): it stands for any member of an initializer list.
  operator M() const;
};

template <class T, std::size_t... I>
constexpr bool has_members(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), AnyMember{})...}; };
}

constexpr std::size_t kMostMembers = 48;

template <class T, std::size_t N = kMostMembers>
constexpr std::size_t member_count() {
  if constexpr (N == 0 || has_members<T>(std::make_index_sequence<N>{})) {
    return N;
  } else {
    return member_count<T, N - 1>();
  }
}

template <bool Decided, class T, class M, std::size_t N>
consteval auto make_field(const char (&key)[N], M T::*member, DefaultOf<M> otherwise) {
  Field<T, M, N - 1, Decided> field{{}, member, otherwise};
  char* at = field.quoted;
  *at++ = '"';
  for (std::size_t i = 0; i + 1 < N; ++i) *at++ = key[i];
  *at++ = '"';
  *at++ = ':';
  return field;
}

}  // namespace internal

template <class T, class M, std::size_t N>
consteval auto field(const char (&key)[N], M T::*member, DefaultOf<M> otherwise = {}) {
  return internal::make_field<true>(key, member, otherwise);
}

/// A field that is no decision: it stands in the whole text, not in the text of the decisions.
template <class T, class M, std::size_t N>
consteval auto undecided(const char (&key)[N], M T::*member, DefaultOf<M> otherwise = {}) {
  return internal::make_field<false>(key, member, otherwise);
}

template <class T, class M>
consteval auto left_out(M T::*member) {
  return LeftOut<T, M>{member};
}

/// The table of T.
template <class T, class... Entries>
consteval auto fields(Entries... entries) {
  static_assert(internal::member_count<T>() < internal::kMostMembers);
  static_assert(sizeof...(Entries) == internal::member_count<T>(),
                "a table names every member of its struct: field() or left_out()");
  std::string_view last;
  const auto check = [&last](const auto& entry) {
    if constexpr (std::remove_cvref_t<decltype(entry)>::kWritten) {
      if (entry.key() <= last) throw "keys come in byte order";
      last = entry.key();
    }
  };
  (check(entries), ...);
  return std::tuple(entries...);
}

/// Calls `visit` with each field of T that is written, in the order of the keys.
template <class T, class Visit>
constexpr void for_each_field(Visit&& visit) {
  std::apply(
      [&visit](const auto&... entries) {
        const auto one = [&visit](const auto& entry) {
          if constexpr (std::remove_cvref_t<decltype(entry)>::kWritten) visit(entry);
        };
        (one(entries), ...);
      },
      kFields<T>);
}

/// The name of `value`; empty if the table has no name for that number.
template <HasNames E>
std::string_view name_of(E value) {
  const auto at = static_cast<std::size_t>(value);
  return at < std::size(kNames<E>) ? kNames<E>[at] : std::string_view();
}

/// How many names an enum needs whose last value is `last`.
template <class E>
constexpr std::size_t values_up_to(E last) {
  return static_cast<std::size_t>(last) + 1;
}

}  // namespace tessera::core
