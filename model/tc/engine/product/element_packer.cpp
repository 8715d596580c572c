#include "element_packer.hpp"

#include <tc/isa/tcgen05/byte_holder.hpp>

namespace tc::engine {
namespace {

/// The bits of an element in each element of a word.
std::uint32_t in_each(std::uint64_t bits, unsigned element_bits) {
  std::uint32_t word = 0;
  for (unsigned bit = 0; bit < 32; bit += element_bits) word |= static_cast<std::uint32_t>(bits) << bit;
  return word;
}

/// The low halves of the four bytes of a word.
std::uint32_t close_up(std::uint32_t word) {
  word = (word | word >> 4) & 0x00ff00ff;
  return (word | word >> 8) & 0xffff;
}

}  // namespace

element_packer::element_packer(isa::mma_kind kind, isa::element_type type, bool negate) : halves_(false), right_(0), mask_(~0U) {
  const numerics::number_format& format = isa::format_of(type);
  signs_ = negate ? in_each(format.sign_bit() << format.ignored_bits, format.storage_bits) : 0;
  if (kind != isa::mma_kind::f8f6f4 && kind != isa::mma_kind::mxf8f6f4) return;
  halves_ = type == isa::element_type::e2m1;
  right_ = isa::bit_in_byte(type);
  const unsigned bits = 1 + format.exponent_bits + format.fraction_bits;
  mask_ = in_each((1U << bits) - 1, 8);
}

void element_packer::operator()(const std::uint32_t* from, unsigned words, std::uint32_t* to) const {
  const auto taken = [this](std::uint32_t word) { return word >> right_ & mask_; };
  for (unsigned w = 0; w < packed_words(words); ++w) {
    to[w] = (halves_ ? close_up(taken(from[2 * w])) | close_up(taken(from[2 * w + 1])) << 16 : taken(from[w])) ^ signs_;
  }
}

}  // namespace tc::engine
