// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <tc/isa/asynchronous_operation.hpp>
#include <tc/isa/tensor_map.hpp>

#include "memory_reference.hpp"

namespace tcsim::random_programs {

/// Moves the box of a bulk tensor copy, element by element (PTX ISA, "Tensors"; CUDA driver API, cuTensorMapEncodeTiled and
/// cuTensorMapEncodeIm2col). Returns its bytes, with those of elements outside the tensor.
std::uint32_t copy_box(const tc::isa::bulk_copy_operation& copy, const tc::isa::tensor_map& map, global_bytes& global,
                       std::vector<std::uint8_t>& shared);

}  // namespace tcsim::random_programs
