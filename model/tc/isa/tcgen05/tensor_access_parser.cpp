// SPDX-License-Identifier: Apache-2.0
#include "tensor_access_parser.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tc/isa/number_text.hpp>
#include <tc/isa/ptx_operand_list.hpp>
#include <tc/isa/tcgen05/tcgen05_qualifiers.hpp>

namespace tc::isa {
namespace {

using sort = tcgen05_qualifier;

/// Reads one instruction from left to right.
class tensor_access_reader {
 public:
  explicit tensor_access_reader(ptx_statement& statement) : statement_(statement) { result_.load = statement.op == opcode::tcgen05_ld; }

  tensor_access_operation read() {
    read_name();
    ptx_operand_list operands(statement_.operands, form(), statement_.source);
    if (result_.load) read_registers(operands);
    result_.address = operands.tensor_address("the address in tensor memory");
    if (has_halves()) read_half_offset(operands);
    if (!result_.load) read_registers(operands);
    operands.finish();
    return std::move(result_);
  }

 private:
  bool has_halves() const { return result_.shape == tensor_access_shape::lanes16_bits32x2; }

  /// The assembler also takes names without .aligned.
  void read_name() {
    const sort packing = result_.load ? sort::pack : sort::unpack;
    const tcgen05_qualifiers qualifiers(statement_, mnemonic(), {sort::sync, sort::access_shape, sort::repeat, sort::b32},
                                        {sort::aligned, packing});
    result_.shape = find_tensor_access_shape(qualifiers[sort::access_shape]).value();
    result_.packed = qualifiers.has(packing);
    const std::string_view repeat = qualifiers[sort::repeat];
    result_.repeat = parse_unsigned(repeat.substr(1)).value();
    if (result_.repeat > max_repeat(result_.shape)) {
      statement_.source.fail(
          repeat, fmt::format(".{} has repetitions up to .x{}, not .{}", name(result_.shape), max_repeat(result_.shape), repeat));
    }
  }

  std::string_view mnemonic() const { return info(statement_.op).mnemonic; }

  std::string form() const {
    const std::string_view packing = !result_.packed ? "" : result_.load ? ".pack::16b" : ".unpack::16b";
    const std::string name_text = fmt::format("{}.sync.aligned.{}.x{}{}.b32", mnemonic(), name(result_.shape), result_.repeat, packing);
    const std::string_view offset = has_halves() ? ", offset of the second half" : "";
    return result_.load ? fmt::format("{} {{registers}}, [address]{}", name_text, offset)
                        : fmt::format("{} [address]{}, {{registers}}", name_text, offset);
  }

  /// A load cannot write RZ, nor a register twice. What an instruction reads and writes is kept in runs of consecutive registers; one
  /// place is the guard's.
  void read_registers(ptx_operand_list& operands) {
    const std::string what = fmt::format("the operand of .{}.x{}", name(result_.shape), result_.repeat);
    result_.registers = operands.registers(what, registers_per_thread(result_.shape, result_.repeat), !result_.load);
    constexpr std::size_t most_runs = register_use_list::capacity - 1;
    if (const std::size_t runs = register_runs(result_.registers).size(); runs > most_runs) {
      operands.fail(fmt::format("the registers are {} runs of consecutive ones; there can be {}", runs, most_runs));
    }
    if (!result_.load) return;
    std::vector<std::uint8_t> sorted = result_.registers;
    std::sort(sorted.begin(), sorted.end());
    if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end()) {
      operands.fail(fmt::format("the load writes R{} twice", *twice));
    }
  }

  /// The assembler takes any number; whether its columns exist is judged when the instruction runs.
  void read_half_offset(ptx_operand_list& operands) {
    result_.half_offset = static_cast<std::uint32_t>(operands.signed_number(
        "the offset of the second half", std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::uint32_t>::max()));
  }

  ptx_statement& statement_;
  tensor_access_operation result_;
};

}  // namespace

std::vector<register_use> register_runs(const std::vector<std::uint8_t>& registers) {
  std::vector<register_use> runs;
  for (std::size_t i = 0; i < registers.size(); ++i) {
    if (registers[i] == zero_register) continue;
    if (i != 0 && !runs.empty() && registers[i] == registers[i - 1] + 1) {
      ++runs.back().count;
    } else {
      runs.push_back({register_file::vector, registers[i], 1, no_slot, false});
    }
  }
  return runs;
}

tensor_access_operation parse_tensor_access(ptx_statement& statement) { return tensor_access_reader(statement).read(); }

}  // namespace tc::isa
