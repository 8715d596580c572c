// SPDX-License-Identifier: Apache-2.0
#include "wmma_multiply.hpp"

#include <algorithm>
#include <string>

#include <tc/isa/hmma_884_work.hpp>
#include <tc/isa/mma_suffixes.hpp>
#include <tc/isa/syntax_error.hpp>
#include <tc/isa/wmma_sets.hpp>
#include <tc/kernels/accumulator_conversion.hpp>
#include <tc/kernels/emulated_multiply.hpp>
#include <tc/kernels/matrix_operand.hpp>

namespace tc::kernels {
namespace {

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
