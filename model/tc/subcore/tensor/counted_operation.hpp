// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/links/mma_table.hpp>
#include <tc/subcore/tensor/tensor_operation.hpp>

namespace tc::subcore {

/// A matrix operation, and how many instructions have done it. What every one of them counts alike is worked out from their number when
/// statistics are collected.
struct counted_operation {
  tensor_operation operation;
  std::uint64_t instructions = 0;
};

using counted_operations = links::mma_table<counted_operation>;

}  // namespace tc::subcore
