// SPDX-License-Identifier: Apache-2.0
#include "asynchronous_parser.hpp"

#include <array>
#include <limits>
#include <memory>
#include <string>
#include <variant>

#include <fmt/format.h>

#include <tc/isa/asynchronous_operation.hpp>
#include <tc/isa/bulk_copy_parser.hpp>
#include <tc/isa/ptx_statement.hpp>
#include <tc/isa/register_name.hpp>
#include <tc/isa/tcgen05/tcgen05_parser.hpp>
#include <tc/isa/wgmma_parser.hpp>

namespace tc::isa {

namespace {

/// Groups of wgmma that a wait may leave incomplete: the wait counts in three bits (CUTLASS, warpgroup_wait).
constexpr std::uint32_t max_pending_warpgroups = 7;
constexpr unsigned tensor_map_bytes = 128, tensor_map_alignment = 64;

void finish_aligned(qualifier_list& qualifiers) {
  qualifiers.require({"sync"});
  qualifiers.require({"aligned"});
  qualifiers.finish();
}

std::uint32_t read_pending(const ptx_statement& statement, std::string_view qualifiers, std::uint32_t most) {
  ptx_operand_list operands(statement.operands, std::string(info(statement.op).mnemonic) + std::string(qualifiers) + " N",
                            statement.source);
  const auto pending = static_cast<std::uint32_t>(operands.number("the number of pending groups", 0, most));
  operands.finish();
  return pending;
}

async_control_operation without_operands(const ptx_statement& statement, async_control control) {
  const std::string_view text = statement.operands;
  ptx_operand_list(text, std::string(info(statement.op).mnemonic) + " without operands", statement.source).finish();
  return {control};
}

/// fence.proxy.tensormap::generic.release.scope, or .acquire.scope [map], bytes.
void read_tensor_map_fence(ptx_statement& statement) {
  const bool acquires = statement.qualifiers.require({"release", "acquire"}) == "acquire";
  statement.qualifiers.require({"cta", "cluster", "gpu", "sys"});
  statement.qualifiers.finish();
  ptx_operand_list operands(statement.operands,
                            std::string("fence.proxy.tensormap::generic.") + (acquires ? "acquire.gpu [map], 128" : "release.gpu"),
                            statement.source);
  if (acquires) {
    operands.global_address("the tensor map's address", tensor_map_alignment);
    operands.number("the number of bytes", tensor_map_bytes, tensor_map_bytes);
  }
  operands.finish();
}

async_control_operation read_proxy_fence(ptx_statement& statement) {
  qualifier_list& qualifiers = statement.qualifiers;
  const std::string_view proxy = qualifiers.require({"async", "alias", "tensormap::generic"});
  if (proxy == "tensormap::generic") {
    read_tensor_map_fence(statement);
    return {async_control::other_fence};
  }
  std::string_view space;
  if (proxy == "async") space = qualifiers.take({"shared::cta", "shared::cluster", "global"});
  qualifiers.finish();
  return without_operands(statement, proxy == "async" && space != "global" ? async_control::proxy_fence : async_control::other_fence);
}

async_control_operation read_barrier_fence(ptx_statement& statement) {
  statement.qualifiers.require({"release"});
  statement.qualifiers.require({"cluster"});
  statement.qualifiers.finish();
  return without_operands(statement, async_control::barrier_fence);
}

async_control_operation read_bulk_wait(ptx_statement& statement) {
  const bool read = statement.qualifiers.take("read");
  statement.qualifiers.finish();
  const std::uint32_t pending = read_pending(statement, read ? ".read" : "", std::numeric_limits<std::uint32_t>::max());
  return {read ? async_control::bulk_wait_read : async_control::bulk_wait, pending};
}

/// Decodes the instructions of PTX that order or group asynchronous ones: wgmma.fence, .commit_group and .wait_group,
/// cp.async.bulk.commit_group and .wait_group, fence.proxy and fence.mbarrier_init. Throws syntax_error.
async_control_operation parse_async_control(ptx_statement& statement) {
  switch (statement.op) {
    case opcode::wgmma_fence:
      finish_aligned(statement.qualifiers);
      return without_operands(statement, async_control::warpgroup_arrive);
    case opcode::wgmma_commit_group:
      finish_aligned(statement.qualifiers);
      return without_operands(statement, async_control::warpgroup_commit);
    case opcode::wgmma_wait_group:
      finish_aligned(statement.qualifiers);
      return {async_control::warpgroup_wait, read_pending(statement, ".sync.aligned", max_pending_warpgroups)};
    case opcode::cp_async_bulk_commit_group:
      statement.qualifiers.finish();
      return without_operands(statement, async_control::bulk_commit);
    case opcode::cp_async_bulk_wait_group:
      return read_bulk_wait(statement);
    case opcode::fence_proxy:
      return read_proxy_fence(statement);
    default:
      return read_barrier_fence(statement);
  }
}

/// Decodes an mbarrier instruction of PTX. The state that an arrival returns may be named, a pair of registers or `_`; it is not kept,
/// because waits name the parity of a phase. Throws syntax_error.
barrier_operation parse_barrier(ptx_statement& statement);

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

barrier_operation parse_barrier(ptx_statement& statement) { return barrier_reader(statement).read(); }

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
