// SPDX-License-Identifier: Apache-2.0
#include "kernel_sets.hpp"

namespace tc::numerics {

const simd::kernel_set& kernels_of([[maybe_unused]] instruction_set set) {
#ifdef TC_X86_KERNELS
  if (set == instruction_set::avx2) return simd::avx2_kernels;
  if (set == instruction_set::avx512) return simd::avx512_kernels;
#endif
  return simd::portable_kernels;
}

}  // namespace tc::numerics
