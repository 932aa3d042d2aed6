// SPDX-License-Identifier: Apache-2.0
// NameBudget: bounds how many new symbols the names of resources and levels that gangs ask for may
// become. Symbols stay for ever.
//
// Thread-safe. The readers of ingest/ take each such name from it. A name that is interned already
// costs nothing, so only names that nothing in the cluster has are ever refused. The text of a
// record is read without a budget: its names were bounded when the gangs were read.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string_view>

#include "topology/text/symbol.h"

namespace tessera::topology {

class NameBudget {
 public:
  /// Some 10 MB with names of 100 bytes.
  static constexpr std::size_t kMostNames = 65'536;

  explicit NameBudget(std::size_t most = kMostNames) : most_(most), left_(most) {}

  std::size_t most() const { return most_; }

  /// The symbol of the name. Nothing if the name is new and one too many.
  std::optional<Symbol> take(std::string_view name);

 private:
  std::size_t most_;
  std::atomic<std::size_t> left_;
};

/// The budget of this process.
NameBudget& asked_names();

}  // namespace tessera::topology
