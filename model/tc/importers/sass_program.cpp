// SPDX-License-Identifier: Apache-2.0
#include "sass_program.hpp"

#include <string_view>

#include <fmt/format.h>

#include <tc/isa/instruction_parser.hpp>
#include <tc/isa/source_text.hpp>

namespace tc::importers {
namespace {

control_flow flow_of(const isa::instruction& code) {
  if (isa::role_of(code.op) == isa::issue_role::exits) return control_flow::exit;
  switch (code.op) {
    case isa::opcode::bra: {
      const std::string_view opcode = std::string_view(code.text).substr(0, code.text.find(' '));
      if (opcode == "BRA" || opcode == "BRA.U") return control_flow::branch;
      return opcode == "BRA.DIV" ? control_flow::if_divergent : control_flow::not_followed;
    }
    case isa::opcode::brx:
    case isa::opcode::jmp:
    case isa::opcode::jmx:
    case isa::opcode::call:
    case isa::opcode::ret:
    case isa::opcode::kill:
    case isa::opcode::bpt:
      return control_flow::not_followed;
    default:
      return control_flow::next;
  }
}

/// The pc of the label in "BRA `(.L_x_0)".
std::optional<std::uint32_t> target_of(std::string_view text, const sass_kernel& kernel) {
  const std::size_t begin = text.find("`("), end = text.rfind(')');
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return std::nullopt;
  const auto found = kernel.labels.find(std::string(text.substr(begin + 2, end - begin - 2)));
  return found == kernel.labels.end() ? std::nullopt : std::optional(found->second);
}

/// The opcode with its modifiers, behind the predicate.
std::string_view opcode_of(std::string_view text) {
  if (text.front() == '@') text.remove_prefix(std::min(text.size(), text.find_first_not_of(" \t", text.find(' '))));
  return text.substr(0, text.find_first_of(" \t"));
}

program_instruction decode(const listed_instruction& listed, const sass_kernel& kernel) {
  program_instruction result;
  result.code = isa::parse_operation(listed.text, kernel.arch);
  result.code.pc = listed.pc;
  result.code.control = isa::fields_of(listed.word).control;
  result.line = fmt::format("/*{:04x}*/ [{}] {}", listed.pc, isa::text_of(*result.code.control), listed.text);
  result.listing_line = listed.line;
  result.listing_column = listed.column;
  result.flow = flow_of(result.code);
  result.target = target_of(listed.text, kernel);
  result.access = trace::access_of(result.code);
  return result;
}

}  // namespace

std::vector<program_instruction> decode_sass(const sass_kernel& kernel, import_report& report) {
  std::vector<program_instruction> program;
  program.reserve(kernel.code.size());
  for (const listed_instruction& listed : kernel.code) {
    try {
      program.push_back(decode(listed, kernel));
    } catch (const isa::syntax_error& error) {
      report.add_gap(fmt::format("{}: {}", opcode_of(listed.text), error.what()), "nothing", kernel.file, listed.line);
    }
  }
  return program;
}

}  // namespace tc::importers
