#pragma once

#include <cstdint>

#include <tc/config/tensor_core_parameters.hpp>
#include <tc/kernels/gemm_plan.hpp>
#include <tc/kernels/gemm_trace.hpp>

namespace tcsim {

/// Random A and B, and D if `with_product`: the product that the machine's dot-product units give if every instruction of the kernel adds
/// its k to the sum in turn. Floating-point elements are uniform in [-1, 1), integers take all values. Equal seeds give equal matrices.
tc::kernels::gemm_matrices make_gemm_matrices(const tc::kernels::gemm_plan& plan, const tc::config::tensor_core_parameters& tensor_core,
                                              std::uint64_t seed, bool with_product);

}  // namespace tcsim
