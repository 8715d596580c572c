// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include <tc/execution/access_request.hpp>
#include <tc/execution/steps.hpp>
#include <tc/isa/constant_register.hpp>
#include <tc/isa/instruction_word.hpp>
#include <tc/isa/operand_widths.hpp>
#include <tc/isa/source_text.hpp>
#include <tc/trace/step.hpp>

namespace tc::execution {

namespace {

using kind = isa::operand::kind;

source_origin origin_of(isa::register_file file) {
  switch (file) {
    case isa::register_file::uniform:
      return source_origin::uniform;
    case isa::register_file::predicate:
      return source_origin::predicate;
    case isa::register_file::uniform_predicate:
      return source_origin::uniform_predicate;
    default:
      return source_origin::vector;
  }
}

bool is_indexed(const isa::operand& operand) {
  return operand.memory.base != isa::zero_register || operand.memory.uniform != isa::zero_uniform_register;
}

/// What is wrong with where a branch goes; empty: nothing that is known before it is executed.
std::string wrong_target(const listings::program_instruction& listed, std::size_t instructions) {
  using listings::control_flow;
  const bool is_direct = listed.flow == control_flow::branch || listed.flow == control_flow::if_divergent;
  if (!is_direct && listed.flow != control_flow::computed) return {};
  if (!listed.target) return "it goes out of the kernel: its label is not there";
  const bool is_there = *listed.target % trace::instruction_bytes == 0 && *listed.target / trace::instruction_bytes < instructions;
  return is_there || !is_direct ? "" : fmt::format("it goes to {:#x}, where the kernel has no instruction", *listed.target);
}

}  // namespace

program::program(const listings::sass_kernel& kernel, const module_symbols& symbols, const warp::constant_memory& constants,
                 const config::arithmetic_parameters& arithmetic)
    : kernel_(kernel),
      constants_(constants),
      arithmetic_(arithmetic),
      listed_(listings::decode_sass(kernel, [&symbols](std::string_view expression) { return symbols.address_of(expression); })),
      operations_(listed_.size()) {
  for (std::size_t i = 0; i < listed_.size(); ++i) {
    operations_[i].number = static_cast<std::uint32_t>(i);
    prepare(listed_[i], operations_[i]);
  }
}

void program::prepare(listings::program_instruction& listed, operation& op) {
  op.code = &listed.code;
  if (!listed.unknown.empty() && !prepare_unlisted(listed, op)) {
    op.execute = steps::refuse;
    return;
  }
  const isa::instruction& code = listed.code;
  op.guard_file = code.guard.file;
  op.guard_index = code.guard.index;
  op.guard_is_inverted = code.guard.inverted;
  op.is_guarded = code.guard.index != isa::true_predicate || code.guard.inverted;
  count_registers(code);
  prepare_sources(op);
  if (op.execute == nullptr) prepare_execution(listed, op);
}

/// What traces have no form for, products of warpgroups and of sparse matrices. False if it is none of them, or one that is not executed.
bool program::prepare_unlisted(listings::program_instruction& listed, operation& op) {
  const std::string& text = kernel_.code[op.number].text;
  try {
    if (const auto found = parse_warpgroup(text, kernel_.arch)) {
      listed.code = found->code;
      if (found->operation) op.warpgroup = &warpgroup_products_.emplace_back(*found->operation, arithmetic_);
      op.execute = op.warpgroup != nullptr ? steps::multiply_warpgroup : steps::do_nothing;
    } else if (const auto sparse = parse_sparse(text, kernel_.arch)) {
      listed.code = sparse->code;
      op.sparse = &sparse_products_.emplace_back(sparse->operands, arithmetic_);
      op.execute = steps::multiply_sparse;
    } else {
      return false;
    }
  } catch (const isa::syntax_error&) {
    return false;  // its predicate is none, of which the listing's own message tells
  } catch (const std::invalid_argument& error) {
    listed.unknown = error.what();
    return false;
  }
  listed.code.pc = kernel_.code[op.number].pc;
  listed.code.control = isa::fields_of(kernel_.code[op.number].word).control;
  listed.unknown.clear();
  return true;
}

void program::prepare_product(listings::program_instruction& listed, operation& op) {
  try {
    if (listed.code.mma->instances > 1) {
      op.quad_pairs = &quad_pair_products_.emplace_back(*listed.code.mma, arithmetic_);
      op.execute = steps::multiply_quad_pairs;
    } else {
      op.product = &product_of(listed.code);
      op.execute = steps::multiply_registers;
    }
  } catch (const std::invalid_argument& error) {
    listed.unknown = error.what();
  }
}

void program::prepare_execution(listings::program_instruction& listed, operation& op) {
  const isa::instruction& code = listed.code;
  if (listed.target)
    op.target = listed.flow == listings::control_flow::computed ? *listed.target : *listed.target / trace::instruction_bytes;
  op.compute = lanes::find_lane_operation(code);
  if (op.compute != nullptr) {
    op.execute = steps::compute_lanes;
    return;
  }
  if (isa::info(code.op).memory.action == isa::memory_action::atomic) {
    op.atomic = lanes::atomic_arithmetic::of(code);
    if (op.atomic) op.execute = steps::access_at_once;
  } else if (isa::is_mma(code.op)) {
    prepare_product(listed, op);
  } else {
    const bool calls_by_name = listed.flow == listings::control_flow::branch && !listed.target && code.op == isa::opcode::call;
    if (!calls_by_name) listed.unknown = wrong_target(listed, listed_.size());
    if (listed.unknown.empty()) op.execute = calls_by_name ? steps::call_system_function : find_step(code, listed);
  }
  const isa::modifiers& mods = code.mods;
  op.access_bytes = static_cast<std::uint8_t>(
      (mods.first_format == isa::element_type::f64 || isa::is_64_bit(mods.type) ? 64U : unsigned{mods.access_bits}) / 8U);
  if (op.execute == steps::access_at_once) op.access = find_access(op);
  if (op.execute != nullptr) return;
  op.execute = steps::refuse;
  if (listed.unknown.empty()) listed.unknown = "this form is not executed";
}

const register_product& program::product_of(const isa::instruction& code) {
  const auto found = std::find_if(products_.begin(), products_.end(), [&](const register_product& each) { return each.is_for(*code.mma); });
  return found != products_.end() ? *found : products_.emplace_back(*code.mma, arithmetic_);
}

void program::count_registers(const isa::instruction& code) {
  const auto count = [this](isa::register_file file, unsigned index, unsigned number) {
    if (file == isa::register_file::vector && index != isa::zero_register) registers_ = std::max(registers_, index + number);
  };
  for (unsigned d = 0; d < code.destination_count; ++d)
    count(code.destinations[d].file, code.destinations[d].index, code.destinations[d].count);
  for (const isa::register_use& use : code.reads) count(use.file, use.index, use.count);
}

void program::prepare_sources(operation& op) {
  for (unsigned s = 0; s < op.code->source_count; ++s) op.sources[s] = access_of(*op.code, s);
}

const warp::lane_vector* program::broadcast(std::uint32_t value) { return &values_.emplace_back(warp::broadcast(value)); }

source_access program::fixed(std::uint32_t low, std::optional<std::uint32_t> high) {
  source_access access;
  access.low = broadcast(low);
  if (high) access.high = broadcast(*high);
  return access;
}

source_access program::access_of(const isa::instruction& code, unsigned source) {
  const isa::operand& operand = code.sources[source];
  const bool is_pair = isa::source_registers(code, source) > 1;
  switch (operand.what) {
    case kind::immediate:
      return fixed(operand.value);
    case kind::constant: {
      if (is_indexed(operand) || operand.memory.descriptor != isa::zero_uniform_register) return {source_origin::indexed_constant};
      const auto low = constants_.word(operand.bank, operand.value);
      const auto high = is_pair ? constants_.word(operand.bank, operand.value + 4) : std::optional<std::uint32_t>(0);
      if (!low || !high) return {source_origin::missing_constant};
      return fixed(*low, high);
    }
    case kind::reg: {
      const bool is_predicate = operand.is_predicate();
      if (isa::is_constant_register(operand.file, operand.index)) {
        source_access access = fixed(0, 0);
        access.predicate = is_predicate ? 0xffffffffU : 0;
        return access;
      }
      source_access access;
      access.origin = origin_of(operand.file);
      access.index = operand.index;
      access.has_high = is_pair;
      return access;
    }
    default:
      return fixed(0, 0);
  }
}

std::string program::place(const operation& op) const {
  const listings::listed_instruction& listed = kernel_.code[op.number];
  const std::string file = listed.line == 0 ? kernel_.file : fmt::format("{}:{}:{}", kernel_.file, listed.line, listed.column);
  return fmt::format("{}: '{}' at {}", file, listed.text, kernel_.place_of(listed.pc));
}

std::vector<std::string> program::refused() const {
  std::vector<std::string> messages;
  for (const operation& op : operations_)
    if (!refusal(op).empty()) messages.push_back(fmt::format("{}: {}", place(op), refusal(op)));
  return messages;
}

}  // namespace tc::execution
