#include <cstddef>

#include <systemc>

#include <tc/subcore/arithmetic_lane_operations.hpp>
#include <tc/subcore/bit_lane_operations.hpp>
#include <tc/subcore/conversion_lane_operations.hpp>
#include <tc/subcore/float_lane_operations.hpp>
#include <tc/subcore/lane_operations.hpp>

namespace tc::subcore {

namespace {

using lane_operation = void (*)(const lane_operands&, lane_result&);

constexpr std::size_t opcodes = static_cast<std::size_t>(isa::opcode::bpt) + 1;

/// What each opcode computes; null for those that the model does not compute here.
constexpr std::array<lane_operation, opcodes> make_table() {
  struct row {
    isa::opcode op;
    lane_operation operation;
  };
  using isa::opcode;
  constexpr row rows[] = {
      {opcode::iadd3, add},
      {opcode::uiadd3, add},
      {opcode::viadd, add_two},
      {opcode::imad, multiply_add},
      {opcode::uimad, multiply_add},
      {opcode::lea, shift_add},
      {opcode::ulea, shift_add},
      {opcode::imnmx, minimum_maximum},
      {opcode::vimnmx, minimum_maximum},
      {opcode::iabs, absolute_value},
      {opcode::isetp, compare},
      {opcode::uisetp, compare},
      {opcode::sel, select},
      {opcode::usel, select},
      {opcode::mov, move},
      {opcode::umov, move},
      {opcode::r2ur, move},
      {opcode::lop3, logic},
      {opcode::ulop3, logic},
      {opcode::plop3, predicate_logic},
      {opcode::uplop3, predicate_logic},
      {opcode::shf, funnel_shift},
      {opcode::ushf, funnel_shift},
      {opcode::prmt, permute_bytes},
      {opcode::uprmt, permute_bytes},
      {opcode::sgxt, extend_sign},
      {opcode::usgxt, extend_sign},
      {opcode::bmsk, make_bit_mask},
      {opcode::ubmsk, make_bit_mask},
      {opcode::popc, count_ones},
      {opcode::upopc, count_ones},
      {opcode::flo, find_leading_one},
      {opcode::uflo, find_leading_one},
      {opcode::brev, reverse_bits},
      {opcode::ubrev, reverse_bits},
      {opcode::fadd, float_add},
      {opcode::fmul, float_multiply},
      {opcode::ffma, float_multiply_add},
      {opcode::hadd2, packed_add},
      {opcode::hmul2, packed_multiply},
      {opcode::hfma2, packed_multiply_add},
      {opcode::f2f, convert_float},
      {opcode::f2fp, pack_floats},
      {opcode::f2i, convert_float_to_int},
      {opcode::i2f, convert_int_to_float},
      {opcode::i2fp, convert_int_to_float},
  };
  std::array<lane_operation, opcodes> table{};
  for (const row& r : rows) table[static_cast<std::size_t>(r.op)] = r.operation;
  return table;
}

constexpr std::array<lane_operation, opcodes> table = make_table();

bool is_float_format(isa::element_type type) {
  using isa::element_type;
  return type == element_type::none || type == element_type::f64 || type == element_type::f32 || type == element_type::f16 ||
         type == element_type::bf16;
}

/// Conversions to and from 8-bit and packed formats beyond F2FP.PACK_AB are not computed.
bool is_computed_conversion(const isa::instruction& code) {
  using isa::conversion_packing;
  const conversion_packing wanted = code.op == isa::opcode::f2fp ? conversion_packing::pack_ab : conversion_packing::none;
  const bool has_sources = code.op != isa::opcode::f2fp || code.source_count == 2;
  const bool clamps_to_one = code.mods.saturate && (code.op == isa::opcode::f2i);
  return code.mods.packing == wanted && has_sources && !clamps_to_one && is_float_format(code.mods.first_format) &&
         is_float_format(code.mods.second_format);
}

/// Integer and logic operations on 32 bits; shifts also on 64.
bool is_computed_integer_form(const isa::instruction& code) {
  const bool is_shift = code.op == isa::opcode::shf || code.op == isa::opcode::ushf;
  const bool is_word = code.mods.type == isa::integer_type::s32 || code.mods.type == isa::integer_type::u32;
  if (!is_word && !(is_shift && isa::is_64_bit(code.mods.type))) return false;
  for (unsigned s = 0; s < code.source_count; ++s)
    if (code.sources[s].part != isa::register_part::whole) return false;
  switch (code.op) {
    case isa::opcode::flo:
    case isa::opcode::uflo:
      return code.text.find(".SH") == std::string::npos;
    case isa::opcode::r2ur:
      return code.destination_count == 1;
    default:
      return true;
  }
}

/// False for forms of a computed opcode whose modifiers the model does not compute.
bool is_computed_form(const isa::instruction& code) {
  switch (code.op) {
    case isa::opcode::fadd:
    case isa::opcode::fmul:
    case isa::opcode::ffma:
    case isa::opcode::hadd2:
    case isa::opcode::hmul2:
    case isa::opcode::hfma2:
      return true;
    case isa::opcode::f2f:
    case isa::opcode::f2fp:
    case isa::opcode::f2i:
    case isa::opcode::i2f:
    case isa::opcode::i2fp:
      return is_computed_conversion(code);
    default:
      return is_computed_integer_form(code);
  }
}

}  // namespace

bool computes_lanes(const isa::instruction& code) { return table[static_cast<std::size_t>(code.op)] != nullptr && is_computed_form(code); }

void execute_lanes(const isa::instruction& code, const std::array<lane_source, isa::instruction::max_sources>& sources,
                   lane_result& result) {
  const lane_operation operation = table[static_cast<std::size_t>(code.op)];
  sc_assert(operation != nullptr);
  operation(lane_operands(code, sources), result);
}

}  // namespace tc::subcore
