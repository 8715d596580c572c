// SPDX-License-Identifier: Apache-2.0
// Instructions of machines and of PTX: lines of an architecture and an instruction, with its pc and control field or without; and tensor
// maps, `map` and what a trace has behind their address. The text of what is decoded must be decoded to itself.
#include <algorithm>

#include <tc/isa/instruction_parser.hpp>
#include <tc/kernels/wmma_expander.hpp>
#include <tc/trace/tensor_map_parser.hpp>
#include <tc/trace/trace_error.hpp>

#include "support.hpp"

namespace tcsim::fuzz {
namespace {

using tc::isa::architecture;

std::string_view take_word(std::string_view& rest) {
  const std::string_view word = rest.substr(0, rest.find(' '));
  rest.remove_prefix(std::min(word.size() + 1, rest.size()));
  return word;
}

void require_column(unsigned column, std::string_view text, const char* message) { require_inside(text, 1, column, message); }

void decode(std::string_view text, architecture arch) {
  tc::isa::instruction decoded;
  try {
    decoded = text.substr(0, 2) == "/*" ? tc::isa::parse_instruction(text, arch) : tc::isa::parse_operation(text, arch);
  } catch (const tc::isa::syntax_error& error) {
    return require_column(error.column(), text, error.what());
  }
  require_same(tc::isa::parse_operation(decoded.text, arch).text, decoded.text, "the text of an instruction that was decoded");
  if (decoded.control) {
    const std::string control = tc::isa::text_of(*decoded.control);
    require_same(tc::isa::text_of(tc::isa::parse_control(control)), control, "a control field that was read");
  }
}

void expand(const tc::kernels::wmma_expander& expander, std::string_view text, architecture arch) {
  tc::trace::kernel_header header;
  header.arch = arch;
  tc::trace::expansion expanded;
  try {
    expanded = expander.expand(text, header);
  } catch (const tc::isa::syntax_error& error) {
    return require_column(error.column(), text, error.what());
  }
  for (const auto& each : expanded.instructions) decode(each.code, arch);
}

void read_map(std::string_view text) {
  const std::string file = "input";
  tc::trace::text_cursor in({file, 1, text});
  try {
    const tc::isa::tensor_map map = tc::trace::parse_tensor_map(in);
    require(map.box_bytes() != 0 && shared_bytes(map) >= map.box_bytes(), "a box has elements, and room in shared memory");
  } catch (const tc::trace::trace_error& error) {
    require_inside(text, error.line(), error.column(), error.what());
  }
}

void read_line(std::string_view line) {
  const tc::kernels::wmma_expander expander;
  const std::string_view word = take_word(line);
  if (word == "map") return read_map(line);
  const auto arch = tc::isa::find_architecture(word);
  if (!arch) return;
  if (expander.takes(line.substr(0, line.find(' ')))) return expand(expander, line, *arch);
  decode(line, *arch);
}

}  // namespace
}  // namespace tcsim::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest = tcsim::fuzz::text_of(data, size);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    tcsim::fuzz::read_line(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return 0;
}
