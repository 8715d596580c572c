// SPDX-License-Identifier: Apache-2.0
#include "element_packer.hpp"

#include <tc/isa/tcgen05/byte_holder.hpp>

namespace tc::engine {
namespace {

constexpr unsigned byte_bits = 8;

bool has_bytes(isa::mma_kind kind) { return kind == isa::mma_kind::f8f6f4 || kind == isa::mma_kind::mxf8f6f4; }

/// The bits of an element in each element of a word.
std::uint32_t in_each(std::uint64_t bits, unsigned element_bits) {
  std::uint32_t word = 0;
  for (unsigned bit = 0; bit < 32; bit += element_bits) word |= static_cast<std::uint32_t>(bits) << bit;
  return word;
}

}  // namespace

numerics::number_format multiplied_format(isa::mma_kind kind, isa::element_type type) {
  numerics::number_format format = isa::format_of(type);
  if (has_bytes(kind)) format.storage_bits = byte_bits;
  return format;
}

element_packer::element_packer(isa::mma_kind kind, isa::element_type type, bool negate) {
  const numerics::number_format format = multiplied_format(kind, type);
  signs_ = negate ? in_each(format.sign_bit() << format.ignored_bits, format.storage_bits) : 0;
  if (!has_bytes(kind)) return;
  right_ = isa::bit_in_byte(type);
  mask_ = in_each(format.sign_bit() | format.magnitude_mask(), byte_bits);
}

}  // namespace tc::engine
