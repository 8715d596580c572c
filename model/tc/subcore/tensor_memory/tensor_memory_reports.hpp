// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tc::subcore::report {

// Message types of loads and stores of tensor memory.

/// A warp accesses cells of tensor memory that it may not.
/// Cure: Allocate the columns with `tcgen05.alloc` before, and access the 32 lanes of the warp's rank in its warpgroup.
inline constexpr const char* tensor_memory_access = "/tc/tensor_memory/access";

/// Tensor memory answered a load or store with an error.
/// Cure: Correct the unit that stands for tensor memory: 128 lanes of 512 columns.
inline constexpr const char* tensor_memory_response = "/tc/tensor_memory/response";

/// A register bank answered a load or store of tensor memory with an error.
/// Cure: Correct the unit that stands for the register bank.
inline constexpr const char* tensor_memory_bank = "/tc/tensor_memory/bank";

}  // namespace tc::subcore::report
