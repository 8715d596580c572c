// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include <tc/isa/asynchronous_operation.hpp>
#include <tc/isa/tensor_map.hpp>
#include <tc/trace/step.hpp>

#include "warp_state.hpp"

namespace tcsim::random_programs {

/// Global memory: regions by address.
class global_bytes {
 public:
  void add(std::uint64_t base, std::vector<std::uint8_t> content) { regions_[base] = std::move(content); }
  /// A byte. Throws not_executed outside of all regions.
  std::uint8_t& at(std::uint64_t address);
  const std::map<std::uint64_t, std::vector<std::uint8_t>>& regions() const { return regions_; }

 private:
  std::map<std::uint64_t, std::vector<std::uint8_t>> regions_;
};

/// Executes a load, a store or a transposition of matrices. False if it is none.
bool execute_memory(const tc::trace::step& step, global_bytes& global, std::vector<std::uint8_t>& shared, warp_state& warp);

/// Moves the box of a bulk tensor copy, element by element (PTX ISA, "Tensors"; CUDA driver API, cuTensorMapEncodeTiled and
/// cuTensorMapEncodeIm2col). Returns its bytes, with those of elements outside the tensor.
std::uint32_t copy_box(const tc::isa::bulk_copy_operation& copy, const tc::isa::tensor_map& map, global_bytes& global,
                       std::vector<std::uint8_t>& shared);

}  // namespace tcsim::random_programs
