// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/kernels/gemm_problem.hpp>
#include <tc/kernels/gemm_text.hpp>
#include <tc/numerics/dot_product.hpp>

namespace tcsim {

/// What the matrices of a GEMM hold.
struct gemm_values {
  std::uint64_t seed = 1;
  bool with_product = true;                              ///< the trace says which product it expects
  unsigned tile_m = 1, tile_n = 1;                       ///< elements of D that a CTA computes
  std::uint64_t most_products = std::uint64_t{1} << 30;  ///< multiply-accumulates; with more of them, D is computed in samples alone
};

/// How a kernel's matrix instructions add to an element of D.
struct product_step {
  tc::numerics::dot_product unit;  ///< of the machine
  unsigned k = 0;                  ///< elements that an instruction takes
};

/// Random A and B, and D if they are to have it: the product that the machine's dot-product units give if every instruction of the kernel
/// adds its k to the sum in turn, with zeros behind the end of k. Floating-point elements are uniform in [-1, 1), integers take all values.
/// Equal seeds give equal matrices. Samples lie in the part of every CTA, where its first and last rows and four more, which the seed
/// chooses, cross as many columns. Throws interrupted if a signal has come (interruption.hpp).
tc::kernels::gemm_matrices make_gemm_matrices(const tc::kernels::gemm_problem& problem, const product_step& step,
                                              const gemm_values& values);

}  // namespace tcsim
