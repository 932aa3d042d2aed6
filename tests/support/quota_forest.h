// SPDX-License-Identifier: Apache-2.0
// QuotaForest: queues and cohorts with random or given quotas, and Kueue's formulas as they are
// written in queues.md 5. For tests of ledgers and quota roots. Two columns: flavor "f" with "cpu"
// and "gpu". Shares no code with the Ledger; made for a handful of nodes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "actors/quota/ledger.h"
#include "actors/records/gang_id.h"

namespace tessera::test {

inline constexpr int kQuotaColumns = 2;

struct QuotaSpec {
  std::int64_t nominal = 0;
  std::optional<std::int64_t> borrow, lend;
};
struct QuotaNodeSpec {
  std::string name, parent;
  bool is_queue = false;
  QuotaSpec quotas[kQuotaColumns];
};
/// What one workload holds.
struct QuotaUse {
  core::GangId workload;
  std::uint64_t cycle;  // 0: committed
  std::uint32_t item;
  std::string queue;
  int column;
  std::int64_t amount;
};

struct QuotaForest {
  std::vector<QuotaNodeSpec> nodes;

  core::Ledger ledger() const;
  const QuotaNodeSpec& node(const std::string& name) const;
  std::string root_of(const std::string& name) const;
  std::int64_t subtree(const std::string& name, int column) const;
  std::int64_t local(const std::string& name, int column) const;
  std::int64_t usage(const std::string& name, int column, const std::vector<QuotaUse>& uses) const;
  /// Negative if more is used than there is.
  std::int64_t avail(const std::string& name, int column, const std::vector<QuotaUse>& uses) const;
};

core::QuotaNode quota_node(const core::Ledger& ledger, const std::string& name);
core::QuotaColumn quota_column(const core::Ledger& ledger, int column);

}  // namespace tessera::test
