// SPDX-License-Identifier: Apache-2.0
#include "solver/counting/kernel_choice.h"

namespace tessera::solver {

bool has_kernel(CountKernel kernel) {
#if defined(__x86_64__)
  static const bool kEight = __builtin_cpu_supports("avx2") != 0;
  static const bool kSixteen =
      __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
      __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
  if (kernel == CountKernel::kEightLanes) return kEight;
  if (kernel == CountKernel::kSixteenLanes) return kSixteen;
#endif
  return kernel == CountKernel::kPlain;
}

CountKernel best_kernel() {
  static const CountKernel kBest = has_kernel(CountKernel::kSixteenLanes)
                                       ? CountKernel::kSixteenLanes
                                   : has_kernel(CountKernel::kEightLanes) ? CountKernel::kEightLanes
                                                                          : CountKernel::kPlain;
  return kBest;
}

}  // namespace tessera::solver
