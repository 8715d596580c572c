// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include <tc/execution/sparse_product.hpp>
#include <tc/isa/instruction_parser.hpp>
#include <tc/isa/number_text.hpp>
#include <tc/isa/source_text.hpp>

namespace tc::execution {

namespace {

using isa::element_type;

/// A sparse product, and the instruction of the same registers of D, A and C whose product is not sparse.
struct sparse_shape {
  std::string_view sparse, dense;
  unsigned k;
  bool of_bytes, of_tf32;
};

/// As the mnemonic spells them (PTX ISA, mma.sp; ptxas for each architecture). Four-bit integers are in the rows behind.
constexpr sparse_shape sparse_shapes[] = {
    {"HMMA.SP.16816.", "HMMA.1688.", 16, false, false},  {"HMMA.SP.16832.", "HMMA.16816.", 32, false, false},
    {"HMMA.SP.1688.", "HMMA.1684.", 8, false, true},     {"HMMA.SP.16816.", "HMMA.1688.", 16, false, true},
    {"IMMA.SP.16832.", "IMMA.16816.", 32, true, false},  {"IMMA.SP.16864.", "IMMA.16832.", 64, true, false},
    {"IMMA.SP.16864.", "IMMA.16832.", 64, false, false}, {"IMMA.SP.168128.", "IMMA.16864.", 128, false, false},
    {"QMMA.SP.16864.", "QMMA.16832.", 64, true, false},
};

bool is_of(const sparse_shape& shape, std::string_view opcode) {
  if (opcode.substr(0, shape.sparse.size()) != shape.sparse) return false;
  const std::string_view types = opcode.substr(shape.sparse.size());
  const bool of_tf32 = types.find("TF32") != std::string_view::npos;
  if (shape.sparse.front() == 'H') return of_tf32 == shape.of_tf32;
  return shape.sparse.front() == 'Q' || (types.substr(1, 1) == "8") == shape.of_bytes;
}

std::string_view trimmed_operand(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : text.substr(first, last - first + 1);
}

/// Takes the last operand off a list.
std::string_view take_last(std::string_view& operands) {
  const std::size_t comma = operands.rfind(',');
  if (comma == std::string_view::npos) throw std::invalid_argument("an operand is missing");
  const std::string_view last = trimmed_operand(operands.substr(comma + 1));
  operands = operands.substr(0, comma);
  return last;
}

/// The number of the first register of an operand such as "R8.COL".
std::uint8_t first_register(std::string_view operand, unsigned count) {
  const std::string_view name = operand.substr(0, operand.find('.'));
  const isa::instruction move = isa::parse_operation(fmt::format("MOV R0, {}", name), isa::architecture::sm_80);
  const isa::operand& source = move.sources[0];
  if (!source.is_register(isa::register_file::vector)) throw std::invalid_argument(fmt::format("'{}' is no register", operand));
  if (source.index != isa::zero_register && source.index + count > isa::zero_register)
    throw std::invalid_argument(fmt::format("'{}' is too high: the operand takes {} registers", operand, count));
  return source.index;
}

}  // namespace

std::optional<sparse_instruction> parse_sparse(std::string_view text, isa::architecture arch) {
  if (text.empty()) return std::nullopt;
  const std::string_view guard = text.front() == '@' ? text.substr(0, text.find(' ')) : std::string_view();
  const std::string_view plain = trimmed_operand(text.substr(guard.size()));
  const std::string_view opcode = plain.substr(0, plain.find_first_of(" \t"));
  if (opcode.find("MMA.SP.") != 1) return std::nullopt;
  const auto* const shape =
      std::find_if(std::begin(sparse_shapes), std::end(sparse_shapes), [&](const auto& each) { return is_of(each, opcode); });
  if (shape == std::end(sparse_shapes)) throw std::invalid_argument(fmt::format("{} is not executed", opcode));
  std::string_view operands = plain.substr(opcode.size());
  const std::string_view selector = take_last(operands), metadata = take_last(operands), c = take_last(operands), b = take_last(operands);
  const std::string types(opcode.substr(shape->sparse.size()));
  try {
    // B has twice the registers that it has there, so that any stand for them; the parser looks at their alignment.
    sparse_instruction result{isa::parse_operation(fmt::format("{}{}{}{} {}, RZ, {}", guard, guard.empty() ? "" : " ",
                                                               std::string(shape->dense), types, std::string(operands), c),
                                                   arch),
                              {}};
    sparse_operands& own = result.operands;
    own.mma = *result.code.mma;
    own.d = result.code.destinations[0].index;
    own.a = result.code.sources[0].index;
    own.c = result.code.sources[2].index;
    own.mma.k = static_cast<std::uint16_t>(shape->k);
    own.b = first_register(b, own.mma.b_registers());
    own.metadata = first_register(metadata, 1);
    own.selector = static_cast<std::uint8_t>(isa::parse_unsigned(selector).value_or(4));
    if (own.selector > 3) throw std::invalid_argument(fmt::format("{}: the selector is 0x0 to 0x3, found '{}'", opcode, selector));
    if (own.b != isa::zero_register)
      result.code.reads.push_back({isa::register_file::vector, own.b, static_cast<std::uint8_t>(own.mma.b_registers())});
    if (own.metadata != isa::zero_register) result.code.reads.push_back({isa::register_file::vector, own.metadata, 1});
    result.code.text = plain;
    return result;
  } catch (const isa::syntax_error& error) {
    throw std::invalid_argument(fmt::format("{}: {}", opcode, error.what()));
  }
}

}  // namespace tc::execution
