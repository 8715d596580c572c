// SPDX-License-Identifier: Apache-2.0
#include "matrix_shapes.hpp"

#include <algorithm>

#include <tc/isa/warp_lanes.hpp>

namespace tc::isa {

namespace {

using type = element_type;

/// PTX ISA, mma.sync; e2m1 is in shared memory and tensor memory only there.
const std::vector<element_kind>& element_kinds() {
  static const std::vector<element_kind> kinds{
      {{type::f16}, {type::f32, type::f16}},
      {{type::bf16}, {type::f32}},
      {{type::tf32}, {type::f32}},
      {{type::e4m3, type::e5m2}, {type::f32, type::f16}},
      {{type::e2m1}, {type::f32, type::f16}},
      {{type::f64}, {type::f64}},
      {{type::s8, type::u8}, {type::s32}},
      {{type::s4, type::u4}, {type::s32}},
      {{type::b1}, {type::s32}},
  };
  return kinds;
}

bool has_type(const std::vector<type>& types, type wanted) { return std::find(types.begin(), types.end(), wanted) != types.end(); }

std::string element_names(const std::vector<type>& types) {
  std::string names;
  for (const type each : types) names += (names.empty() ? "" : ", ") + std::string(name(each));
  return names;
}

}  // namespace

const element_kind* find_element_kind(element_type multiplicand) {
  for (const element_kind& kind : element_kinds())
    if (has_type(kind.multiplicands, multiplicand)) return &kind;
  return nullptr;
}

const element_kind& element_kind_of(element_type multiplicand) {
  const element_kind* const kind = find_element_kind(multiplicand);
  if (kind == nullptr) throw std::invalid_argument("no matrix instruction multiplies " + std::string(name(multiplicand)));
  return *kind;
}

/// From assembling every mma.sync of the PTX ISA with ptxas for each architecture. Hopper and later have no 4-bit integers and no XOR. A
/// shape of architectures that do not follow each other has rows that do.
const std::vector<matrix_shape>& hardware_matrix_shapes() {
  static const std::vector<matrix_shape> shapes{
      {opcode::hmma, "884", 8, 8, 4, type::f16, until_turing},
      {opcode::hmma, "1688", 16, 8, 8, type::f16, turing_on},
      {opcode::hmma, "16816", 16, 8, 16, type::f16, ampere_on},
      {opcode::hmma, "1688", 16, 8, 8, type::bf16, ampere_on},
      {opcode::hmma, "16816", 16, 8, 16, type::bf16, ampere_on},
      {opcode::hmma, "1684", 16, 8, 4, type::tf32, ampere_on},
      {opcode::hmma, "1688", 16, 8, 8, type::tf32, ampere_on},
      {opcode::qmma, "16816", 16, 8, 16, type::e4m3, ada_only},
      {opcode::qmma, "16816", 16, 8, 16, type::e4m3, geforce_blackwell_only},
      {opcode::qmma, "16832", 16, 8, 32, type::e4m3, ada_only},
      {opcode::qmma, "16832", 16, 8, 32, type::e4m3, geforce_blackwell_only},
      {opcode::dmma, "884", 8, 8, 4, type::f64, ampere_on},
      {opcode::dmma, "1684", 16, 8, 4, type::f64, hopper_on},
      {opcode::dmma, "1688", 16, 8, 8, type::f64, hopper_on},
      {opcode::dmma, "16816", 16, 8, 16, type::f64, hopper_on},
      {opcode::imma, "8816", 8, 8, 16, type::s8, turing_on},
      {opcode::imma, "16816", 16, 8, 16, type::s8, ampere_on},
      {opcode::imma, "16832", 16, 8, 32, type::s8, ampere_on},
      {opcode::imma, "8832", 8, 8, 32, type::s4, turing_to_ada},
      {opcode::imma, "16832", 16, 8, 32, type::s4, ampere_to_ada},
      {opcode::imma, "16864", 16, 8, 64, type::s4, ampere_to_ada},
      {opcode::bmma, "88128", 8, 8, 128, type::b1, turing_to_ada, bit_operation::exclusive_or},
      {opcode::bmma, "88128", 8, 8, 128, type::b1, ampere_on, bit_operation::conjunction},
      {opcode::bmma, "168128", 16, 8, 128, type::b1, ampere_to_ada, bit_operation::exclusive_or},
      {opcode::bmma, "168128", 16, 8, 128, type::b1, ampere_on, bit_operation::conjunction},
      {opcode::bmma, "168256", 16, 8, 256, type::b1, ampere_to_ada, bit_operation::exclusive_or},
      {opcode::bmma, "168256", 16, 8, 256, type::b1, ampere_on, bit_operation::conjunction},
  };
  return shapes;
}

bool has_mma(architecture arch, element_type elements, unsigned m, unsigned n, unsigned k, bit_operation combine) {
  const std::vector<matrix_shape>& shapes = hardware_matrix_shapes();
  return std::any_of(shapes.begin(), shapes.end(), [&](const matrix_shape& row) {
    return row.m == m && row.n == n && row.k == k && row.combine == combine && row.architectures.contains(arch) &&
           row.elements == element_kind_of(elements).multiplicands.front();
  });
}

namespace {

/// "8 or 16".
std::string tile_counts(unsigned most) { return std::to_string(matrix_tile_lines) + " or " + std::to_string(most); }

bool is_of_tiles(unsigned lines, unsigned most) { return lines == matrix_tile_lines || lines == most; }

constexpr bool fits(const mma_operation& mma) {
  return mma.a_registers() <= max_a_registers && mma.b_registers() <= max_b_registers && mma.d_registers() <= max_accumulator_registers;
}

std::string too_many_registers() {
  return "its operands take more registers than a tile of the operand buffers has: " + std::to_string(max_a_registers) + " of A, " +
         std::to_string(max_b_registers) + " of B and " + std::to_string(max_accumulator_registers) + " of D";
}

}  // namespace

std::string unheld_reason(const mma_operation& mma) {
  if (!is_of_tiles(mma.m, max_matrix_rows) || !is_of_tiles(mma.n, max_matrix_columns))
    return "the tensor cores multiply " + tile_counts(max_matrix_rows) + " rows by " + tile_counts(max_matrix_columns) +
           " columns, and it has m = " + std::to_string(mma.m) + " and n = " + std::to_string(mma.n);
  return fits(mma) ? "" : too_many_registers();
}

namespace {

/// Checks of one declaration, from the mnemonic to what all of it takes.
class declaration_check {
 public:
  declaration_check(std::string_view mnemonic, const mma_operation& mma) : mnemonic_(mnemonic), mma_(mma) {}

  void run() const {
    check_mnemonic();
    check_extents();
    check_types();
    check_modifiers();
    if (!fits(mma_)) fail("k", too_many_registers());
  }

 private:
  [[noreturn]] static void fail(std::string_view part, const std::string& message) { throw matrix_shape_error(part, message); }

  std::string_view base() const { return mnemonic_.substr(0, mnemonic_.find('.')); }

  void check_mnemonic() const {
    const opcode_info* const row = find_opcode(base());
    const std::string_view suffixes = mnemonic_.substr(base().size());
    if (row == nullptr || !is_mma(row->op) || suffixes.size() < 2)
      fail("mnemonic", "the mnemonic is HMMA, IMMA, BMMA, DMMA or QMMA with suffixes, such as HMMA.16832.F32");
    const auto is_allowed = [](char c) { return ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '_' || c == '.'; };
    const bool has_empty_suffix = suffixes.find("..") != std::string_view::npos || suffixes.back() == '.';
    if (has_empty_suffix || !std::all_of(suffixes.begin(), suffixes.end(), is_allowed))
      fail("mnemonic", "the suffixes of a mnemonic are capital letters, digits and '_', with a dot before each");
    const bool is_double = mma_.a == type::f64;
    if (is_double != (row->op == opcode::dmma))
      fail("mnemonic", is_double ? "products of f64 are a DMMA" : "a DMMA multiplies f64, and A is " + std::string(name(mma_.a)));
  }

  void check_extents() const {
    if (!is_of_tiles(mma_.m, max_matrix_rows)) fail("m", "m is " + tile_counts(max_matrix_rows) + ", is " + std::to_string(mma_.m));
    if (!is_of_tiles(mma_.n, max_matrix_columns)) fail("n", "n is " + tile_counts(max_matrix_columns) + ", is " + std::to_string(mma_.n));
    if (find_element_kind(mma_.a) == nullptr) fail("a", no_multiplicand(mma_.a));
    if (find_element_kind(mma_.b) == nullptr) fail("b", no_multiplicand(mma_.b));
    constexpr unsigned lanes_of_a_line = lanes_per_warp / matrix_tile_lines;
    const unsigned least = lanes_of_a_line * std::max(1U, register_bits / bits(mma_.a));
    if (mma_.k < least || (mma_.k & (mma_.k - 1)) != 0)
      fail("k", "k of " + std::string(name(mma_.a)) + " is " + std::to_string(least) +
                    ", a register in each of the four lanes that hold a row, or a power of two times that; is " + std::to_string(mma_.k));
  }

  static std::string no_multiplicand(type which) {
    std::string all;
    for (const element_kind& kind : element_kinds()) all += (all.empty() ? "" : ", ") + element_names(kind.multiplicands);
    return "elements of " + std::string(name(which)) + " are not multiplied in registers; " + all + " are";
  }

  void check_types() const {
    const element_kind& kind = element_kind_of(mma_.a);
    if (!has_type(kind.multiplicands, mma_.b))
      fail("b", "A of " + std::string(name(mma_.a)) + " goes with B of " + element_names(kind.multiplicands) + ", and B is " +
                    std::string(name(mma_.b)));
    if (!has_type(kind.accumulators, mma_.d))
      fail("d", "products of " + std::string(name(mma_.a)) + " accumulate in " + element_names(kind.accumulators) + ", and D is " +
                    std::string(name(mma_.d)));
    if (mma_.c != mma_.d) fail("c", "C and D have the same element type");
  }

  void check_modifiers() const {
    const bool is_binary = mma_.a == type::b1;
    if (is_binary != (mma_.combine != bit_operation::none))
      fail("combine", is_binary ? "products of b1 combine bits by xor or and: write which" : "only elements of b1 are combined bit by bit");
    if (mma_.saturate && (mma_.d != type::s32 || is_binary)) fail("saturate", "only sums of 4-bit and 8-bit integers are clamped");
    if (mma_.instances != 1 || mma_.steps != 1 || mma_.a_column || !mma_.b_column)
      fail("mnemonic", "what is declared is one product of the warp in one instruction, with A by rows and B by columns");
  }

  std::string_view mnemonic_;
  const mma_operation& mma_;
};

}  // namespace

const matrix_shape_table& matrix_shape_table::hardware() {
  static const matrix_shape_table table;
  return table;
}

void matrix_shape_table::declare(std::string_view mnemonic, const mma_operation& mma) {
  declaration_check(mnemonic, mma).run();
  if (find_declared(mnemonic) != nullptr) throw matrix_shape_error("mnemonic", std::string(mnemonic) + " is declared twice");
  declared_.push_back({std::string(mnemonic), mma});
}

const mma_operation* matrix_shape_table::find_declared(std::string_view mnemonic) const {
  const auto found =
      std::find_if(declared_.begin(), declared_.end(), [&](const declared_shape& shape) { return shape.mnemonic == mnemonic; });
  return found == declared_.end() ? nullptr : &found->mma;
}

std::vector<std::string> matrix_shape_table::declared() const {
  std::vector<std::string> names;
  for (const declared_shape& shape : declared_) names.push_back(shape.mnemonic);
  return names;
}

}  // namespace tc::isa
