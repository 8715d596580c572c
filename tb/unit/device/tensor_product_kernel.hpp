// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <engine/tensor_mma_bench.hpp>

#include "tensor_kernel.hpp"

namespace tc::device::test::tensor {

/// A kernel that issues instructions, or an operation alone, with the operands of a bench.
tensor_kernel kernel_of(const std::string& instructions, const engine::test::tensor_mma_bench& bench, unsigned number = 0);
tensor_kernel kernel_of(const isa::tensor_mma_operation& operation, const engine::test::tensor_mma_bench& bench, unsigned number = 0);
/// Gives the bench the D that the kernel has sent, and fails if another operand has changed.
void take_product(const tensor_kernel& kernel, engine::test::tensor_mma_bench& bench);

}  // namespace tc::device::test::tensor
