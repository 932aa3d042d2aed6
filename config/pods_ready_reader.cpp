// SPDX-License-Identifier: Apache-2.0
// The part `waitForPodsReady` of the configuration file.
#include "config/duration.h"
#include "config/settings_reader.h"

namespace tessera::config {

using reader::Type;
using reader::Value;

void SettingsReader::read_pods_ready(Value value, const std::string& path) {
  if (value.is(Type::kNull)) return;
  if (!value.is(Type::kMap)) return report(value, path, "expected a map");
  PodsReady rule;
  bool valid = true;
  for (Value v = value.first(); v; v = v.next()) {
    const std::string field = path + "." + std::string(v.key());
    if (v.key() == "timeout") {
      const std::string written = text(v, field);
      rule.timeout = parse_duration(written).value_or(0);
      if (written.empty() || rule.timeout > 0) continue;
      report(v, field, "\"" + written + "\" is not a time to wait (right: 5m, 1h30m, 90s)");
      valid = false;
    } else if (v.key() == "requeuingStrategy") {
      read_requeuing(v, field, rule);
    } else {
      unknown(v, path, {"timeout", "requeuingStrategy"});
    }
  }
  if (valid && rule.timeout == 0) {
    return report(value, path + ".timeout", "says how long pods may take (right: 5m)");
  }
  if (valid) loaded_.settings.pods_ready = rule;
}

void SettingsReader::read_requeuing(Value value, const std::string& path, PodsReady& rule) {
  if (!value.is(Type::kMap)) return report(value, path, "expected a map");
  constexpr Range kCount{0, 1'000'000}, kSeconds{0, 1'000'000'000};
  for (Value v = value.first(); v; v = v.next()) {
    const std::string field = path + "." + std::string(v.key());
    if (v.key() == "timestamp") {
      const auto chosen = choice(v, field, {"Eviction", "Creation"});
      if (chosen) rule.orders_by_eviction = *chosen == 0;
    } else if (v.key() == "backoffLimitCount") {
      if (!v.is(Type::kNull)) rule.backoff_limit_count = number(v, field, kCount);
    } else if (v.key() == "backoffBaseSeconds") {
      rule.backoff_base_seconds = number(v, field, kSeconds).value_or(rule.backoff_base_seconds);
    } else if (v.key() == "backoffMaxSeconds") {
      rule.backoff_max_seconds = number(v, field, kSeconds).value_or(rule.backoff_max_seconds);
    } else {
      unknown(v, path,
              {"timestamp", "backoffLimitCount", "backoffBaseSeconds", "backoffMaxSeconds"});
    }
  }
}

}  // namespace tessera::config
