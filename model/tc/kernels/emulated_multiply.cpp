// SPDX-License-Identifier: Apache-2.0
#include "emulated_multiply.hpp"

#include <string>

namespace tc::kernels {
namespace {

/// Adds two sums and C. The sums are pairs of registers.
void add_sums(unsigned first, unsigned second, const small_multiply& registers, machine_writer& out) {
  for (unsigned i = 0; i < 2; ++i)
    out.add("IADD3 " + register_text(registers.d[i]) + ", " + register_text(first + i) + ", " + register_text(second + i) + ", " +
            register_text(registers.c[i]));
}

/// Adds two sums, and C to what they make: a result beyond 32 bits becomes the limit on the side of C. The sums are far from the limits
/// themselves. Compilers choose by predicates, which a trace may need for other things; here the overflow is a mask.
void add_sums_saturating(unsigned first, unsigned second, const small_multiply& registers, machine_writer& out) {
  const std::string sum = register_text(out.take_scratch(1)), total = register_text(out.take_scratch(1)),
                    overflow = register_text(out.take_scratch(1)), limit = register_text(out.take_scratch(1));
  for (unsigned i = 0; i < 2; ++i) {
    const std::string c = register_text(registers.c[i]);
    out.add("IADD3 " + sum + ", " + register_text(first + i) + ", " + register_text(second + i) + ", RZ");
    out.add("IADD3 " + total + ", " + sum + ", " + c + ", RZ");
    out.add("LOP3.LUT " + overflow + ", " + total + ", " + c + ", " + sum + ", 0x18, !PT");  // (total ^ c) & (total ^ sum)
    out.add("SHF.R.S32.HI " + overflow + ", RZ, 0x1f, " + overflow);
    out.add("SHF.R.S32.HI " + limit + ", RZ, 0x1f, " + c);
    out.add("LOP3.LUT " + limit + ", " + limit + ", 0x7fffffff, RZ, 0x3c, !PT");  // limit ^ 0x7fffffff
    out.add("LOP3.LUT " + register_text(registers.d[i]) + ", " + overflow + ", " + limit + ", " + total + ", 0xca, !PT");  // select
  }
}

/// The nibbles of a register as bytes.
struct unpacked_nibbles {
  std::string even, odd;
};

unpacked_nibbles unpack(unsigned from, bool is_signed, machine_writer& out) {
  unpacked_nibbles result{register_text(out.take_scratch(1)), register_text(out.take_scratch(1))};
  out.add("LOP3.LUT " + result.even + ", " + register_text(from) + ", 0xf0f0f0f, RZ, 0xc0, !PT");
  out.add("SHF.R.U32.HI " + result.odd + ", RZ, 0x4, " + register_text(from));
  out.add("LOP3.LUT " + result.odd + ", " + result.odd + ", 0xf0f0f0f, RZ, 0xc0, !PT");
  if (!is_signed) return result;
  // The sign, worth 8, times 30 fills the upper half of its byte: no byte carries into the next.
  const std::string signs = register_text(out.take_scratch(1));
  for (const std::string& bytes : {result.even, result.odd}) {
    out.add("LOP3.LUT " + signs + ", " + bytes + ", 0x8080808, RZ, 0xc0, !PT");
    out.add("IMAD " + bytes + ", " + signs + ", 0x1e, " + bytes);
  }
  return result;
}

}  // namespace

void write_nibble_multiply(const isa::mma_operation& mma, const small_multiply& registers, machine_writer& out) {
  const bool is_signed = mma.a == isa::element_type::s4;
  const unsigned even_sums = out.take_scratch(2), odd_sums = out.take_scratch(2);
  const unpacked_nibbles a = unpack(registers.a, is_signed, out), b = unpack(registers.b, is_signed, out);
  const std::string mnemonic = is_signed ? "IMMA.8816.S8.S8 " : "IMMA.8816.U8.U8 ";
  out.add(mnemonic + register_text(even_sums) + ", " + a.even + ".ROW, " + b.even + ".COL, RZ");
  out.add(mnemonic + register_text(odd_sums) + ", " + a.odd + ".ROW, " + b.odd + ".COL, RZ");
  if (mma.saturate)
    add_sums_saturating(even_sums, odd_sums, registers, out);
  else
    add_sums(even_sums, odd_sums, registers, out);
}

void write_exclusive_or_multiply(const small_multiply& registers, machine_writer& out) {
  const unsigned first_sums = out.take_scratch(2), second_sums = out.take_scratch(2);
  const std::string not_a = register_text(out.take_scratch(1)), not_b = register_text(out.take_scratch(1));
  const std::string a = register_text(registers.a), b = register_text(registers.b);
  out.add("LOP3.LUT " + not_b + ", RZ, " + b + ", RZ, 0x33, !PT");
  out.add("LOP3.LUT " + not_a + ", RZ, " + a + ", RZ, 0x33, !PT");
  out.add("BMMA.88128.AND.POPC " + register_text(first_sums) + ", " + a + ".ROW, " + not_b + ".COL, RZ");
  out.add("BMMA.88128.AND.POPC " + register_text(second_sums) + ", " + not_a + ".ROW, " + b + ".COL, RZ");
  add_sums(first_sums, second_sums, registers, out);
}

}  // namespace tc::kernels
