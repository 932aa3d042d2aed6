// SPDX-License-Identifier: Apache-2.0
#include "topology/nodes/node_record.h"

namespace tessera::topology {

std::string Taint::text() const {
  static constexpr const char* kEffects[] = {"NoSchedule", "PreferNoSchedule", "NoExecute"};
  std::string out = key.str();
  if (!value.empty()) out += "=" + value.str();
  return out + ":" + kEffects[static_cast<std::size_t>(effect)];
}

Symbol hostname_label() {
  static const Symbol kLabel("kubernetes.io/hostname");
  return kLabel;
}

}  // namespace tessera::topology
