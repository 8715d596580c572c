#include <stdexcept>
#include <string>

#include <systemc>

#include <tc/subcore/arithmetic_lane_operations.hpp>
#include <tc/subcore/bit_lane_operations.hpp>
#include <tc/subcore/conversion_lane_operations.hpp>
#include <tc/subcore/float_lane_operations.hpp>
#include <tc/subcore/lane_forms.hpp>
#include <tc/subcore/lane_operations.hpp>

namespace tc::subcore {

namespace {

struct table_entry {
  lane_operation operation = nullptr;  ///< null for an opcode that the model does not compute here
  lane_form form = nullptr;
};

using lane_table = std::array<table_entry, isa::max_opcodes>;

constexpr table_entry& entry_of(lane_table& table, isa::opcode op) { return table[static_cast<std::size_t>(op)]; }

/// What each opcode computes, and which of its forms.
constexpr lane_table make_table() {
  struct row {
    isa::opcode op;
    table_entry entry;
  };
  using isa::opcode;
  constexpr row rows[] = {
      {opcode::iadd3, {add, word_form}},
      {opcode::uiadd3, {add, word_form}},
      {opcode::viadd, {add_two, word_form}},
      {opcode::imad, {multiply_add, word_form}},
      {opcode::uimad, {multiply_add, word_form}},
      {opcode::lea, {shift_add, word_form}},
      {opcode::ulea, {shift_add, word_form}},
      {opcode::imnmx, {minimum_maximum, word_form}},
      {opcode::vimnmx, {minimum_maximum, word_form}},
      {opcode::iabs, {absolute_value, word_form}},
      {opcode::isetp, {compare, word_form}},
      {opcode::uisetp, {compare, word_form}},
      {opcode::sel, {select, word_form}},
      {opcode::usel, {select, word_form}},
      {opcode::mov, {move, word_form}},
      {opcode::umov, {move, word_form}},
      {opcode::r2ur, {move, uniform_move_form}},
      {opcode::lop3, {logic, word_form}},
      {opcode::ulop3, {logic, word_form}},
      {opcode::plop3, {predicate_logic, word_form}},
      {opcode::uplop3, {predicate_logic, word_form}},
      {opcode::shf, {funnel_shift, shift_form}},
      {opcode::ushf, {funnel_shift, shift_form}},
      {opcode::prmt, {permute_bytes, word_form}},
      {opcode::uprmt, {permute_bytes, word_form}},
      {opcode::sgxt, {extend_sign, word_form}},
      {opcode::usgxt, {extend_sign, word_form}},
      {opcode::bmsk, {make_bit_mask, word_form}},
      {opcode::ubmsk, {make_bit_mask, word_form}},
      {opcode::popc, {count_ones, word_form}},
      {opcode::upopc, {count_ones, word_form}},
      {opcode::flo, {find_leading_one, leading_one_form}},
      {opcode::uflo, {find_leading_one, leading_one_form}},
      {opcode::brev, {reverse_bits, word_form}},
      {opcode::ubrev, {reverse_bits, word_form}},
      {opcode::fadd, {float_add, any_form}},
      {opcode::fmul, {float_multiply, any_form}},
      {opcode::ffma, {float_multiply_add, any_form}},
      {opcode::hadd2, {packed_add, any_form}},
      {opcode::hmul2, {packed_multiply, any_form}},
      {opcode::hfma2, {packed_multiply_add, any_form}},
      {opcode::f2f, {convert_float, conversion_form}},
      {opcode::f2fp, {pack_floats, pack_form}},
      {opcode::f2i, {convert_float_to_int, integer_conversion_form}},
      {opcode::i2f, {convert_int_to_float, conversion_form}},
      {opcode::i2fp, {convert_int_to_float, conversion_form}},
  };
  lane_table table{};
  for (const row& r : rows) entry_of(table, r.op) = r.entry;
  return table;
}

lane_table table = make_table();

/// Whether instructions of a unit come to execute_lanes(): not those that end at issue, nor those of the tensor and load-store units.
bool is_lane_unit(isa::execution_unit unit) {
  switch (unit) {
    case isa::execution_unit::fp32:
    case isa::execution_unit::integer:
    case isa::execution_unit::half:
    case isa::execution_unit::fp64:
    case isa::execution_unit::special_function:
    case isa::execution_unit::uniform:
      return true;
    default:
      return false;
  }
}

}  // namespace

void add_lane_operation(isa::opcode op, lane_operation operation, lane_form form) {
  const isa::opcode_info& row = isa::info(op);
  const auto refuse = [&row](const std::string& reason) {
    throw std::invalid_argument("lane operation of " + (row.mnemonic.empty() ? "an opcode" : std::string(row.mnemonic)) + ": " + reason);
  };
  if (row.mnemonic.empty()) refuse("the opcode has no row; add it with isa::add_opcode()");
  if (!is_lane_unit(row.unit) || row.sources == isa::source_kind::special_register) refuse("its unit does not compute lane by lane");
  if (operation == nullptr || form == nullptr) refuse("the function, or the form that it computes, is missing");
  if (entry_of(table, op).operation != nullptr) refuse("there is one");
  entry_of(table, op) = {operation, form};
}

bool computes_lanes(const isa::instruction& code) {
  const table_entry& entry = entry_of(table, code.op);
  return entry.operation != nullptr && entry.form(code);
}

void execute_lanes(const isa::instruction& code, const std::array<lane_source, isa::instruction::max_sources>& sources,
                   lane_result& result) {
  const lane_operation operation = entry_of(table, code.op).operation;
  sc_assert(operation != nullptr);
  operation(lane_operands(code, sources), result);
}

}  // namespace tc::subcore
