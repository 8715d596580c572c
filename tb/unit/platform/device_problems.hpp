// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "device_bench.hpp"

namespace tc::platform::test {

/// A product of small integers, which is exact in every precision, at addresses of a bench's memory.
struct gemm_case {
  std::string name, preset;
  unsigned precision = TCSIM_PRECISION_F16, instructions = TCSIM_INSTRUCTIONS_MMA;
  unsigned m = 0, n = 0, k = 0;
};
void PrintTo(const gemm_case& test, std::ostream* out);

/// The smallest product, on a machine that is built fast; and small ones of warpgroups and on tensor memory.
gemm_case small_gemm();
gemm_case warpgroup_gemm();
gemm_case pointwise_gemm();

/// The descriptor of a product whose matrices lie from an address on.
tcsim_gemm descriptor_of(const gemm_case& test, std::uint32_t identifier, std::uint64_t base = device_bench::first_free);
/// Writes A and B, of which there is one for each seed, and something else over D.
void write_matrices(device_bench& bench, const tcsim_gemm& gemm, int seed);
/// Elements of D that are not the product.
unsigned wrong_elements(device_bench& bench, const tcsim_gemm& gemm, int seed);

}  // namespace tc::platform::test
