// SPDX-License-Identifier: Apache-2.0
#include <tc/numerics/simd/make_kernels.hpp>

const tc::numerics::simd::kernel_set tc::numerics::simd::avx512_kernels = make_kernels<64, 4>();
