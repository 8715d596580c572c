// SPDX-License-Identifier: Apache-2.0
#include <tc/numerics/simd/make_kernels.hpp>

// Vectors of 16 bytes: SSE2, which every x86-64 has, NEON, and the like. Compilers split them where there are none.
const tc::numerics::simd::kernel_set tc::numerics::simd::portable_kernels = make_kernels<16, 2>();
