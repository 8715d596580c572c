// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <tc/engine/product/operand_matrix.hpp>
#include <tc/isa/tcgen05/output_lane_mask.hpp>
#include <tc/isa/tcgen05/tcgen05_operation.hpp>
#include <tc/isa/tcgen05/tensor_address.hpp>
#include <tc/isa/tcgen05/tensor_operand_layout.hpp>

namespace tc::engine {

/// What a tcgen05.mma may have in tensor memory. B is always in shared memory.
enum class tensor_operand : std::uint8_t { d, a, metadata, scale_a, scale_b };

/// What one tcgen05.mma means (PTX ISA): its descriptors decoded, what it reads and writes, and where. Both CTAs of a pair have their
/// operands at the same addresses; each has its own M / 2 rows of A and D, and half of the columns of B, the first half in CTA 0
/// (CUTLASS, mma_traits_sm100.hpp).
class tensor_mma_plan {
 public:
  /// Throws std::invalid_argument with the rule that the operation breaks, or with what no readable source tells: descriptors, addresses in
  /// tensor memory, matrices that lie as the kind does not allow, M and N, and what qualifiers ask of each other.
  explicit tensor_mma_plan(const isa::tensor_mma_operation& operation);

  const isa::mma_form& form() const { return form_; }
  const isa::instruction_descriptor& descriptor() const { return descriptor_; }
  unsigned m() const { return descriptor_.m; }
  unsigned n() const { return descriptor_.n; }
  unsigned k() const { return isa::mma_k(form_); }  ///< of a sparse A twice what is stored
  unsigned ctas() const { return isa::ctas(form_.group); }
  isa::data_path_layout layout() const { return d_.layout(); }

  // Matrices in shared memory, for each CTA.
  /// A: M / ctas() rows of 32 bytes; nothing if A is in tensor memory.
  const std::optional<shared_operand>& shared_a() const { return shared_a_; }
  /// The columns of B that a CTA supplies, from column 0 on: at least first_column() + N / ctas() rows of 32 bytes, behind a sparse A
  /// of 64.
  const shared_operand& shared_b() const { return *shared_b_; }
  /// The column of B that is the first one used: the column shift of a zero-column mask, otherwise 0.
  unsigned first_column() const { return first_column_; }
  /// Which of the N used columns of B count as zero; empty if none does.
  const std::vector<bool>& zero_columns() const { return zero_columns_; }

  // Matrices in tensor memory.
  const isa::accumulator_layout& d() const { return d_; }
  const std::optional<isa::tensor_operand_layout>& a() const { return a_; }  ///< nothing if A is in shared memory
  const std::optional<isa::sparsity_layout>& metadata() const { return metadata_; }
  const std::optional<isa::scale_factor_layout>& scale_a() const { return scale_a_; }
  const std::optional<isa::scale_factor_layout>& scale_b() const { return scale_b_; }

  /// Columns of an operand in the tensor memory of each CTA; none if the operation does not have the operand there.
  isa::column_range columns(tensor_operand which) const;
  /// The cells of an operand in the tensor memory of a CTA, with no cell twice; of D without the lanes that are disabled. D's are written,
  /// and read if reads_d(); the others are read, A's also written if shifts_a().
  std::vector<isa::tensor_cells> cells(tensor_operand which, unsigned cta) const;

  bool reads_d() const { return reads_d_; }                                                  ///< otherwise D = A x B
  unsigned scale_input_d() const { return scale_input_d_; }                                  ///< D is first divided by 2 to this power
  bool writes(unsigned cta, unsigned lane) const { return !disabled_.disables(cta, lane); }  ///< of the lanes that D has
  /// Whether the rows of A in tensor memory are shifted when they have been multiplied (.ashift).
  bool shifts_a() const { return shifts_a_; }

 private:
  void take_tensor_a(isa::tensor_address address);

  isa::mma_form form_;
  isa::instruction_descriptor descriptor_;
  isa::accumulator_layout d_;
  std::optional<isa::tensor_operand_layout> a_;
  std::optional<isa::sparsity_layout> metadata_;
  std::optional<isa::scale_factor_layout> scale_a_, scale_b_;
  std::optional<shared_operand> shared_a_, shared_b_;
  unsigned first_lane_;  ///< of D
  unsigned first_column_ = 0;
  std::vector<bool> zero_columns_;
  isa::output_lane_mask disabled_;
  unsigned scale_input_d_;
  bool reads_d_, shifts_a_;
};

}  // namespace tc::engine
