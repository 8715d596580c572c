// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/isa/element_type.hpp>
#include <tc/isa/tcgen05/mma_kind.hpp>

namespace tc::engine {

/// The format in which the elements of a kind are multiplied. In kinds that mix elements of 4, 6 and 8 bits each has a byte.
numerics::number_format multiplied_format(isa::mma_kind kind, isa::element_type type);

/// Brings elements of A or B as tcgen05.mma has them, K-major in whole words, to how the arithmetic takes them: in the lowest bits of their
/// byte, where they have one to themselves (isa::bit_in_byte() tells where they come from), and with the sign that the instruction
/// descriptor gives them.
class element_packer {
 public:
  element_packer(isa::mma_kind kind, isa::element_type type, bool negate);

  std::uint32_t operator()(std::uint32_t word) const { return (word >> right_ & mask_) ^ signs_; }

 private:
  unsigned right_ = 0;        ///< by how much elements are shifted
  std::uint32_t mask_ = ~0U;  ///< of the elements in a word after that
  std::uint32_t signs_;
};

}  // namespace tc::engine
