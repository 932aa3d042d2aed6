// SPDX-License-Identifier: Apache-2.0
// Whether a gang that was admitted may still grow: it is a gang tree, and more of its pods wait.
//
// Asked by whoever admits a gang or takes a growth back. Pure.
#pragma once

#include "actors/records/workload.h"

namespace tessera::core {

/// `held`: all that the gang holds.
bool wants_more(const Workload& workload, const Admission& held);

}  // namespace tessera::core
