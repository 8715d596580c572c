// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tc/isa/tcgen05/tensor_address.hpp>

namespace tc::engine {

/// The cells of all 128 lanes in some columns of tensor memory, chunk after chunk, each as the tensor memory has it: column after column,
/// 32 lanes each.
class cell_block {
 public:
  cell_block() = default;
  /// Cells of zeros.
  explicit cell_block(isa::column_range columns) { reset(columns); }

  /// Other columns. Cells that were there keep no particular value.
  void reset(isa::column_range columns) {
    columns_ = columns;
    cells_.resize(std::size_t{columns.count} * isa::tensor_lanes);
  }

  isa::column_range columns() const { return columns_; }

  /// All columns of the 32 lanes of a chunk: lane l of the n-th column at [n * 32 + l].
  std::uint32_t* chunk(unsigned chunk) { return cells_.data() + place(chunk, 0); }
  const std::uint32_t* chunk(unsigned chunk) const { return cells_.data() + place(chunk, 0); }

  /// A cell, by its address in tensor memory; its column must be one of the block's.
  std::uint32_t& cell(isa::tensor_address address) { return cells_[place_of(address)]; }
  std::uint32_t cell(isa::tensor_address address) const { return cells_[place_of(address)]; }

 private:
  std::size_t place(unsigned chunk, unsigned column) const { return (std::size_t{chunk} * columns_.count + column) * isa::chunk_lanes; }
  std::size_t place_of(isa::tensor_address address) const {
    return place(address.lane / isa::chunk_lanes, address.column - columns_.first) + address.lane % isa::chunk_lanes;
  }

  isa::column_range columns_{};
  std::vector<std::uint32_t> cells_;
};

}  // namespace tc::engine
