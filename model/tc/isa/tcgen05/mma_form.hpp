// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <tc/isa/matrix_descriptor.hpp>
#include <tc/isa/tcgen05/cta_group.hpp>
#include <tc/isa/tcgen05/mma_kind.hpp>

namespace tc::isa {

/// What the name of a tcgen05.mma says of its matrices.
struct mma_form {
  mma_kind kind = mma_kind::f16;
  cta_group group = cta_group::one;
  bool weight_stationary = false;            ///< .ws
  bool sparse = false;                       ///< .sp
  scale_vector scales = scale_vector::none;  ///< of block-scaled kinds
};

/// Why there is no such form, empty if there is: .ws of two CTAs or of a block-scaled kind, scales that the kind does not have.
std::string mma_form_mistake(const mma_form& form);

/// K of the instructions: 32 bytes of a row of A and of a column of B, twice the elements if A is sparse (PTX ISA, table of shapes).
inline unsigned mma_k(const mma_form& form) { return mma_k(form.kind, form.sparse); }

/// The values of M and of N that a form has (PTX ISA, table of shapes).
std::vector<unsigned> mma_rows(const mma_form& form);
std::vector<unsigned> mma_columns(const mma_form& form);

/// Why no matrix in shared memory lies so, empty if it may: a kind does not transpose, or transposes only with one swizzle (PTX ISA).
std::string mma_swizzle_mistake(mma_kind kind, matrix_major major, swizzle_mode swizzle);

}  // namespace tc::isa
