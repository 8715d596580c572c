// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include <tc/engine/product/cell_block.hpp>
#include <tc/engine/product/operand_matrix.hpp>
#include <tc/engine/product/tensor_mma_plan.hpp>
#include <tc/engine/tensor/tensor_job.hpp>

namespace tc::engine {

/// Columns of D, next to each other, from the read of their addends to the write of their sums.
struct accumulator_stripe : cell_block {
  cycle_t read_at = 0;  ///< the first column
  cycle_t cycles = 0;   ///< from then until all are there
};

/// A tcgen05.mma in the matrix pipe of one SM.
struct matrix_job final : tensor_job {
  static constexpr unsigned stripe_columns = 64;

  matrix_job() : tensor_job(tensor_action::multiply) {}

  std::optional<tensor_mma_plan> plan;
  unsigned cta = 0;  ///< whose part this SM computes

  // Operands from shared memory; A's core matrices come first.
  std::shared_ptr<operand_matrix> a, b;           ///< no A if it is not there
  bool holds_a = false, holds_b = false;          ///< in a collector buffer, and not to be read
  cycle_t first_read = 0;                         ///< of shared memory, at the earliest
  unsigned sent = 0, there_cores = 0;             ///< core matrices asked for, and those that are there
  cycle_t operands_there = links::unknown_cycle;  ///< A, and the first columns of B
  unsigned exchange_cycles = 0;                   ///< in which the feed is held up by columns of B for the other SM
  bool begins_batch = false;                      ///< it came to an idle pipe

  // Operands from tensor memory.
  cell_block a_cells, metadata, scale_a, scale_b;
  bool takes_cells = false;  ///< reads of them are under way, or done
  unsigned taking = 0;       ///< transactions, and one while they are being sent
  cycle_t cells_there = 0;

  cycle_t products_begin = links::unknown_cycle;
  unsigned stages = 0;  ///< from the products of a column to the read of its accumulators
  cycle_t late = 0;     ///< by which the wave lags: columns of B were missing, or D was read or written more slowly than multiplied
  std::vector<accumulator_stripe> stripes;
  unsigned reading = 0;                                                      ///< transactions, and one while they are being sent
  unsigned summed = 0, written = 0;                                          ///< columns of tensor memory
  std::array<std::array<unsigned char, 128>, isa::tensor_chunks> enables{};  ///< of the bytes of a column in each chunk
  std::array<bool, isa::tensor_chunks> writes_chunk{}, writes_all{};         ///< some, and all of its lanes
  unsigned writing = 0;                                                      ///< transactions
  unsigned writes_end = 0;                                                   ///< columns that are written when these are done
  cycle_t written_at = 0;

  bool follows() const { return partner != nullptr && !leads; }
  const matrix_job& other() const { return static_cast<const matrix_job&>(*partner); }
  /// Core matrices of A, and of both, that are read.
  unsigned a_cores() const { return a == nullptr || holds_a ? 0 : a->cores(); }
  unsigned cores() const { return a_cores() + (holds_b ? 0 : b->cores()); }
  unsigned there_cores_of_b() const { return holds_b ? b->cores() : there_cores - std::min(there_cores, a_cores()); }
  bool shares_operand(const matrix_job& earlier) const { return (a != nullptr && a == earlier.a) || b == earlier.b; }
  isa::column_range columns() const { return plan->columns(tensor_operand::d); }
};

}  // namespace tc::engine
