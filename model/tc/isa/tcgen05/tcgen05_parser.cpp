// SPDX-License-Identifier: Apache-2.0
#include "tcgen05_parser.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tc/isa/number_text.hpp>
#include <tc/isa/ptx_statement.hpp>
#include <tc/isa/tcgen05/tcgen05_operation.hpp>
#include <tc/isa/tcgen05/tcgen05_qualifiers.hpp>
#include <tc/isa/tcgen05/tensor_mma_parser.hpp>

namespace tc::isa {

namespace {

using sort = tcgen05_qualifier;

// PTX ISA, tcgen05.alloc.
constexpr std::uint32_t min_columns = 32, max_columns = tensor_columns, column_unit = 32;
constexpr unsigned destination_alignment = 4;

tensor_allocation_operation read_allocation(ptx_statement& statement) {
  const tcgen05_qualifiers qualifiers(statement, info(statement.op).mnemonic, {sort::cta_group, sort::sync, sort::aligned, sort::b32},
                                      {sort::shared_cta});
  tensor_allocation_operation result{tensor_allocation::allocate, qualifiers.group()};
  ptx_operand_list operands(statement.operands, "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [destination], columns",
                            statement.source);
  result.destination = operands.shared_address("the address of the destination", destination_alignment);
  result.columns = static_cast<std::uint32_t>(operands.number("the number of columns", min_columns, max_columns));
  if ((result.columns & (result.columns - 1)) != 0) {
    operands.fail(
        fmt::format("the number of columns is {}; it must be a power of two from {} to {}", result.columns, min_columns, max_columns));
  }
  operands.finish();
  return result;
}

tensor_allocation_operation read_deallocation(ptx_statement& statement) {
  const tcgen05_qualifiers qualifiers(statement, info(statement.op).mnemonic, {sort::cta_group, sort::sync, sort::aligned, sort::b32});
  tensor_allocation_operation result{tensor_allocation::deallocate, qualifiers.group()};
  constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  ptx_operand_list operands(statement.operands, "tcgen05.dealloc.cta_group::1.sync.aligned.b32 address, columns", statement.source);
  result.tensor_address = static_cast<std::uint32_t>(operands.number("the address in tensor memory", 0, most));
  result.columns = static_cast<std::uint32_t>(operands.number("the number of columns", 0, most));
  if (result.columns % column_unit != 0) {
    operands.fail(fmt::format("the number of columns is {}; it must be a multiple of {}", result.columns, column_unit));
  }
  operands.finish();
  return result;
}

tensor_allocation_operation read_relinquishment(ptx_statement& statement) {
  const tcgen05_qualifiers qualifiers(statement, info(statement.op).mnemonic, {sort::cta_group, sort::sync, sort::aligned});
  ptx_operand_list(statement.operands, "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned without operands", statement.source)
      .finish();
  return {tensor_allocation::relinquish, qualifiers.group()};
}

/// Decodes tcgen05.alloc, dealloc and relinquish_alloc_permit. Throws syntax_error.
tensor_allocation_operation parse_tensor_allocation(ptx_statement& statement) {
  if (statement.op == opcode::tcgen05_alloc) return read_allocation(statement);
  if (statement.op == opcode::tcgen05_dealloc) return read_deallocation(statement);
  return read_relinquishment(statement);
}

// What waits for instructions on tensor memory, or orders them. All throw syntax_error.

constexpr unsigned barrier_alignment = 8;

void finish_without_operands(const ptx_statement& statement, std::string_view qualifiers) {
  ptx_operand_list(statement.operands, fmt::format("{}{} without operands", info(statement.op).mnemonic, qualifiers), statement.source)
      .finish();
}

/// Decodes tcgen05.wait::ld and tcgen05.wait::st.
tensor_wait_operation parse_tensor_wait(ptx_statement& statement) {
  const tcgen05_qualifiers qualifiers(statement, info(statement.op).mnemonic, {sort::sync, sort::aligned});
  finish_without_operands(statement, ".sync.aligned");
  return {statement.op == opcode::tcgen05_wait_ld};
}

/// Decodes tcgen05.commit.
tensor_commit_operation parse_tensor_commit(ptx_statement& statement) {
  const tcgen05_qualifiers qualifiers(statement, info(statement.op).mnemonic, {sort::cta_group, sort::arrival, sort::b64},
                                      {sort::shared_cluster, sort::multicast});
  const bool multicast = qualifiers.has(sort::multicast);
  tensor_commit_operation result;
  result.group = qualifiers.group();
  ptx_operand_list operands(statement.operands,
                            fmt::format("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster{}.b64 [mbarrier]{}",
                                        multicast ? ".multicast::cluster" : "", multicast ? ", mask of CTAs" : ""),
                            statement.source);
  result.barrier = operands.shared_address("the mbarrier's address", barrier_alignment);
  if (multicast) {
    result.cta_mask = static_cast<std::uint16_t>(operands.number("the mask of CTAs", 0, std::numeric_limits<std::uint16_t>::max()));
  }
  operands.finish();
  return result;
}

/// Decodes tcgen05.fence::before_thread_sync and tcgen05.fence::after_thread_sync.
tensor_fence_operation parse_tensor_fence(ptx_statement& statement) {
  const tcgen05_qualifiers qualifiers(statement, info(statement.op).mnemonic, {});
  finish_without_operands(statement, "");
  return {statement.op == opcode::tcgen05_fence_before};
}

/// .b8x16.b4x16_p64 or .b8x16.b6x16_p32: the format of the destination, then that of the source.
tensor_copy_decompression read_decompression(const tcgen05_qualifiers& qualifiers, const source_text& source) {
  const std::string_view to = qualifiers[sort::unpacked_format], from = qualifiers[sort::packed_format];
  if (to.empty() && from.empty()) return tensor_copy_decompression::none;
  if (from.empty()) source.fail(to, fmt::format(".{} needs the format of the source behind it: .b4x16_p64 or .b6x16_p32", to));
  if (to.empty()) source.fail(from, fmt::format(".{} needs the format of the destination before it: .{}", from, decompressed_format));
  if (from.data() < to.data()) source.fail(from, fmt::format(".{} comes behind .{}", from, to));
  return find_tensor_copy_decompression(from).value();
}

/// Decodes tcgen05.cp. Throws syntax_error: a shape without the multicast that it needs or with one that it cannot have, half a
/// decompression.
tensor_copy_operation parse_tensor_copy(ptx_statement& statement) {
  const source_text& source = statement.source;
  const tcgen05_qualifiers qualifiers(statement, info(statement.op).mnemonic, {sort::cta_group, sort::copy_shape},
                                      {sort::copy_multicast, sort::unpacked_format, sort::packed_format});
  const std::string_view shape = qualifiers[sort::copy_shape], multicast = qualifiers[sort::copy_multicast];
  tensor_copy_operation result;
  result.group = qualifiers.group();
  result.shape = find_tensor_copy_shape(shape).value();
  if (!multicast.empty()) result.multicast = find_tensor_copy_multicast(multicast).value();
  if (const std::string mistake = tensor_copy_mistake(result.shape, result.multicast); !mistake.empty()) {
    source.fail(multicast.empty() ? shape : multicast, mistake);
  }
  result.decompression = read_decompression(qualifiers, source);
  ptx_operand_list operands(statement.operands, "tcgen05.cp.cta_group::1.shape [address], descriptor", source);
  result.address = operands.tensor_address("the address in tensor memory");
  result.descriptor = operands.number("the matrix descriptor", 0, std::numeric_limits<std::uint64_t>::max());
  operands.finish();
  return result;
}

/// Decodes tcgen05.shift. Throws syntax_error.
tensor_shift_operation parse_tensor_shift(ptx_statement& statement) {
  const tcgen05_qualifiers qualifiers(statement, info(statement.op).mnemonic, {sort::cta_group, sort::direction});
  tensor_shift_operation result{qualifiers.group()};
  ptx_operand_list operands(statement.operands, "tcgen05.shift.cta_group::1.down [address]", statement.source);
  result.address = operands.tensor_address("the address in tensor memory");
  operands.finish();
  return result;
}

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

tcgen05_operation parse_tcgen05(ptx_statement& statement) {
  switch (statement.op) {
    case opcode::tcgen05_alloc:
    case opcode::tcgen05_dealloc:
    case opcode::tcgen05_relinquish_alloc_permit:
      return parse_tensor_allocation(statement);
    case opcode::tcgen05_ld:
    case opcode::tcgen05_st:
      return parse_tensor_access(statement);
    case opcode::tcgen05_wait_ld:
    case opcode::tcgen05_wait_st:
      return parse_tensor_wait(statement);
    case opcode::tcgen05_cp:
      return parse_tensor_copy(statement);
    case opcode::tcgen05_shift:
      return parse_tensor_shift(statement);
    case opcode::tcgen05_mma:
      return parse_tensor_mma(statement);
    case opcode::tcgen05_commit:
      return parse_tensor_commit(statement);
    default:
      return parse_tensor_fence(statement);
  }
}

}  // namespace tc::isa
