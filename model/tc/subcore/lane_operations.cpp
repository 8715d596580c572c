#include <cstddef>

#include <systemc>

#include <tc/subcore/arithmetic_lane_operations.hpp>
#include <tc/subcore/bit_lane_operations.hpp>
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
  };
  std::array<lane_operation, opcodes> table{};
  for (const row& r : rows) table[static_cast<std::size_t>(r.op)] = r.operation;
  return table;
}

constexpr std::array<lane_operation, opcodes> table = make_table();

/// Forms of a computed opcode whose modifiers the model does not compute: 16-bit and 64-bit elements, and the shift-amount form of FLO.
bool is_computed_form(const isa::instruction& code) {
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

}  // namespace

bool computes_lanes(const isa::instruction& code) { return table[static_cast<std::size_t>(code.op)] != nullptr && is_computed_form(code); }

void execute_lanes(const isa::instruction& code, const std::array<lane_source, isa::instruction::max_sources>& sources,
                   lane_result& result) {
  const lane_operation operation = table[static_cast<std::size_t>(code.op)];
  sc_assert(operation != nullptr);
  operation(lane_operands(code, sources), result);
}

}  // namespace tc::subcore
