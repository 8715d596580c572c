// SPDX-License-Identifier: Apache-2.0
#include "trace_parser.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tc/isa/asynchronous_parser.hpp>
#include <tc/isa/named_registers.hpp>
#include <tc/isa/source_text.hpp>
#include <tc/trace/code_decoder.hpp>
#include <tc/trace/header_text.hpp>
#include <tc/trace/instruction_check.hpp>
#include <tc/trace/instruction_line.hpp>
#include <tc/trace/trace_error.hpp>

namespace tc::trace {
namespace {

/// The opcode in `[control] [@predicate] OPCODE operands`.
std::string_view opcode_of(std::string_view code) {
  for (const char begin : {'[', '@'}) {
    if (code.empty() || code.front() != begin) continue;
    code.remove_prefix(std::min(code.size(), code.find(begin == '[' ? ']' : ' ') + 1));
    code.remove_prefix(std::min(code.size(), code.find_first_not_of(" \t")));
  }
  return code.substr(0, code.find_first_of(" \t"));
}

}  // namespace

std::unique_ptr<trace_contents> trace_parser::run() {
  contents_.name = lines_.name();
  read_magic(lines_);
  std::string_view text;
  while (lines_.next(text)) {
    if (repeat_line(text)) continue;
    text_cursor in({lines_.name(), lines_.line(), text});
    if (!in.at_end() && in.peek() != '#') read_line(in);
  }
  finish();
  return std::make_unique<trace_contents>(std::move(contents_));
}

void trace_parser::read_line(text_cursor& in) {
  const char first = in.peek();
  if (first == '/' || first == '[' || first == '@') return read_instruction(in);
  text_cursor ahead = in;
  if (isa::is_ptx_opcode(ahead.word())) return read_instruction(in);
  read_directive(in);
}

void trace_parser::read_directive(text_cursor& in) {
  text_cursor ahead = in;
  const std::string_view word = ahead.word();
  if (word == "cta") return read_cta(in);
  if (word == "warp") return read_warp(in);
  if (word == "reg") return read_preset(in);
  if (!header_parser::knows(word)) in.fail(fmt::format("'{}' begins neither a directive nor an instruction", word.substr(0, 40)));
  if (!in_header_) in.fail(fmt::format("'{}' belongs before the first 'cta'", word));
  header_.read(in);
}

void trace_parser::read_cta(text_cursor& in) {
  if (in_header_) {
    contents_.header = header_.finish(in);
    registers_ = contents_.header.registers;
  } else {
    end_cta();
  }
  in_header_ = false;
  in.word();
  in.at_end();
  const std::size_t position = in.position();
  const dim3& grid = contents_.header.grid;
  cta_entry cta;
  cta.x = static_cast<std::uint32_t>(in.number("the CTA's x", 0, grid.x - 1));
  cta.y = static_cast<std::uint32_t>(in.number("the CTA's y", 0, grid.y - 1));
  cta.z = static_cast<std::uint32_t>(in.number("the CTA's z", 0, grid.z - 1));
  in.expect_end("'cta X Y Z'");
  if (!linear_ctas_.insert(linear_index(cta, grid)).second)
    in.fail_at(position, fmt::format("the CTA {} {} {} is given twice", cta.x, cta.y, cta.z));
  if (contents_.ctas.size() >= limits_.ctas) in.fail_at(position, fmt::format("more than {} CTAs in a trace", limits_.ctas));
  cta.first_warp = static_cast<std::uint32_t>(contents_.warp_extents.size());
  contents_.ctas.push_back(cta);
  cta_line_ = in.line().number;
  warp_line_ = 0;
  warps_.reset();
}

void trace_parser::read_warp(text_cursor& in) {
  if (cta_line_ == 0) in.fail("'warp' before the first 'cta'");
  end_warp();
  in.word();
  in.at_end();
  const std::size_t position = in.position();
  warp_ = static_cast<unsigned>(in.number("the warp's number", 0, contents_.header.warps_per_cta() - 1));
  in.expect_end("'warp NUMBER'");
  if (warps_[warp_]) in.fail_at(position, fmt::format("warp {} is given twice in this CTA", warp_));
  if (contents_.warp_extents.size() >= limits_.warps) in.fail_at(position, fmt::format("more than {} warps in a trace", limits_.warps));
  warps_.set(warp_);
  warp_line_ = in.line().number;
  contents_.warp_extents.push_back(writer_.begin(warp_, warp_line_));
  ++contents_.ctas.back().warp_count;
  step_ = {};
}

void trace_parser::read_preset(text_cursor& in) {
  if (warp_line_ == 0) in.fail("'reg' before the first 'warp' of a CTA");
  if (!writer_.empty()) in.fail("'reg' after the warp's first instruction");
  in.word();
  in.at_end();
  const std::size_t position = in.position();
  const register_preset preset = parse_register_preset(in, registers_);
  for (const register_preset& other : writer_.presets())
    if (other.file == preset.file && other.index == preset.index) in.fail_at(position, "the register is given twice");
  writer_.add(preset);
}

void trace_parser::read_instruction(text_cursor& in) {
  if (warp_line_ == 0) in.fail("an instruction before the first 'warp' of a CTA");
  if (in.peek() == '[' || in.peek() == '@') in.fail("the instruction's pc is missing; write /*0010*/ before it");
  const instruction_line parts = split_instruction(in);
  if (expander_ != nullptr && expander_->takes(opcode_of(parts.code))) return read_expanded(parts, in);
  step_.code_index = intern(parts.code, parts, in, registers_);
  code_entry& entry = contents_.code[step_.code_index];
  if (entry.executions == 0) mark_registers(entry.instruction, parts, in);
  begin_step(parts, in);
  if (entry.instruction.asynchronous) check_lanes(entry.instruction, step_.mask, warp_, contents_.header, parts, in);
  read_addresses(in, parts, entry.access);
  finish_step(entry);
  const bool says_the_same = parts.pc && !entry.instruction.asynchronous && entry.access.space == isa::memory_space::none;
  if (says_the_same) known_lines_.add(in.line().text, step_.code_index, step_.pc, parts.mask);
}

/// Takes a line as it was taken before. False if it was not, or if its place or its mask may make it a mistake here.
bool trace_parser::repeat_line(std::string_view text) {
  const known_lines::line* const known = known_lines_.find(text);
  if (known == nullptr || warp_line_ == 0) return false;
  const lane_mask existing = contents_.header.lanes_of_warp(warp_);
  const lane_mask mask = known->mask.value_or(existing);
  if ((mask & ~existing) != 0) return false;
  step_.code_index = known->code_index;
  step_.pc = known->pc;
  step_.line = lines_.line();
  step_.mask = mask;
  step_.addresses.clear();
  finish_step(contents_.code[known->code_index]);
  return true;
}

/// The machine instructions of a line follow each other as if each had a line; all have the number of this one.
void trace_parser::read_expanded(const instruction_line& parts, const text_cursor& in) {
  begin_step(parts, in);
  check_aligned(step_.mask, parts, in);
  if (parts.addresses_position != instruction_line::absent)
    in.fail_at(parts.addresses_position, "addresses after an instruction of PTX, which names its own");
  expansion expanded;
  try {
    expanded = expander_->expand(parts.code, contents_.header);
  } catch (const isa::syntax_error& error) {
    in.fail_at(parts.code_position + error.column() - 1, error.what());
  }
  take_scratch(expanded, parts, in);
  for (const expanded_instruction& each : expanded.instructions) {
    if (&each != &expanded.instructions.front()) step_.pc += instruction_bytes;
    step_.code_index = intern(each.code, parts, in, kernel_header::max_registers);
    code_entry& entry = contents_.code[step_.code_index];
    step_.addresses = each.addresses;
    if (!each.addresses.empty()) check_addresses(entry.access, each.addresses, contents_.header, in, parts.code_position);
    if (step_.mask == 0) step_.addresses.clear();
    finish_step(entry);
  }
}

/// Makes sure that the trace leaves the scratch registers alone; the kernel needs them in addition to those it declares.
void trace_parser::take_scratch(const expansion& expanded, const instruction_line& parts, const text_cursor& in) {
  for (unsigned i = 0; i < expanded.scratch_count; ++i) {
    const unsigned index = expanded.first_scratch + i;
    if (named_[index])
      in.fail_at(parts.code_position, fmt::format("the instruction needs R{} to R{} as scratch registers, but the trace uses R{}; declare "
                                                  "fewer 'registers' in the header, or leave these free",
                                                  expanded.first_scratch, expanded.first_scratch + expanded.scratch_count - 1, index));
    scratch_.set(index);
  }
  if (expanded.scratch_count != 0) needed_registers_ = std::max(needed_registers_, expanded.first_scratch + expanded.scratch_count);
}

/// Pc, line and mask of the step that a line describes.
void trace_parser::begin_step(const instruction_line& parts, const text_cursor& in) {
  step_.pc = parts.pc ? *parts.pc : writer_.empty() ? 0 : step_.pc + instruction_bytes;
  step_.line = in.line().number;
  step_.addresses.clear();
  read_mask(parts, in);
}

void trace_parser::finish_step(code_entry& entry) {
  step_.code = &entry.instruction;
  ++entry.executions;
  if (++contents_.instructions > limits_.instructions) fail_length();
  writer_.add(step_);
}

std::uint32_t trace_parser::intern(std::string_view code, const instruction_line& parts, const text_cursor& in, unsigned registers) {
  if (const auto known = contents_.code.find(code)) return *known;
  if (contents_.code.size() >= limits_.distinct_instructions)
    in.fail_at(parts.code_position, fmt::format("more than {} different instructions in a trace", limits_.distinct_instructions));
  const std::uint32_t index = contents_.code.add(code, decode_code(code, contents_.header, registers, parts, in));
  contents_.forms.push_back({&contents_.code[index].instruction, index});
  return index;
}

/// Notes which registers a line names, which must not be scratch registers of another.
void trace_parser::mark_registers(const isa::instruction& instruction, const instruction_line& parts, const text_cursor& in) {
  isa::visit_vector_registers(instruction, [&](unsigned first, unsigned count) {
    for (unsigned i = first; i < first + count; ++i) {
      if (scratch_[i])
        in.fail_at(parts.code_position, fmt::format("R{} is a scratch register of an instruction of PTX before; leave it free", i));
      named_.set(i);
    }
  });
}

void trace_parser::read_mask(const instruction_line& parts, const text_cursor& in) {
  const lane_mask existing = contents_.header.lanes_of_warp(warp_);
  step_.mask = parts.mask.value_or(existing);
  if ((step_.mask & ~existing) != 0)
    in.fail_at(parts.mask_position, fmt::format("the mask names lanes without a thread; warp {} has the lanes {:08x}", warp_, existing));
}

void trace_parser::read_addresses(text_cursor& in, const instruction_line& parts, const memory_access& access) {
  const bool given = parts.addresses_position != instruction_line::absent;
  const bool needed = access.space != isa::memory_space::none && step_.mask != 0;
  step_.addresses.clear();
  if (given && access.space == isa::memory_space::none)
    in.fail_at(parts.addresses_position, "addresses after an instruction that accesses no memory");
  if (given && !needed) in.fail_at(parts.addresses_position, "addresses after an instruction whose mask is 0");
  if (!given && needed) in.fail_at(in.end(), "the addresses are missing after an instruction that accesses memory");
  if (!given) return;
  parse_addresses(in, access.every_lane ? all_lanes : step_.mask, step_.addresses);
  check_addresses(access, step_.addresses, contents_.header, in, parts.addresses_position);
}

void trace_parser::fail_length() const {
  throw trace_error(lines_.name(), lines_.line(), 1, fmt::format("more than {} instructions in a trace", limits_.instructions));
}

void trace_parser::end_warp() const {
  if (warp_line_ != 0 && writer_.empty())
    throw trace_error(lines_.name(), warp_line_, 1, fmt::format("warp {} has no instructions", warp_));
}

void trace_parser::end_cta() const {
  if (warp_line_ == 0) throw trace_error(lines_.name(), cta_line_, 1, "the CTA has no warps");
  end_warp();
}

void trace_parser::finish() {
  if (cta_line_ == 0) throw trace_error(lines_.name(), lines_.line() + 1, 1, "the trace ends before its first 'cta'");
  end_cta();
  if (!lines_.terminated() && isa::role_of(step_.code->op) != isa::issue_role::exits)
    throw trace_error(lines_.name(), lines_.line(), 1, "the trace is cut off: its last line has no line feed, and the warp has not exited");
  contents_.header.registers = std::max(contents_.header.registers, needed_registers_);
  contents_.warp_extents.push_back(spool_->size());
  spool_->finish();
  contents_.steps = std::move(spool_);
  const auto linear = [&](const cta_entry& cta) { return linear_index(cta, contents_.header.grid); };
  std::sort(contents_.ctas.begin(), contents_.ctas.end(), [&](const cta_entry& a, const cta_entry& b) { return linear(a) < linear(b); });
}

}  // namespace tc::trace
