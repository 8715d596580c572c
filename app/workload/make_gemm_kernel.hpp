// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "gemm_kernel.hpp"
#include "gemm_parameters.hpp"

namespace tcsim {

/// The architecture that a kernel is made for: the one named, or the first of the machine. Throws usage_error, which calls the parameter
/// `called`, if the machine does not run it or there are no kernels for it.
tc::isa::architecture gemm_architecture(const std::string& name, const tc::config::machine& machine, const char* called);

/// Throws gemm_error if there is no such kernel for the machine. Costs little.
void plan_gemm(const gemm_parameters& parameters, tc::isa::architecture arch, const tc::config::machine& machine);

/// The kernel with its matrices, which begin at a place in global memory. Throws gemm_error.
std::unique_ptr<gemm_kernel> make_gemm_kernel(const gemm_parameters& parameters, tc::isa::architecture arch,
                                              const tc::config::machine& machine,
                                              std::uint64_t memory_base = tc::kernels::gemm_tiling{}.memory_base);

}  // namespace tcsim
