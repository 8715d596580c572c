// SPDX-License-Identifier: Apache-2.0
#include "instruction_parser.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>
#include <vector>

#include <tc/isa/asynchronous_parser.hpp>
#include <tc/isa/barrier_arrival.hpp>
#include <tc/isa/instruction.hpp>
#include <tc/isa/mnemonic.hpp>
#include <tc/isa/operand_parser.hpp>
#include <tc/isa/operand_widths.hpp>
#include <tc/isa/warp_lanes.hpp>

namespace tc::isa {

namespace {

using kind = operand::kind;

/// The number that reads as a constant and is never a dependence.
unsigned constant_register(register_file file) {
  switch (file) {
    case register_file::vector:
      return zero_register;
    case register_file::uniform:
      return zero_uniform_register;
    case register_file::predicate:
    case register_file::uniform_predicate:
      return true_predicate;
    default:
      return 0xff;
  }
}

std::string describe(register_file file) {
  switch (file) {
    case register_file::vector:
      return "a vector register, R0 to R254 or RZ";
    case register_file::uniform:
      return "a uniform register, UR0 to UR62 or URZ";
    case register_file::barrier:
      return "a convergence barrier, B0 to B15";
    default:
      return "a predicate";
  }
}

void add_use(register_use_list& uses, register_use use) {
  if (use.count != 0 && use.index != constant_register(use.file)) uses.push_back(use);
}

std::string register_text(register_file file, unsigned index) {
  return (file == register_file::uniform ? "UR" : "R") + std::to_string(index);
}

/// Checks that `count` registers from `index` on exist. Descriptors of memory begin at any register (compiled code of sm_86 has desc[UR5]).
void check_reach(register_file file, unsigned index, unsigned count, std::string_view text, const source_text& source) {
  const unsigned end = constant_register(file);
  if (count < 2 || index == end || index + count <= end) return;
  source.fail(text, register_text(file, index) + " is too high: the operand takes " + std::to_string(count) +
                        " registers and the last one is " + register_text(file, end - 1));
}

/// Checks that `count` registers from `index` on exist and are aligned: pairs are even, four or more start at a multiple of four.
void check_span(register_file file, unsigned index, unsigned count, std::string_view text, const source_text& source) {
  if (count < 2 || index == constant_register(file)) return;
  const unsigned alignment = count == 2 ? 2 : 4;
  if (index % alignment != 0) {
    source.fail(text, register_text(file, index) + " is not aligned: an operand of " + std::to_string(count) +
                          " registers starts at a multiple of " + std::to_string(alignment));
  }
  check_reach(file, index, count, text, source);
}

/// Deals the operands out from left to right.
class role_assigner {
 public:
  role_assigner(instruction& i, const std::vector<parsed_operand>& operands, std::string_view opcode_text, const source_text& source)
      : i_(i), info_(info(i.op)), operands_(operands), opcode_text_(opcode_text), source_(source) {}

  void assign() {
    take_destinations();
    while (next_ != operands_.size()) add_source(operands_[next_++]);
    check_source_count();
    for (unsigned n = 0; n < i_.source_count; ++n) {
      check_source_kind(n);
      check_signs(n);
      size_source(n);
    }
    if (info_.role == issue_role::arrives_at_barrier) check_barrier();
    if (i_.mma) take_matrix_layouts();
    collect_uses();
  }

 private:
  const parsed_operand* peek() const { return next_ == operands_.size() ? nullptr : &operands_[next_]; }
  std::string mnemonic() const { return std::string(info_.mnemonic); }

  void take_destinations() {
    take_predicates(info_.destinations.leading_predicates);
    if (info_.destinations.file != register_file::none) take_general_destination();
    take_predicates(info_.destinations.trailing_predicates);
  }

  void take_predicates(unsigned most) {
    for (unsigned taken = 0; taken < most && peek() != nullptr && peek()->value.is_predicate() && !peek()->value.inverted; ++taken) {
      add_destination(operands_[next_++], 0);
    }
  }

  void take_general_destination() {
    const destination_shape& shape = info_.destinations;
    const bool fits = peek() != nullptr && (peek()->value.is_register(shape.file) ||
                                            (shape.alternative != register_file::none && peek()->value.is_register(shape.alternative)));
    if (fits) return add_destination(operands_[next_++], destination_registers(i_));
    if (shape.optional) return;
    if (peek() == nullptr) source_.fail(opcode_text_, mnemonic() + " needs operands");
    source_.fail(peek()->text, "the destination of " + mnemonic() + " is " + describe(shape.file) + ", found " + quoted(peek()->text));
  }

  /// `registers` 0 keeps the count that came with the name.
  void add_destination(const parsed_operand& parsed, unsigned registers) {
    operand& destination = i_.destinations.at(i_.destination_count++);
    destination = parsed.value;
    if (destination.reuse || destination.negated || destination.inverted || destination.absolute) {
      source_.fail(parsed.text, "a destination takes no " + std::string(destination.reuse ? ".reuse" : "sign or complement"));
    }
    if (registers != 0) destination.count = static_cast<std::uint8_t>(registers);
    check_span(destination.file, destination.index, destination.count, parsed.text, source_);
  }

  void add_source(const parsed_operand& parsed) {
    if (i_.source_count == instruction::max_sources) source_.fail(parsed.text, "too many operands for " + mnemonic());
    i_.sources[i_.source_count] = parsed.value;
    parsed_sources_[i_.source_count++] = &parsed;
  }

  void check_source_count() const {
    unsigned count = 0;
    for (unsigned n = 0; n < i_.source_count; ++n) count += i_.sources[n].what == kind::label ? 0U : 1U;
    const unsigned least = std::max<unsigned>(info_.min_sources, predicate_sources(i_.op, i_.mods).first);
    if (least <= count && count <= info_.max_sources) return;
    const std::string fewest = std::to_string(least), most = std::to_string(info_.max_sources);
    source_.fail(opcode_text_, mnemonic() + " takes " + (fewest == most ? fewest : fewest + " to " + most) +
                                   " source operands behind its destinations, found " + std::to_string(count));
  }

  [[noreturn]] void fail_source(unsigned n, const std::string& expected) const {
    const std::string_view text = parsed_sources_[n]->text;
    source_.fail(text, "source " + std::to_string(n + 1) + " of " + mnemonic() + " is " + expected + ", found " + quoted(text));
  }

  void check_source_kind(unsigned n) const {
    const operand& o = i_.sources[n];
    const bool is_vector = o.is_register(register_file::vector);
    const bool special_wanted = info_.sources == source_kind::special_register,
               vector_wanted = info_.sources == source_kind::vector_register;
    if (special_wanted != (o.what == kind::special))
      fail_source(n, special_wanted ? "a special register, such as SR_TID.X" : "no special register");
    const bool takes_label = info_.unit == execution_unit::branch || info_.widths == width_rule::code_address;
    if (o.what == kind::label && !takes_label) fail_source(n, "not a label");

    switch (info_.widths) {
      case width_rule::load:
      case width_rule::load_matrix:
      case width_rule::atomic:
        check_address(n, 0);
        break;
      case width_rule::store:
      case width_rule::store_matrix:
        check_address(n, 0);
        if (n == 1 && !is_vector) fail_source(n, describe(register_file::vector));
        break;
      case width_rule::copy:
        check_address(n, 0);
        check_address(n, 1);
        break;
      case width_rule::matrix_multiply:
        if (n < 3 && !is_vector) fail_source(n, describe(register_file::vector));
        break;
      default:
        break;
    }
    const bool is_access = info_.unit == execution_unit::load_store;
    if (o.what == kind::memory && !is_access) fail_source(n, "not an address");
    if (info_.unit == execution_unit::uniform && is_vector && !vector_wanted) fail_source(n, describe(register_file::uniform));
    if (vector_wanted && !is_vector) fail_source(n, describe(register_file::vector));
    if (is_dispatched()) check_predicate_or_value(n);
  }

  /// Words of machine code have bits for signs and complements only where a unit applies them.
  void check_signs(unsigned n) const {
    const operand& o = i_.sources[n];
    const bool has_sign = o.negated || o.absolute;
    if (o.is_predicate() ? !has_sign : !has_sign && !o.inverted) return;
    if (o.is_predicate()) refuse_sign(n, "sign");
    if (o.what != kind::reg && o.what != kind::constant && o.what != kind::immediate) refuse_sign(n, "sign or complement");
    switch (info_.widths) {
      case width_rule::matrix_multiply:
        if (i_.op != opcode::dmma) refuse_sign(n, "sign or complement");
        break;
      case width_rule::load:
      case width_rule::load_matrix:
      case width_rule::store:
      case width_rule::store_matrix:
      case width_rule::copy:
      case width_rule::atomic:
      case width_rule::code_address:
        refuse_sign(n, "sign or complement");
      default:
        break;
    }
    const bool is_complement_of_number = o.inverted && info_.numbers != number_style::integer;
    if (is_complement_of_number || (o.inverted && info_.widths == width_rule::matrix_multiply)) refuse_sign(n, "complement");
  }

  [[noreturn]] void refuse_sign(unsigned n, const std::string& what) const {
    const std::string_view text = parsed_sources_[n]->text;
    source_.fail(text, "source " + std::to_string(n + 1) + " of " + mnemonic() + " takes no " + what + ", found " + quoted(text));
  }

  /// Whether a unit takes the operands, and computes something from them.
  bool is_dispatched() const {
    return info_.unit != execution_unit::branch && (info_.role == issue_role::dispatched || info_.role == issue_role::holds_warp);
  }

  void check_predicate_or_value(unsigned n) const {
    const bool wants_predicate = predicate_sources(i_.op, i_.mods).contains(n);
    if (wants_predicate != i_.sources[n].is_predicate()) fail_source(n, wants_predicate ? "a predicate" : "a value, not a predicate");
    if (i_.sources[n].is_register(register_file::barrier)) fail_source(n, "no convergence barrier");
  }

  /// Source `position` is what a load, store or atomic accesses: an address, or a constant for the constant loads.
  void check_address(unsigned n, unsigned position) const {
    if (n != position) return;
    const bool constant = info_.unit == execution_unit::constant_load;
    if (i_.sources[n].what == (constant ? kind::constant : kind::memory)) return;
    fail_source(n, constant ? "a constant such as c[0x0][0x28]" : "an address such as [R2]");
  }

  /// Fills in count and slot of a source. Operands that are no registers use up a slot too: IMAD R0, R1, 0x4, R2 reads R2 through slot C.
  void size_source(unsigned n) {
    operand& o = i_.sources[n];
    if (o.is_predicate() || o.what == kind::label) return;
    const unsigned slot = info_.first_slot + slots_used_++;
    if (o.is_register(register_file::vector) || o.what == kind::memory) o.slot = slot <= slot_c ? static_cast<std::uint8_t>(slot) : no_slot;
    const std::string_view text = parsed_sources_[n]->text;
    if (o.is_register(register_file::vector) || o.is_register(register_file::uniform)) {
      o.count = static_cast<std::uint8_t>(source_registers(i_, n));
      check_span(o.file, o.index, o.count, text, source_);
    }
    const bool shared_target = info_.widths == width_rule::copy && n == 0;
    if (o.what == kind::memory || o.what == kind::constant) size_address(o.memory, i_.mods.address_64 && !shared_target, text);
  }

  /// .E makes the address 64 bits wide. Its base is then a pair, which Turing and older do not show in the operand, unless uniform
  /// registers hold the 64 bits.
  void size_address(memory_reference& memory, bool address_64, std::string_view text) const {
    if (address_64) {
      if (memory.uniform_count != 0) memory.uniform_count = 2;
      if (memory.base_count == 1 && memory.uniform_count == 0 && text.find(".U32") == std::string_view::npos) memory.base_count = 2;
    }
    check_span(register_file::vector, memory.base, memory.base_count, text, source_);
    check_span(register_file::uniform, memory.uniform, memory.uniform_count, text, source_);
    if (memory.descriptor != zero_uniform_register) check_reach(register_file::uniform, memory.descriptor, 2, text, source_);
  }

  /// BAR: one of the CTA's barriers, and how many threads it waits for, both as numbers or in registers.
  void check_barrier() const {
    unsigned operands = 0;
    for (unsigned n = 0; n < i_.source_count; ++n)
      if (!i_.sources[n].is_predicate()) check_barrier_operand(n, operands++);
    if (i_.mods.arrives_only && operands < 2)
      source_.fail(opcode_text_, "BAR.ARV takes a barrier and the number of threads that it waits for");
  }

  void check_barrier_operand(unsigned n, unsigned position) const {
    const operand& o = i_.sources[n];
    const bool is_register = o.is_register(register_file::vector) || o.is_register(register_file::uniform);
    if (position > 1 || (!is_register && o.what != kind::immediate))
      fail_source(n, position == 0 ? "a barrier" : position == 1 ? "a number of threads" : "a predicate");
    if (is_register) return;
    if (position == 0 && o.value >= barrier_arrival::barriers) fail_source(n, "a barrier of the CTA, 0x0 to 0xf");
    if (position == 1 && (o.value % lanes_per_warp != 0 || o.value == 0 || o.value > barrier_arrival::max_threads))
      fail_source(n, "a number of threads, a multiple of 32 up to 1024");
  }

  /// .ROW and .COL: a choice for HMMA.884 only, elsewhere they repeat what the instruction does anyhow.
  void take_matrix_layouts() {
    const lane_layout a = parsed_sources_[0]->layout, b = parsed_sources_[1]->layout;
    if (i_.mma->instances > 1) {
      i_.mma->a_column = a == lane_layout::column;
      i_.mma->b_column = b == lane_layout::column;
      return;
    }
    if (a == lane_layout::column) fail_source(0, ".ROW: this instruction holds A by rows");
    if (b == lane_layout::row) fail_source(1, ".COL: this instruction holds B by columns");
  }

  void collect_uses() {
    add_use(i_.reads, {i_.guard.file, i_.guard.index, 1, no_slot, false});
    for (unsigned n = 0; n < i_.source_count; ++n) {
      const operand& o = i_.sources[n];
      if (o.what == kind::reg) add_operand_use(i_.reads, o);
      if (o.what != kind::memory && o.what != kind::constant) continue;
      add_use(i_.reads, {register_file::vector, o.memory.base, o.memory.base_count, o.slot, false});
      add_use(i_.reads, {register_file::uniform, o.memory.uniform, o.memory.uniform_count, no_slot, false});
      add_use(i_.reads, {register_file::uniform, o.memory.descriptor, 2, no_slot, false});
    }
    for (unsigned n = 0; n < i_.destination_count; ++n) {
      add_operand_use(i_.writes, i_.destinations[n]);
    }
  }

  /// P2R and R2P move those of the predicates PR that have a bit in their last operand.
  void add_operand_use(register_use_list& uses, const operand& o) const {
    const operand& mask = i_.sources[i_.source_count == 0 ? 0 : i_.source_count - 1];
    if (!o.is_predicate() || o.count <= 1 || mask.what != kind::immediate)
      return add_use(uses, {o.file, o.index, o.count, o.slot, o.reuse});
    const auto has = [&](unsigned number) { return number < o.count && (mask.value >> number & 1U) != 0; };
    for (unsigned first = 0, end = 0; first < o.count; first = end + 1) {
      for (end = first; has(end);) ++end;
      add_use(uses, {o.file, static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(end - first), no_slot, false});
    }
  }

  instruction& i_;
  const opcode_info& info_;
  const std::vector<parsed_operand>& operands_;
  std::string_view opcode_text_;
  const source_text& source_;
  std::array<const parsed_operand*, instruction::max_sources> parsed_sources_{};
  std::size_t next_ = 0;
  unsigned slots_used_ = 0;
};

/// Sorts an operand list into the destinations and sources of `i` (whose opcode and modifiers are set), fills in register counts, slots and
/// register uses, and checks kinds, number, range and alignment. Throws syntax_error.
void assign_operands(instruction& i, const std::vector<parsed_operand>& operands, std::string_view opcode_text, const source_text& source) {
  role_assigner(i, operands, opcode_text, source).assign();
}

std::string_view skip_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(" \t")));
  return text;
}

/// Column of `part` in the text that starts at `column`.
unsigned column_of(std::string_view part, std::string_view text, unsigned column) {
  return column + static_cast<unsigned>(part.data() - text.data());
}

/// How the immediates of an instruction are written.
number_style style_of(const opcode_info& row, const modifiers& mods) {
  const bool is_bf16 = row.numbers == number_style::packed_f16 && mods.first_format == element_type::bf16;
  return is_bf16 ? number_style::packed_bf16 : row.numbers;
}

/// Takes "/*0130*/" off the front.
std::uint32_t take_pc(std::string_view& rest, const source_text& source) {
  const auto end = rest.find("*/");
  if (rest.substr(0, 2) != "/*" || end == std::string_view::npos) source.fail(rest, "an instruction starts with its pc, such as /*0130*/");
  const std::string_view digits = rest.substr(2, end - 2);
  std::uint32_t pc = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), pc, 16);
  if (error != std::errc{} || stop != digits.data() + digits.size())
    source.fail(digits, "the pc is a hexadecimal number, found " + quoted(digits));
  rest = skip_blanks(rest.substr(end + 2));
  return pc;
}

/// Takes "[B------:R-:W-:-:S01]" off the front if it is there.
std::optional<control_code> take_control(std::string_view& rest, std::string_view text, unsigned column, const source_text& source) {
  if (rest.substr(0, 1) != "[") return std::nullopt;
  const auto end = rest.find(']');
  if (end == std::string_view::npos) source.fail(rest, "the control field has no closing ']'");
  const std::string_view fields = rest.substr(1, end - 1);
  const control_code control = parse_control(fields, column_of(fields, text, column));
  rest = skip_blanks(rest.substr(end + 1));
  return control;
}

}  // namespace

instruction parse_operation(std::string_view text, architecture arch, unsigned column, const matrix_shape_table& shapes) {
  const source_text source(text, column);
  std::string_view rest = skip_blanks(text);
  instruction result;
  if (rest.substr(0, 1) == "@") {
    const std::string_view guard = rest.substr(0, rest.find(' '));
    result.guard = parse_guard(guard, source);
    rest = skip_blanks(rest.substr(guard.size()));
  }
  if (rest.empty()) source.fail(rest, "an opcode is missing");
  result.text = rest.substr(0, rest.find_last_not_of(" \t") + 1);

  const std::string_view opcode_text = rest.substr(0, rest.find_first_of(" \t"));
  if (is_ptx_opcode(opcode_text)) {
    parse_asynchronous(result, opcode_text, rest.substr(opcode_text.size()), arch, source);
    return result;
  }
  const mnemonic decoded = parse_mnemonic(opcode_text, arch, source, shapes);
  result.op = decoded.info->op;
  result.mods = decoded.mods;
  result.mma = decoded.mma;
  const auto operands = parse_operands(rest.substr(opcode_text.size()), style_of(*decoded.info, result.mods), source);
  assign_operands(result, operands, opcode_text, source);
  return result;
}

instruction parse_instruction(std::string_view text, architecture arch, unsigned column) {
  const source_text source(text, column);
  std::string_view rest = skip_blanks(text);
  const std::uint32_t pc = take_pc(rest, source);
  const auto control = take_control(rest, text, column, source);
  instruction result = parse_operation(rest, arch, column_of(rest, text, column));
  result.pc = pc;
  result.control = control;
  return result;
}

}  // namespace tc::isa
