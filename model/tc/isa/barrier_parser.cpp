// SPDX-License-Identifier: Apache-2.0
#include "barrier_parser.hpp"

#include <limits>
#include <string>

#include <fmt/format.h>

#include <tc/isa/ptx_operand_list.hpp>
#include <tc/isa/register_name.hpp>

namespace tc::isa {
namespace {

/// The largest number of arrivals, and of bytes, of a phase (PTX ISA, "Contents of the mbarrier object").
constexpr std::uint32_t max_count = (1U << 20) - 1;

/// Reads one instruction from left to right.
class barrier_reader {
 public:
  explicit barrier_reader(ptx_statement& statement)
      : op_(statement.op), qualifiers_(statement.qualifiers), text_(statement.operands), source_(statement.source) {}

  barrier_operation read() {
    read_by_opcode();
    return result_;
  }

 private:
  void read_by_opcode() {
    switch (op_) {
      case opcode::mbarrier_init:
        return read_count(barrier_action::initialise);
      case opcode::mbarrier_inval:
        return read_address_only();
      case opcode::mbarrier_expect_tx:
        return read_bytes(barrier_action::expect);
      case opcode::mbarrier_complete_tx:
        return read_bytes(barrier_action::complete);
      case opcode::mbarrier_test_wait:
        return read_wait(barrier_action::test_wait);
      case opcode::mbarrier_try_wait:
        return read_wait(barrier_action::wait);
      default:
        result_.drop = op_ == opcode::mbarrier_arrive_drop;
        return read_arrival();
    }
  }

  std::string_view mnemonic() const { return info(op_).mnemonic; }

  /// .shared::cta.b64, the end of every name.
  void read_space_and_type() {
    qualifiers_.require({"shared::cta", "shared::cluster", "shared"});
    qualifiers_.require({"b64"});
    qualifiers_.finish();
  }

  std::string form(std::string_view operands, std::string_view qualifiers = "") const {
    return fmt::format("{}{}.shared::cta.b64 {}", mnemonic(), qualifiers, operands);
  }

  void take_address(ptx_operand_list& operands) { result_.address = operands.shared_address("the mbarrier's address", mbarrier_alignment); }

  void take_count(ptx_operand_list& operands) { result_.count = static_cast<std::uint32_t>(operands.number("the count", 1, max_count)); }

  void take_bytes(ptx_operand_list& operands) {
    result_.bytes = static_cast<std::uint32_t>(operands.number("the number of bytes", 0, max_count));
  }

  /// init, and arrive without bytes, whose count may be left out.
  void read_count(barrier_action action) {
    result_.action = action;
    read_space_and_type();
    const bool arrives = action == barrier_action::arrive;
    ptx_operand_list operands(text_, form(arrives ? "_, [address] [, count]" : "[address], count"), source_);
    if (arrives) take_state(operands);
    take_address(operands);
    if (!arrives || !operands.at_end()) take_count(operands);
    operands.finish();
  }

  void read_address_only() {
    result_.action = barrier_action::invalidate;
    read_space_and_type();
    ptx_operand_list operands(text_, form("[address]"), source_);
    take_address(operands);
    operands.finish();
  }

  void read_bytes(barrier_action action) {
    result_.action = action;
    if (qualifiers_.take("relaxed")) qualifiers_.require({"cta", "cluster"});
    read_space_and_type();
    ptx_operand_list operands(text_, form("[address], bytes"), source_);
    take_address(operands);
    take_bytes(operands);
    operands.finish();
  }

  void read_arrival() {
    const bool expects = qualifiers_.take("expect_tx");
    if (!expects) qualifiers_.take("noComplete");
    qualifiers_.take({"release", "relaxed"});
    qualifiers_.take({"cta", "cluster"});
    if (!expects) return read_count(barrier_action::arrive);
    result_.action = barrier_action::arrive_expect;
    read_space_and_type();
    ptx_operand_list operands(text_, form("_, [address], bytes", ".expect_tx"), source_);
    take_state(operands);
    take_address(operands);
    take_bytes(operands);
    operands.finish();
  }

  /// `_`, {R4, R5} or R4, or nothing.
  void take_state(ptx_operand_list& operands) {
    if (operands.peek() == '[') return;
    constexpr std::string_view what = "the state";
    if (operands.peek() == '{') {
      operands.registers(what, 2, false);
      return;
    }
    const std::string_view text = operands.next(what);
    if (text != "_" && parse_register_name(text, source_).file != register_file::vector) {
      operands.fail(fmt::format("the state must be _ or a pair of registers such as {{R4, R5}}, found '{}'", text));
    }
  }

  void read_wait(barrier_action action) {
    result_.action = action;
    if (!qualifiers_.take("parity")) {
      source_.fail(text_, fmt::format("{0} needs .parity: write {0}.parity, with the parity of the phase instead of a state", mnemonic()));
    }
    qualifiers_.take({"acquire", "relaxed"});
    qualifiers_.take({"cta", "cluster"});
    read_space_and_type();
    const bool has_hint = action == barrier_action::wait;
    ptx_operand_list operands(text_, form(has_hint ? "[P0,] [address], parity [, hint]" : "P0, [address], parity", ".parity"), source_);
    take_predicate(operands);
    take_address(operands);
    result_.parity = operands.number("the parity", 0, 1) == 1;
    if (has_hint && !operands.at_end()) operands.number("the time hint", 0, std::numeric_limits<std::uint32_t>::max());
    operands.finish();
  }

  void take_predicate(ptx_operand_list& operands) {
    if (operands.peek() == '[') return;
    const std::string_view text = operands.next("a predicate");
    const register_name name = parse_register_name(text, source_);
    if (name.file != register_file::predicate) operands.fail(fmt::format("expected a predicate such as P0, found '{}'", text));
    result_.predicate = name.index;
  }

  opcode op_;
  qualifier_list& qualifiers_;
  std::string_view text_;
  const source_text& source_;
  barrier_operation result_;
};

}  // namespace

barrier_operation parse_barrier(ptx_statement& statement) { return barrier_reader(statement).read(); }

}  // namespace tc::isa
