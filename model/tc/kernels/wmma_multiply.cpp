// SPDX-License-Identifier: Apache-2.0
#include "wmma_multiply.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tc/isa/architecture.hpp>
#include <tc/isa/element_type.hpp>
#include <tc/isa/hmma_884_work.hpp>
#include <tc/isa/matrix_shapes.hpp>
#include <tc/isa/mma_operation.hpp>
#include <tc/isa/register_use.hpp>
#include <tc/isa/source_text.hpp>
#include <tc/isa/wmma_layout.hpp>
#include <tc/isa/wmma_sets.hpp>
#include <tc/kernels/machine_writer.hpp>

namespace tc::kernels {

namespace {

/// Conversions of the accumulators of a wmma between f16 and f32, where each lane has the same elements in both. A pair of f32 registers
/// becomes the halves of one.
class accumulator_conversion {
 public:
  /// Throws isa::syntax_error if the two fragments lie in different lanes, as on Volta.
  accumulator_conversion(const isa::mma_operation& mma, isa::architecture arch);

  void widen(const std::vector<unsigned>& halves, const std::vector<unsigned>& words, machine_writer& out) const;
  void narrow(const std::vector<unsigned>& words, const std::vector<unsigned>& halves, machine_writer& out) const;

 private:
  /// Of each half register, the f32 registers that hold its low and its high element.
  struct word_pair {
    unsigned low, high;
  };
  std::vector<word_pair> pairs_;
};

/// The register of `words` where every lane holds what it holds in an element of a register of `halves`.
std::optional<unsigned> find_word(const isa::fragment_layout& halves, unsigned reg, unsigned element, const isa::fragment_layout& words) {
  for (unsigned word = 0; word < words.registers(); ++word) {
    bool equal = true;
    for (unsigned lane = 0; lane < isa::fragment_layout::lanes; ++lane)
      equal = equal && halves.position(lane, reg, element) == words.position(lane, word, 0);
    if (equal) return word;
  }
  return std::nullopt;
}

accumulator_conversion::accumulator_conversion(const isa::mma_operation& mma, isa::architecture arch) {
  isa::mma_operation in_halves = mma, in_words = mma;
  in_halves.c = in_halves.d = isa::element_type::f16;
  in_words.c = in_words.d = isa::element_type::f32;
  const auto halves = isa::wmma_layout(in_halves, isa::fragment::c, arch), words = isa::wmma_layout(in_words, isa::fragment::c, arch);
  for (unsigned reg = 0; reg < halves->registers(); ++reg) {
    const auto low = find_word(*halves, reg, 0, *words), high = find_word(*halves, reg, 1, *words);
    if (!low || !high)
      throw isa::syntax_error(1, "how C of one type and D of another are computed on " + std::string(isa::name(arch)) +
                                     " is not known: their elements lie in different lanes; give both the same type");
    pairs_.push_back({*low, *high});
  }
}

/// The instruction that compilers convert with; a negative zero is what changes nothing.
void accumulator_conversion::widen(const std::vector<unsigned>& halves, const std::vector<unsigned>& words, machine_writer& out) const {
  for (unsigned i = 0; i < pairs_.size(); ++i) {
    const std::string half = register_text(halves[i]);
    out.add("HADD2.F32 " + register_text(words[pairs_[i].low]) + ", -RZ, " + half + ".H0_H0");
    out.add("HADD2.F32 " + register_text(words[pairs_[i].high]) + ", -RZ, " + half + ".H1_H1");
  }
}

void accumulator_conversion::narrow(const std::vector<unsigned>& words, const std::vector<unsigned>& halves, machine_writer& out) const {
  const std::string pack = std::string(isa::info(out.arch()).pack_halves) + ' ';
  for (unsigned i = 0; i < pairs_.size(); ++i)
    out.add(pack + register_text(halves[i]) + ", " + register_text(words[pairs_[i].high]) + ", " + register_text(words[pairs_[i].low]));
}

/// The registers of an m8n8 multiplication: one of A, one of B, two of C and D.
struct small_multiply {
  unsigned a = 0, b = 0;
  std::vector<unsigned> c, d;
};

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

/// 4-bit integers where the tensor cores have none, from Hopper on: as compilers do, the even and the odd places of k become bytes, and two
/// IMMA.8816 multiply them.
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

/// XOR where the tensor cores have AND alone, from Hopper on: a xor b is "a and not b" or "b and not a", which are counted by themselves,
/// as compilers do.
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

/// The operand of a matrix instruction that takes the registers `indices` of a fragment whose registers are `names`: the first of them, as
/// they must follow each other, aligned to their number; "RZ" if all read as zero. `role` names the fragment in messages. Throws
/// isa::syntax_error.
std::string operand_text(const std::vector<unsigned>& names, const std::vector<unsigned>& indices, std::string_view role);

/// ".F32" and so on: an element type as mnemonics write it.
std::string type_suffix(isa::element_type type) {
  std::string text = "." + std::string(isa::name(type));
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string operand_text(const std::vector<unsigned>& names, const std::vector<unsigned>& indices, std::string_view role) {
  const unsigned first = names[indices.front()];
  const auto count = static_cast<unsigned>(indices.size());
  const bool all_zero = std::all_of(indices.begin(), indices.end(), [&](unsigned index) { return names[index] == isa::zero_register; });
  if (all_zero) return register_text(isa::zero_register);
  bool fits = first % count == 0;
  for (unsigned i = 0; i < count; ++i) fits = fits && names[indices[i]] == first + i;
  if (fits) return register_text(first);
  throw isa::syntax_error(1, "the machine takes registers " + std::to_string(indices.front() + 1) + " to " +
                                 std::to_string(indices.back() + 1) + " of " + std::string(role) +
                                 " as one operand: they must follow each other from a multiple of " + std::to_string(count) +
                                 " on, found " + register_text(first));
}

using isa::element_type;
using isa::fragment;

using register_names = std::vector<unsigned>;

bool overlap(const register_names& x, const register_names& y) {
  return std::any_of(x.begin(), x.end(), [&](unsigned reg) { return std::find(y.begin(), y.end(), reg) != y.end(); });
}

/// D is written while later instructions still read A and B, and the parts of C that are not used yet.
void check_overlaps(const wmma_instruction& instruction) {
  const register_names &c = instruction.registers(fragment::c), &d = instruction.registers(fragment::d);
  for (const fragment factor : {fragment::a, fragment::b})
    if (overlap(d, instruction.registers(factor)))
      throw isa::syntax_error(1, "the registers of D must not hold A or B; D may share registers with C alone");
  if (c.size() == d.size() && c != d && overlap(c, d))
    throw isa::syntax_error(1, "D may share registers with C only if both lists are the same");
}

/// "HMMA.16816.F32.BF16" for a set of the multiplication.
std::string mnemonic_of(const isa::mma_operation& mma, const isa::wmma_set& set) {
  const std::string shape =
      std::to_string(std::max(set.rows, set.columns)) + std::to_string(std::min(set.rows, set.columns)) + std::to_string(set.ks);
  switch (mma.a) {
    case element_type::f64:
      return "DMMA." + shape;
    case element_type::f16:
      return "HMMA." + shape + type_suffix(mma.d);
    case element_type::bf16:
    case element_type::tf32:
      return "HMMA." + shape + ".F32" + type_suffix(mma.a);
    case element_type::b1:
      return "BMMA." + shape + (mma.combine == isa::bit_operation::conjunction ? ".AND.POPC" : ".XOR.POPC");
    default:
      return "IMMA." + shape + type_suffix(mma.a) + type_suffix(mma.b) + (mma.saturate ? ".SAT" : "");
  }
}

/// Whether two neighbouring sets take the same registers through a slot, so that the first one keeps them for the second.
bool keeps(const isa::wmma_set& set, const isa::wmma_set* next, bool first_slot) {
  if (next == nullptr) return false;
  const auto& own = first_slot != set.transposed ? set.a : set.b;
  const auto& later = first_slot != next->transposed ? next->a : next->b;
  return own == later;
}

/// The sets of a multiplication. isa::wmma_sets names the lower register of a 64-bit element; here both are.
std::vector<isa::wmma_set> sets_of(const isa::mma_operation& mma, isa::architecture arch) {
  std::vector<isa::wmma_set> sets = isa::wmma_sets(mma, arch);
  if (bits(mma.a) < 64) return sets;
  for (isa::wmma_set& set : sets) {
    for (std::vector<unsigned>* registers : {&set.a, &set.b, &set.c}) {
      std::vector<unsigned> both;
      for (const unsigned lower : *registers) both.insert(both.end(), {lower, lower + 1});
      *registers = both;
    }
  }
  return sets;
}

/// The sets of the generations from Turing on. A later set with the registers of an earlier one adds to its sums.
void write_sets(const isa::mma_operation& mma, const register_names& a, const register_names& b, const register_names& c,
                const register_names& d, machine_writer& out) {
  const std::vector<isa::wmma_set> sets = sets_of(mma, out.arch());
  const bool shows_layout = mma.d == element_type::s32;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const isa::wmma_set& set = sets[i];
    const isa::wmma_set* const next = i + 1 < sets.size() ? &sets[i + 1] : nullptr;
    const bool is_first = set.first_k == 0;
    const std::string in_a = operand_text(a, set.a, "A"), in_b = operand_text(b, set.b, "B");
    const std::string first = (set.transposed ? in_b : in_a) + (keeps(set, next, true) ? ".reuse" : "") + (shows_layout ? ".ROW" : "");
    const std::string second = (set.transposed ? in_a : in_b) + (keeps(set, next, false) ? ".reuse" : "") + (shows_layout ? ".COL" : "");
    out.add(mnemonic_of(mma, set) + " " + operand_text(d, set.c, "D") + ", " + first + ", " + second + ", " +
            operand_text(is_first ? c : d, set.c, "C"));
  }
}

/// Volta: each of four sets takes the next four of k, each step of a set two registers of the sums (Jia et al., arXiv 1804.06826, listing
/// 4.1). All steps of a set but the last keep A and B for the next. Where D is f32 and C is not, the first set widens it: two steps after
/// each other take the same pair (as ptxas makes it of mma.sync.m8n8k4).
void write_octet_sets(const isa::mma_operation& mma, const register_names& a, const register_names& b, const register_names& c,
                      const register_names& d, machine_writer& out) {
  const unsigned steps = isa::hmma_884_steps(mma.d);
  for (unsigned set = 0; set < isa::hmma_884_sets; ++set) {
    const bool is_first = set == 0, widens = is_first && mma.c != mma.d;
    const std::string types = type_suffix(mma.d) + type_suffix(is_first ? mma.c : mma.d);
    for (unsigned step = 0; step < steps; ++step) {
      const isa::hmma_884_work work = isa::work_of_hmma_884(mma.d, set, step, 0);
      const std::string reuse = step + 1 < steps ? ".reuse" : "";
      const auto pair = [](const register_names& names, unsigned first, std::string_view role) {
        return operand_text(names, {first, first + 1}, role);
      };
      const unsigned c_register = widens ? work.d_register / 4 * 2 : work.d_register;
      out.add("HMMA.884" + types + ".STEP" + std::to_string(step) + " " + pair(d, work.d_register, "D") + ", " +
              pair(a, work.a_register, "A") + reuse + (mma.a_column ? ".COL" : ".ROW") + ", " + pair(b, work.b_register, "B") + reuse +
              (mma.b_column ? ".COL" : ".ROW") + ", " + pair(is_first ? c : d, c_register, "C"));
    }
  }
}

/// C and D have one type.
void write_sums(const isa::mma_operation& mma, const register_names& a, const register_names& b, const register_names& c,
                const register_names& d, machine_writer& out) {
  if (isa::info(out.arch()).octet_steps) return write_octet_sets(mma, a, b, c, d, out);
  const bool is_emulated = bits(mma.a) < 8 && !isa::has_mma(out.arch(), mma.a, mma.m, mma.n, mma.k, mma.combine);
  if (is_emulated && bits(mma.a) == 4) return write_nibble_multiply(mma, {a[0], b[0], c, d}, out);
  if (is_emulated && mma.combine == isa::bit_operation::exclusive_or) return write_exclusive_or_multiply({a[0], b[0], c, d}, out);
  write_sets(mma, a, b, c, d, out);
}

register_names scratch_for(unsigned registers, machine_writer& out) {
  register_names names(registers);
  const unsigned first = out.take_scratch(registers);
  for (unsigned i = 0; i < registers; ++i) names[i] = first + i;
  return names;
}

/// In scratch registers, for instructions that read them after others have written the sums.
register_names copied(const register_names& names, machine_writer& out) {
  register_names copies = scratch_for(static_cast<unsigned>(names.size()), out);
  for (std::size_t i = 0; i < names.size(); ++i) out.add("MOV " + register_text(copies[i]) + ", " + register_text(names[i]));
  return copies;
}

}  // namespace

void write_wmma_multiply(const wmma_instruction& instruction, machine_writer& out) {
  check_overlaps(instruction);
  isa::mma_operation mma = instruction.mma;
  const register_names &a = instruction.registers(fragment::a), &b = instruction.registers(fragment::b);
  register_names c = instruction.registers(fragment::c), d = instruction.registers(fragment::d);
  if (mma.c == mma.d) return write_sums(mma, a, b, c, d, out);
  if (isa::info(out.arch()).octet_steps && mma.d == element_type::f32) {
    if (overlap(c, d)) c = copied(c, out);
    return write_sums(mma, a, b, c, d, out);
  }

  const accumulator_conversion conversion(mma, out.arch());
  const bool widens = mma.d == element_type::f32;
  mma.c = mma.d = element_type::f32;
  if (widens) {
    const register_names sums = overlap(c, d) ? scratch_for(static_cast<unsigned>(d.size()), out) : d;
    conversion.widen(c, sums, out);
    return write_sums(mma, a, b, sums, d, out);
  }
  const register_names sums = scratch_for(static_cast<unsigned>(c.size()), out);
  write_sums(mma, a, b, c, sums, out);
  conversion.narrow(sums, d, out);
}

}  // namespace tc::kernels
