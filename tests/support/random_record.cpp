// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_record.h"

#include <array>
#include <limits>
#include <string_view>
#include <type_traits>

#include "actors/records/text/record_fields.h"

namespace tessera::test {
namespace {

// NOLINTNEXTLINE(google-build-using-namespace): a generator names every type of a record.
using namespace tessera::core;

/// Texts that a careless writer or reader would break.
constexpr std::string_view kTexts[] = {"a",
                                       "gb-r01-n03",
                                       "nvidia.com/gpu",
                                       "a \"quoted\" name",
                                       "back\\slash",
                                       "line\nfeed",
                                       "tab\t",
                                       "\x01\x1f",
                                       "seven77",
                                       "eight888",
                                       "eight88\"",
                                       "räksmörgås",
                                       "\xf0\x9f\x90\xac dolphin",
                                       "\x7f",
                                       "{\"v\":1}",
                                       ",",
                                       "]",
                                       "0123456789012345678901234567890123456789\"",
                                       "/",
                                       "null"};

class Filler {
 public:
  Filler(Dice& dice, int filled) : dice_(&dice), filled_(filled) {}

  template <HasFields T>
  void fill(T& value) {
    for_each_field<T>([&](const auto& field) {
      if (dice_->percent(filled_)) fill(value.*field.member);
    });
  }
  void fill_inputs(std::vector<Input>& inputs) {
    inputs.clear();
    fill_each(inputs, std::make_index_sequence<std::variant_size_v<Input>>{});
  }

 private:
  template <std::size_t... I>
  void fill_each(std::vector<Input>& inputs, std::index_sequence<I...>) {
    const auto add = [&]<class T>(T input) {
      if (!dice_->percent(std::max(filled_, 20))) return;
      fill(input);
      inputs.emplace_back(std::move(input));
    };
    (add(std::variant_alternative_t<I, Input>{}), ...);
  }

  void fill(bool& value) { value = !value; }
  template <class M>
  requires std::is_integral_v<M>
  void fill(M& value) {
    using Limits = std::numeric_limits<M>;
    const M some[] = {Limits::max(), static_cast<M>(Limits::max() - 1), static_cast<M>(7),
                      static_cast<M>(dice_->between(100, 99'999)),
                      std::is_signed_v<M> ? static_cast<M>(Limits::min() + 1) : M{9}};
    value = some[dice_->below(std::size(some))];
  }
  template <class E>
  requires std::is_enum_v<E>
  void fill(E& value) {
    if constexpr (HasNames<E>) {
      const auto names = static_cast<std::int64_t>(std::size(kNames<E>));
      value = static_cast<E>(dice_->between(filled_ == 100 ? 1 : 0, names - 1));
    } else {
      std::underlying_type_t<E> number{};
      fill(number);
      value = static_cast<E>(number);
    }
  }
  void fill(std::string& value) { value = text(); }
  void fill(Symbol& value) { value = Symbol(text()); }
  void fill(topology::AskedText& value) { value = topology::AskedText(text()); }
  template <class M>
  void fill(std::optional<M>& value) {
    fill(value.emplace());
  }
  template <class M>
  void fill(std::shared_ptr<const M>& value) {
    auto made = std::make_shared<M>();
    fill(*made);
    value = std::move(made);
  }
  template <class M>
  void fill(std::vector<M>& list) {
    for (std::int64_t n = length(); n > 0; --n) fill(list.emplace_back());
  }
  void fill(std::vector<Input>& inputs) { fill_inputs(inputs); }
  template <class M>
  void fill(std::pair<M, M>& pair) {
    fill(pair.first);
    fill(pair.second);
  }
  void fill(std::map<std::string, std::vector<std::string>>& map) {
    for (std::int64_t n = length(); n > 0; --n) fill(map[std::string(text())]);
  }
  void fill(topology::Labels& labels) {
    for (std::int64_t n = length(); n > 0; --n) labels.set(Symbol(text()), Symbol(text()));
  }
  void fill(topology::Amounts& amounts) {
    for (std::int64_t n = length(); n > 0; --n) {
      std::int64_t amount = 0;
      if (dice_->percent(90)) fill(amount);
      amounts.set(Symbol(text()), amount);
    }
  }
  void fill(ResourceFlavors& flavors) {
    for (std::int64_t n = length(); n > 0; --n) flavors.set(Symbol(text()), Symbol(text()));
  }
  void fill(DomainList& domains) {
    std::vector<Symbol> values(static_cast<std::size_t>(length()));
    for (std::int64_t n = length(); n > 0; --n) {
      for (Symbol& value : values) fill(value);
      domains.add(values, dice_->between(1, 100));
    }
  }
  void fill(std::array<std::uint8_t, 32>& hash) {
    for (std::uint8_t& byte : hash) byte = static_cast<std::uint8_t>(dice_->below(256));
  }

  /// The length of a list. Never 0: an empty list leaves its field out.
  std::int64_t length() { return dice_->between(1, filled_ == 100 ? 2 : 3); }
  std::string_view text() {
    return kTexts[dice_->below(static_cast<std::int64_t>(std::size(kTexts)))];
  }

  Dice* dice_;
  int filled_;
};

}  // namespace

core::CycleRecord random_record(Dice& dice, int filled) {
  core::CycleRecord record;
  Filler filler(dice, filled);
  filler.fill(record);
  return record;
}

}  // namespace tessera::test
