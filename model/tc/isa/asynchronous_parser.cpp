// SPDX-License-Identifier: Apache-2.0
#include "asynchronous_parser.hpp"

#include <array>
#include <memory>
#include <string>
#include <variant>

#include <tc/isa/async_control_parser.hpp>
#include <tc/isa/barrier_parser.hpp>
#include <tc/isa/bulk_copy_parser.hpp>
#include <tc/isa/ptx_statement.hpp>
#include <tc/isa/tcgen05/tcgen05_parser.hpp>
#include <tc/isa/tcgen05/tensor_access_parser.hpp>
#include <tc/isa/wgmma_parser.hpp>

namespace tc::isa {
namespace {

template <auto Parse>
asynchronous_operation parse_as(ptx_statement& statement) {
  return Parse(statement);
}

struct parser_row {
  opcode op;
  asynchronous_operation (*parse)(ptx_statement&);
};

constexpr std::array parsers{
    parser_row{opcode::wgmma_mma_async, parse_as<parse_wgmma>},
    parser_row{opcode::wgmma_fence, parse_as<parse_async_control>},
    parser_row{opcode::wgmma_commit_group, parse_as<parse_async_control>},
    parser_row{opcode::wgmma_wait_group, parse_as<parse_async_control>},
    parser_row{opcode::mbarrier_init, parse_as<parse_barrier>},
    parser_row{opcode::mbarrier_inval, parse_as<parse_barrier>},
    parser_row{opcode::mbarrier_arrive, parse_as<parse_barrier>},
    parser_row{opcode::mbarrier_arrive_drop, parse_as<parse_barrier>},
    parser_row{opcode::mbarrier_expect_tx, parse_as<parse_barrier>},
    parser_row{opcode::mbarrier_complete_tx, parse_as<parse_barrier>},
    parser_row{opcode::mbarrier_test_wait, parse_as<parse_barrier>},
    parser_row{opcode::mbarrier_try_wait, parse_as<parse_barrier>},
    parser_row{opcode::cp_async_bulk, parse_as<parse_bulk_copy>},
    parser_row{opcode::cp_async_bulk_tensor, parse_as<parse_bulk_copy>},
    parser_row{opcode::cp_async_bulk_commit_group, parse_as<parse_async_control>},
    parser_row{opcode::cp_async_bulk_wait_group, parse_as<parse_async_control>},
    parser_row{opcode::fence_proxy, parse_as<parse_async_control>},
    parser_row{opcode::fence_mbarrier_init, parse_as<parse_async_control>},
    parser_row{opcode::tcgen05_alloc, parse_as<parse_tcgen05>},
    parser_row{opcode::tcgen05_dealloc, parse_as<parse_tcgen05>},
    parser_row{opcode::tcgen05_relinquish_alloc_permit, parse_as<parse_tcgen05>},
    parser_row{opcode::tcgen05_mma, parse_as<parse_tcgen05>},
    parser_row{opcode::tcgen05_cp, parse_as<parse_tcgen05>},
    parser_row{opcode::tcgen05_shift, parse_as<parse_tcgen05>},
    parser_row{opcode::tcgen05_ld, parse_as<parse_tcgen05>},
    parser_row{opcode::tcgen05_st, parse_as<parse_tcgen05>},
    parser_row{opcode::tcgen05_wait_ld, parse_as<parse_tcgen05>},
    parser_row{opcode::tcgen05_wait_st, parse_as<parse_tcgen05>},
    parser_row{opcode::tcgen05_commit, parse_as<parse_tcgen05>},
    parser_row{opcode::tcgen05_fence_before, parse_as<parse_tcgen05>},
    parser_row{opcode::tcgen05_fence_after, parse_as<parse_tcgen05>},
};

/// The row whose mnemonic the text begins with, the longest if there are several, as of cp.async.bulk and cp.async.bulk.tensor.
const parser_row& find_parser(std::string_view opcode_text, const source_text& source) {
  const parser_row* best = nullptr;
  std::size_t length = 0;
  for (const parser_row& row : parsers) {
    const std::string_view mnemonic = info(row.op).mnemonic;
    const bool begins = opcode_text.substr(0, mnemonic.size()) == mnemonic;
    const bool whole = begins && (opcode_text.size() == mnemonic.size() || opcode_text[mnemonic.size()] == '.');
    if (!whole || mnemonic.size() <= length) continue;
    best = &row;
    length = mnemonic.size();
  }
  if (best != nullptr) return *best;
  std::string known;
  for (const parser_row& row : parsers) known += (known.empty() ? "" : ", ") + std::string(info(row.op).mnemonic);
  source.fail(opcode_text, "unknown opcode " + quoted(opcode_text) + "; of PTX there are " + known);
}

void add_read(instruction& i, register_file file, std::uint8_t index, unsigned constant) {
  if (index != constant) i.reads.push_back({file, index, 1, no_slot, false});
}

/// A of wgmma in registers: four operands of a register each, in any order of registers.
void add_operands(instruction& i, const wgmma_operation& wgmma) {
  for (const std::uint8_t index : wgmma.a_registers) {
    operand& source = i.sources.at(i.source_count++);
    source.what = operand::kind::reg;
    source.file = register_file::vector;
    source.index = index;
    source.count = 1;
    add_read(i, register_file::vector, index, zero_register);
  }
}

void add_operands(instruction& i, const barrier_operation& barrier) {
  if (barrier.predicate == true_predicate) return;
  operand& destination = i.destinations.at(i.destination_count++);
  destination.what = operand::kind::reg;
  destination.file = register_file::predicate;
  destination.index = barrier.predicate;
  destination.count = 1;
  i.writes.push_back({register_file::predicate, barrier.predicate, 1, no_slot, false});
}

void add_operands(instruction& /*i*/, const bulk_copy_operation& /*copy*/) {}
void add_operands(instruction& /*i*/, const async_control_operation& /*control*/) {}

/// The registers of a load are written, those of a store read, in runs of consecutive ones.
void add_operands(instruction& i, const tcgen05_operation& operation) {
  const auto* const access = std::get_if<tensor_access_operation>(&operation);
  if (access == nullptr) return;
  for (const register_use& run : register_runs(access->registers)) (access->load ? i.writes : i.reads).push_back(run);
}

}  // namespace

bool is_ptx_opcode(std::string_view opcode_text) {
  return !opcode_text.empty() && 'a' <= opcode_text.front() && opcode_text.front() <= 'z' &&
         opcode_text.find('.') != std::string_view::npos;
}

void parse_asynchronous(instruction& i, std::string_view opcode_text, std::string_view operands, architecture arch,
                        const source_text& source) {
  const parser_row& row = find_parser(opcode_text, source);
  const opcode_info& properties = info(row.op);
  const std::string_view mnemonic = opcode_text.substr(0, properties.mnemonic.size());
  if (!properties.architectures.contains(arch)) {
    source.fail(mnemonic,
                std::string(mnemonic) + " does not exist on " + std::string(name(arch)) + ": " + describe(properties.architectures));
  }
  i.op = row.op;
  ptx_statement statement{row.op, arch, qualifier_list(opcode_text.substr(mnemonic.size()), source), operands, source};
  const auto operation = std::make_shared<const asynchronous_operation>(row.parse(statement));
  add_read(i, i.guard.file, i.guard.index, true_predicate);
  std::visit([&i](const auto& decoded) { add_operands(i, decoded); }, *operation);
  i.asynchronous = operation;
}

}  // namespace tc::isa
