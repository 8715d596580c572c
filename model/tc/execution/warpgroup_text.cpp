// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tc/execution/warpgroup_product.hpp>
#include <tc/isa/instruction_parser.hpp>
#include <tc/isa/number_text.hpp>
#include <tc/isa/source_text.hpp>

namespace tc::execution {

namespace {

using isa::element_type;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : text.substr(first, last - first + 1);
}

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.push_back(trimmed(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

[[noreturn]] void refuse_form(std::string_view opcode, std::string_view part) {
  throw std::invalid_argument(fmt::format("{}: '{}' is not executed", opcode, part));
}

/// The number of a register that is written "R24" or "UR12"; nothing for something else.
std::optional<std::uint8_t> register_number(std::string_view text, std::string_view file, unsigned end) {
  if (text == std::string(file) + "Z") return static_cast<std::uint8_t>(end);
  if (text.substr(0, file.size()) != file) return std::nullopt;
  const auto number = isa::parse_unsigned(text.substr(file.size()));
  return number && *number < end ? std::optional(static_cast<std::uint8_t>(*number)) : std::nullopt;
}

std::optional<std::uint8_t> vector_register(std::string_view text) {
  return register_number(text.substr(0, text.find('.')), "R", isa::zero_register);
}

/// The types that the suffixes of an opcode name, in their order.
struct named_type {
  std::string_view suffix;
  element_type type;
};

constexpr named_type half_types[] = {{"BF16", element_type::bf16}, {"TF32", element_type::tf32}};
constexpr named_type integer_types[] = {{"S8", element_type::s8}, {"U8", element_type::u8}};
constexpr named_type byte_types[] = {{"E4M3", element_type::e4m3}, {"E5M2", element_type::e5m2}};

/// What HGMMA, IGMMA and QGMMA multiply if their suffixes say nothing else.
struct warpgroup_opcode {
  std::string_view mnemonic;
  element_type factor, sum;
  const named_type* types;
};

constexpr warpgroup_opcode warpgroup_opcodes[] = {{"HGMMA", element_type::f16, element_type::f16, half_types},
                                                  {"IGMMA", element_type::s8, element_type::s32, integer_types},
                                                  {"QGMMA", element_type::e4m3, element_type::f16, byte_types}};

const warpgroup_opcode* find_warpgroup_opcode(std::string_view mnemonic) {
  const auto* const found = std::find_if(std::begin(warpgroup_opcodes), std::end(warpgroup_opcodes),
                                         [&](const warpgroup_opcode& each) { return each.mnemonic == mnemonic; });
  return found == std::end(warpgroup_opcodes) ? nullptr : found;
}

/// "HGMMA.64x64x16.F32.BF16", "QGMMA.64x8x32.F32.E4M3.E5M2": the shape, the type of D, and those of A and B, which are one if one is named.
isa::mma_operation shape_and_types(std::string_view opcode) {
  const std::vector<std::string_view> parts = parts_of(opcode, '.');
  const warpgroup_opcode& row = *find_warpgroup_opcode(parts.front());
  isa::mma_operation mma;
  mma.d = row.sum;
  std::vector<element_type> factors;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::vector<std::string_view> extents = parts_of(parts[i], 'x');
    const bool is_sum = row.sum == element_type::f16 && (parts[i] == "F32" || parts[i] == "F16");
    const auto* const named = std::find_if(row.types, row.types + 2, [&](const named_type& each) { return each.suffix == parts[i]; });
    if (extents.size() == 3) {
      const auto extent = [&](std::size_t e) { return static_cast<std::uint16_t>(isa::parse_unsigned(extents[e]).value_or(0)); };
      mma.m = extent(0);
      mma.n = extent(1);
      mma.k = extent(2);
    } else if (is_sum) {
      mma.d = parts[i] == "F32" ? element_type::f32 : element_type::f16;
    } else if (named != row.types + 2) {
      factors.push_back(named->type);
    } else if (row.sum == element_type::s32 && parts[i] == "SAT") {
      mma.saturate = true;
    } else {
      refuse_form(opcode, parts[i]);
    }
  }
  mma.a = factors.empty() ? row.factor : factors.front();
  mma.b = factors.empty() ? row.factor : factors.back();
  mma.c = mma.d;
  if (mma.m != 64 || mma.n == 0 || mma.n > 256 || mma.n % 8 != 0 || mma.k != 256 / isa::bits(mma.a)) refuse_form(opcode, "its shape");
  return mma;
}

void take_condition(std::string_view text, warpgroup_operands& operands, std::string_view opcode) {
  operands.has_condition = true;
  operands.condition_is_inverted = text.substr(0, 1) == "!";
  if (operands.condition_is_inverted) text.remove_prefix(1);
  const bool is_uniform = text.substr(0, 1) == "U";
  operands.condition_file = is_uniform ? isa::register_file::uniform_predicate : isa::register_file::predicate;
  const auto number = text == "UPT" || text == "PT" ? std::optional<std::uint8_t>(isa::true_predicate)
                                                    : register_number(text, is_uniform ? "UP" : "P", isa::true_predicate);
  if (!number) refuse_form(opcode, text);
  operands.condition = *number;
}

/// "gdesc[UR12].tnspB": suffixes behind it say which operands are contiguous along M or N.
void take_descriptors(std::string_view text, warpgroup_operands& operands, std::string_view opcode) {
  constexpr std::string_view begin = "gdesc[";
  const std::size_t end = text.find(']');
  if (end == std::string_view::npos) refuse_form(opcode, text);
  const auto number = register_number(text.substr(begin.size(), end - begin.size()), "UR", isa::zero_uniform_register);
  if (!number || *number + 4U > isa::zero_uniform_register) refuse_form(opcode, text);
  operands.descriptors = *number;
  for (const std::string_view suffix : parts_of(text.substr(end + 1), '.')) {
    if (suffix == "tnspA") {
      operands.matrices.a_major = isa::matrix_major::mn;
    } else if (suffix == "tnspB") {
      operands.matrices.b_major = isa::matrix_major::mn;
    } else if (!suffix.empty()) {
      refuse_form(opcode, suffix);
    }
  }
}

/// "R24, [R88,] gdesc[UR12].tnspB, R24 [, !UPT] [, gsb0]".
warpgroup_operands operands_of(std::string_view opcode, std::string_view text) {
  warpgroup_operands operands;
  operands.matrices.mma = shape_and_types(opcode);
  const std::vector<std::string_view> parts = parts_of(text, ',');
  std::vector<std::uint8_t> registers;
  bool has_descriptors = false;
  for (const std::string_view part : parts) {
    if (part.substr(0, 6) == "gdesc[") {
      operands.matrices.a_in_registers = registers.size() == 2;
      take_descriptors(part, operands, opcode);
      has_descriptors = true;
    } else if (const auto number = vector_register(part)) {
      registers.push_back(*number);
    } else if (part.substr(0, 3) == "gsb") {
      continue;  // the group that it belongs to
    } else {
      take_condition(part, operands, opcode);
    }
  }
  const std::size_t wanted = operands.matrices.a_in_registers ? 3 : 2;
  if (!has_descriptors || registers.size() != wanted) refuse_form(opcode, text);
  operands.d = registers.front();
  operands.a = operands.matrices.a_in_registers ? registers[1] : isa::zero_register;
  operands.c = registers.back();
  const unsigned accumulators = operands.matrices.mma.n * isa::bits(operands.matrices.mma.d) / 64;
  const auto reaches_too_far = [](unsigned first, unsigned count) {
    return first != isa::zero_register && first + count > isa::zero_register;
  };
  if (operands.d == isa::zero_register || reaches_too_far(operands.d, accumulators) || reaches_too_far(operands.c, accumulators) ||
      reaches_too_far(operands.a, 4))
    refuse_form(opcode, text);
  return operands;
}

/// Nothing if its guard is none: then it is no instruction at all.
std::optional<isa::instruction> companion(std::string_view text, isa::architecture arch) {
  const std::string_view guard = text.front() == '@' ? text.substr(0, text.find(' ')) : std::string_view();
  try {
    isa::instruction code = isa::parse_operation(std::string(guard) + " NOP", arch);
    code.text = trimmed(text.substr(guard.size()));
    return code;
  } catch (const isa::syntax_error&) {
    return std::nullopt;
  }
}

void name_registers(const warpgroup_operands& operands, isa::instruction& code) {
  isa::operand& destination = code.destinations[0];
  destination.what = isa::operand::kind::reg;
  destination.file = isa::register_file::vector;
  destination.index = operands.d;
  destination.count = static_cast<std::uint8_t>(operands.matrices.mma.n * isa::bits(operands.matrices.mma.d) / 64);
  code.destination_count = 1;
  if (operands.c != isa::zero_register) code.reads.push_back({isa::register_file::vector, operands.c, destination.count});
  if (operands.matrices.a_in_registers && operands.a != isa::zero_register)
    code.reads.push_back({isa::register_file::vector, operands.a, 4});
  code.reads.push_back({isa::register_file::uniform, operands.descriptors, 4});
  if (operands.has_condition && operands.condition != isa::true_predicate)
    code.reads.push_back({operands.condition_file, operands.condition, 1});
}

}  // namespace

bool is_warpgroup_opcode(std::string_view mnemonic) { return mnemonic == "WARPGROUP" || find_warpgroup_opcode(mnemonic) != nullptr; }

std::optional<warpgroup_instruction> parse_warpgroup(std::string_view text, isa::architecture arch) {
  if (text.empty()) return std::nullopt;
  std::optional<isa::instruction> code = companion(text, arch);
  if (!code) return std::nullopt;
  warpgroup_instruction result{*std::move(code), std::nullopt};
  const std::string_view plain = result.code.text, opcode = plain.substr(0, plain.find_first_of(" \t"));
  const std::string_view mnemonic = opcode.substr(0, opcode.find('.'));
  if (!is_warpgroup_opcode(mnemonic)) return std::nullopt;
  if (find_warpgroup_opcode(mnemonic) == nullptr) return result;
  result.operation = operands_of(opcode, plain.substr(opcode.size()));
  name_registers(*result.operation, result.code);
  return result;
}

}  // namespace tc::execution
