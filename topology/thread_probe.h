// SPDX-License-Identifier: Apache-2.0
// Whether the system gives a program more threads.
//
// Called before CAF or oneTBB start threads: both crash or hang if they get none halfway. The probe
// starts the threads, holds them, and ends them again; their stacks serve the next threads. Costs
// some 50 us a thread. Any thread may call it.
#pragma once

#include <cstddef>
#include <system_error>

namespace tessera::topology {

/// Starts `threads` threads at once and allocates `bytes` beside them, all for a moment. The error
/// says what the system refused; none: it gave everything.
std::error_code try_threads(int threads, std::size_t bytes);

}  // namespace tessera::topology
