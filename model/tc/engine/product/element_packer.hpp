#pragma once

#include <cstdint>

#include <tc/isa/element_type.hpp>
#include <tc/isa/tcgen05/mma_kind.hpp>

namespace tc::engine {

/// Brings elements of A or B as tcgen05.mma has them, K-major in whole words, to how the arithmetic takes them: without gaps, and with the
/// sign that the instruction descriptor gives them. Elements of 4 and 6 bits of kinds f8f6f4 and mxf8f6f4 come in a byte each, whose lowest
/// bit of theirs isa::bit_in_byte() tells.
class element_packer {
 public:
  element_packer(isa::mma_kind kind, isa::element_type type, bool negate);

  /// Words that so many words become: half of them where elements of 4 bits come in bytes.
  unsigned packed_words(unsigned words) const { return halves_ ? words / 2 : words; }
  /// `from` and `to` do not overlap.
  void operator()(const std::uint32_t* from, unsigned words, std::uint32_t* to) const;

 private:
  bool halves_;         ///< two words of 4-bit elements in bytes become one
  unsigned right_;      ///< by how much elements are shifted
  std::uint32_t mask_;  ///< of the elements in a word after that
  std::uint32_t signs_;
};

}  // namespace tc::engine
