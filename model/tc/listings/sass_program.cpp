// SPDX-License-Identifier: Apache-2.0
#include "sass_program.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include <tc/isa/instruction_parser.hpp>
#include <tc/isa/source_text.hpp>
#include <tc/listings/symbol_expression.hpp>
#include <tc/trace/step.hpp>

namespace tc::listings {
namespace {

bool has_register(const isa::instruction& code) {
  const auto* const end = code.sources.begin() + code.source_count;
  return std::any_of(code.sources.begin(), end, [](const isa::operand& each) {
    return each.is_register(isa::register_file::vector) || each.is_register(isa::register_file::uniform);
  });
}

control_flow flow_of(const isa::instruction& code) {
  if (isa::role_of(code.op) == isa::issue_role::exits) return control_flow::exit;
  switch (code.op) {
    case isa::opcode::bra: {
      const std::string_view opcode = std::string_view(code.text).substr(0, code.text.find(' '));
      if (opcode == "BRA" || opcode == "BRA.U" || opcode == "BRA.CONV") return control_flow::branch;  // the warp is always converged
      return opcode == "BRA.DIV" ? control_flow::if_divergent : control_flow::not_followed;
    }
    case isa::opcode::call:
    case isa::opcode::jmp:
      return has_register(code) ? control_flow::not_followed : control_flow::branch;
    case isa::opcode::ret:
    case isa::opcode::brx:
    case isa::opcode::brxu:
    case isa::opcode::jmx:
      return control_flow::computed;
    case isa::opcode::kill:
    case isa::opcode::bpt:
      return control_flow::not_followed;
    default:
      return control_flow::next;
  }
}

/// The pc of a label; nothing if the kernel has no such.
std::optional<std::uint32_t> pc_of(std::string_view label, const sass_kernel& kernel) {
  const auto found = kernel.labels.find(std::string(label));
  if (found != kernel.labels.end()) return found->second;
  return label == kernel.name ? std::optional<std::uint32_t>(0) : std::nullopt;
}

/// The pc of the label in "BRA `(.L_x_0)", or the number in "BRA 0x110", which cuobjdump writes and which counts from the begin of
/// the function. What BRX adds to its register counts from the instruction behind it.
std::optional<std::uint32_t> target_of(const isa::instruction& code, const sass_kernel& kernel) {
  const std::string_view text = code.text;
  const std::size_t begin = text.find("`("), end = text.rfind(')');
  if (begin != std::string_view::npos && end != std::string_view::npos && end > begin)
    return pc_of(text.substr(begin + 2, end - begin - 2), kernel);
  const bool counts_from_next = code.op == isa::opcode::brx || code.op == isa::opcode::brxu;
  const bool is_absolute = text.find(".ABS") != std::string_view::npos;
  const std::uint32_t own = is_absolute ? 0 : kernel.begin_of(code.pc);
  const std::uint32_t base = counts_from_next ? code.pc + trace::instruction_bytes : own;
  for (unsigned s = 0; s < code.source_count; ++s)
    if (code.sources[s].what == isa::operand::kind::immediate) return base + code.sources[s].value;
  return std::nullopt;
}

/// The text with numbers for addresses: "MOV R20, 0x190" of "MOV R20, 32@lo((k + .L_x_5@srel))". "UMOV UR4, `(factors)" loads where a
/// variable lies in its constant bank.
std::string with_addresses(const std::string& text, const sass_kernel& kernel, const address_source& addresses) {
  constexpr std::string_view low = "32@lo(", high = "32@hi(", whole = "`(";
  for (const std::string_view begin : {low, high, whole}) {
    const std::size_t at = text.find(begin), end = text.rfind(')');
    if (at == std::string::npos || end == std::string::npos || end < at + begin.size()) continue;
    const std::string_view expression = std::string_view(text).substr(at + begin.size(), end - at - begin.size());
    std::optional<std::uint64_t> value;
    if (begin != whole) {
      value = addresses(expression);
    } else if (const auto found = kernel.constant_variables.find(std::string(expression)); found != kernel.constant_variables.end()) {
      value = found->second.offset;
    }
    if (!value) return text;
    return fmt::format("{}{:#x}{}", text.substr(0, at), (begin == high ? *value >> 32U : *value) & 0xffffffffU, text.substr(end + 1));
  }
  return text;
}

/// The opcode with its modifiers, behind the predicate.
std::string_view opcode_of(std::string_view text) {
  if (text.front() == '@') text.remove_prefix(std::min(text.size(), text.find_first_not_of(" \t", text.find(' '))));
  return text.substr(0, text.find_first_of(" \t"));
}

program_instruction decode(const listed_instruction& listed, const sass_kernel& kernel, const address_source& addresses) {
  program_instruction result;
  result.code.pc = listed.pc;
  result.listing_line = listed.line;
  result.listing_column = listed.column;
  if (opcode_of(listed.text) == "unknown") {  // as machine_code writes a word that it cannot decode
    result.unknown = fmt::format("no instruction of {} that is known has this word", kernel.target);
    return result;
  }
  const std::string text = with_addresses(listed.text, kernel, addresses);
  try {
    result.code = isa::parse_operation(text, kernel.arch);
  } catch (const isa::syntax_error& error) {
    result.unknown = fmt::format("{}: {}", opcode_of(listed.text), error.what());
    return result;
  }
  result.code.pc = listed.pc;
  result.code.control = isa::fields_of(listed.word).control;
  result.line = fmt::format("/*{:04x}*/ [{}] {}", listed.pc, isa::text_of(*result.code.control), text);
  result.flow = flow_of(result.code);
  result.target = target_of(result.code, kernel);
  result.access = trace::access_of(result.code);
  return result;
}

}  // namespace

std::vector<program_instruction> decode_sass(const sass_kernel& kernel, const address_source& addresses) {
  const address_source own_labels = [&kernel](std::string_view expression) {
    return value_of_sum(expression, [&kernel](std::string_view name, bool is_relative) -> std::optional<std::uint64_t> {
      const auto pc = pc_of(name, kernel);
      if (!pc) return std::nullopt;
      return is_relative ? *pc - kernel.begin_of(*pc) : *pc;
    });
  };
  std::vector<program_instruction> program;
  program.reserve(kernel.code.size());
  for (const listed_instruction& listed : kernel.code) program.push_back(decode(listed, kernel, addresses ? addresses : own_labels));
  return program;
}

}  // namespace tc::listings
