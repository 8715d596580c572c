// SPDX-License-Identifier: Apache-2.0
#include "wmma_instruction.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

#include <tc/isa/instruction_parser.hpp>
#include <tc/isa/register_name.hpp>
#include <tc/isa/source_text.hpp>
#include <tc/isa/wmma_layout.hpp>
#include <tc/kernels/wmma_name.hpp>
#include <tc/trace/limits.hpp>

namespace tc::kernels {
namespace {

using isa::fragment;
using isa::quoted;

constexpr std::string_view prefix = "wmma.";

std::optional<std::uint64_t> parse_number(std::string_view text) {
  const bool is_hex = text.substr(0, 2) == "0x";
  if (is_hex) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value, is_hex ? 16 : 10);
  if (text.empty() || error != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The operands of an instruction: separated by commas, of which those in brackets and braces do not count.
std::vector<std::string_view> split_operands(std::string_view text) {
  std::vector<std::string_view> operands;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (c != ',' || (depth > 0 && i < text.size())) continue;
    operands.push_back(isa::trim(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  return operands;
}

/// Reads the operands behind a decoded opcode.
class operand_reader {
 public:
  operand_reader(wmma_instruction& result, std::string_view text, const trace::kernel_header& header, const isa::source_text& source)
      : result_(result), text_(text), operands_(split_operands(text)), header_(header), source_(source) {}

  void read() {
    switch (result_.action) {
      case wmma_action::load:
        expect(2, 3, "{registers}, [address], stride");
        read_registers(result_.which, operands_[0]);
        return read_location(operands_[1]);
      case wmma_action::store:
        expect(2, 3, "[address], {registers}, stride");
        read_registers(result_.which, operands_[1]);
        return read_location(operands_[0]);
      case wmma_action::multiply:
        break;
    }
    expect(4, 4, "{d}, {a}, {b}, {c}");
    constexpr fragment order[] = {fragment::d, fragment::a, fragment::b, fragment::c};
    for (std::size_t i = 0; i < 4; ++i) read_registers(order[i], operands_[i]);
  }

 private:
  void expect(std::size_t least, std::size_t most, const std::string& form) const {
    if (least <= operands_.size() && operands_.size() <= most) return;
    source_.fail(text_, "the operands are " + form + "; found " + std::to_string(operands_.size()) + " of them");
  }

  isa::fragment_layout layout(fragment which) const { return *isa::wmma_layout(result_.mma, which, header_.arch); }

  std::string_view inside(std::string_view operand, char open, char close, const std::string& form) const {
    if (operand.size() < 2 || operand.front() != open || operand.back() != close)
      source_.fail(operand, "expected " + form + ", found " + quoted(operand));
    return operand.substr(1, operand.size() - 2);
  }

  void read_registers(fragment which, std::string_view operand) {
    std::string_view rest = inside(operand, '{', '}', "a list of registers, such as {R8, R9}");
    std::vector<unsigned>& registers = result_.named[static_cast<std::size_t>(which)];
    while (!rest.empty()) registers.push_back(read_register(which, isa::trim(isa::take_until(rest, ','))));
    const unsigned expected = layout(which).registers();
    if (registers.size() != expected)
      source_.fail(operand, "this fragment takes " + std::to_string(expected) + " registers, found " + std::to_string(registers.size()));
  }

  unsigned read_register(fragment which, std::string_view text) const {
    const isa::register_name name = isa::parse_register_name(text, source_);
    const bool is_zero = name.index == isa::zero_register;
    if (name.file != isa::register_file::vector || (is_zero && which != fragment::c) ||
        (is_zero && result_.action != wmma_action::multiply))
      source_.fail(text, "expected a vector register, R0 to R254, found " + quoted(text));
    if (!is_zero && name.index >= header_.registers)
      source_.fail(text, "the kernel has " + std::to_string(header_.registers) + " registers; " + quoted(text) + " is none of them");
    return name.index;
  }

  void read_location(std::string_view address) {
    matrix_location& matrix = result_.matrix;
    std::string_view rest = inside(address, '[', ']', "an address such as [0x10000]");
    for (const bool is_first : {true, false}) {
      const std::string_view term = isa::trim(isa::take_until(rest, '+'));
      if (!is_first && term.empty()) break;
      const auto value = parse_number(term);
      if (!value) source_.fail(term, "the address is a number, such as [0x10000] or [0x10000+512], found " + quoted(term));
      if (*value >= trace::address_limit / 2) source_.fail(term, "the address is beyond what a GPU addresses");
      matrix.address += *value;
    }
    matrix.stride = default_stride();
    if (operands_.size() == 3) {
      const auto stride = parse_number(operands_[2]);
      if (!stride || *stride > max_stride) source_.fail(operands_[2], "the stride is a number of elements, found " + quoted(operands_[2]));
      matrix.stride = *stride;
    }
    check_alignment(address);
  }

  /// Without a stride the rows, or columns, follow each other (PTX ISA, wmma.load).
  unsigned default_stride() const {
    const isa::fragment_layout shape = layout(result_.which);
    return result_.matrix.by_columns ? shape.rows() : shape.columns();
  }

  /// Every row or column starts at a multiple of the fragment's size in bytes (PTX ISA, "Matrix storage" of wmma).
  void check_alignment(std::string_view address) const {
    const unsigned bytes = 4 * layout(result_.which).registers();
    if (result_.matrix.address % bytes != 0) {
      source_.fail(address, "the address must be a multiple of " + std::to_string(bytes) + ", the bytes of the fragment in a lane");
    }
    const unsigned element_bits = bits(isa::type_of(result_.mma, result_.which));
    if (result_.matrix.stride * element_bits % (8 * bytes) != 0) {
      const std::string_view text = operands_.size() == 3 ? operands_[2] : address;
      source_.fail(text, "the stride must be a multiple of " + std::to_string(8 * bytes / element_bits) +
                             " elements: rows or columns start at multiples of " + std::to_string(bytes) + " bytes");
    }
  }

  static constexpr std::uint64_t max_stride = std::uint64_t{1} << 32;

  wmma_instruction& result_;
  std::string_view text_;
  std::vector<std::string_view> operands_;
  const trace::kernel_header& header_;
  const isa::source_text& source_;
};

/// Takes the text up to `end` off the front, and the blanks behind it.
std::string_view take_prefix(std::string_view& rest, char end) {
  const std::string_view taken = rest.substr(0, std::min(rest.size(), rest.find(end) + 1));
  rest.remove_prefix(taken.size());
  rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(" \t")));
  return taken;
}

}  // namespace

bool is_wmma_opcode(std::string_view opcode) { return opcode.substr(0, prefix.size()) == prefix; }

wmma_instruction parse_wmma(std::string_view code, const trace::kernel_header& header) {
  const isa::source_text source(code, 1);
  std::string_view rest = code, control, guard;
  if (rest.substr(0, 1) == "[") control = take_prefix(rest, ']');
  if (rest.substr(0, 1) == "@") guard = take_prefix(rest, ' ');
  const std::string_view opcode = rest.substr(0, rest.find_first_of(" \t"));
  wmma_instruction result = parse_wmma_name({opcode, static_cast<unsigned>(opcode.data() - code.data()) + 1}, header.arch);
  const std::string_view operands = isa::trim(rest.substr(opcode.size()));
  if (operands.empty()) source.fail(operands, "the operands are missing");
  operand_reader(result, operands, header, source).read();
  result.control = control;
  result.guard = guard;
  return result;
}

}  // namespace tc::kernels
