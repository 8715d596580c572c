// SPDX-License-Identifier: Apache-2.0
#include "register_mma.hpp"

#include <array>

#include <tc/isa/instruction_parser.hpp>
#include <tc/isa/mnemonic.hpp>
#include <tc/isa/ptx_mma_name.hpp>
#include <tc/isa/wmma_layout.hpp>

namespace tc::isa {
namespace {

constexpr std::array all_fragments{fragment::a, fragment::b, fragment::c, fragment::d};

/// Whether a text names an instruction of the hardware: mnemonics are upper case, PTX is lower case.
bool is_mnemonic(std::string_view text) { return !text.empty() && (('A' <= text.front() && text.front() <= 'Z') || text.front() == '@'); }

mma_operation read_instruction(std::string_view text, architecture arch, unsigned column, const matrix_shape_table& shapes) {
  const source_text source(text, column);
  const std::string_view opcode_text = text.substr(0, text.find_first_of(" \t"));
  const bool has_operands = opcode_text.size() != text.size();
  std::optional<mma_operation> mma =
      has_operands ? parse_operation(text, arch, column, shapes).mma : parse_mnemonic(opcode_text, arch, source, shapes).mma;
  if (!mma) source.fail(opcode_text, quoted(opcode_text) + " multiplies no matrices; HMMA, IMMA, BMMA, DMMA and QMMA do");
  if (!has_operands) mma->b_column = true;
  return *mma;
}

/// Every shape that PTX has has a layout.
fragment_layout layout_of(const ptx_mma& operation, fragment which, architecture arch) {
  if (operation.instruction == ptx_instruction::wmma) return wmma_layout(operation.mma, which, arch).value();
  return fragment_layout(operation.mma, which);
}

/// "wmma.m16n16k16.f16.f32", "mma.sync.m8n8k128.s32.b1.b1.s32.xor.popc".
std::string short_name(const ptx_shape& shape, element_type multiplicand, element_type accumulator) {
  const std::string a = "." + std::string(name(multiplicand)), d = "." + std::string(name(accumulator));
  const std::string combine = shape.combine == bit_operation::none           ? ""
                              : shape.combine == bit_operation::exclusive_or ? ".xor.popc"
                                                                             : ".and.popc";
  return std::string(name(shape.instruction)) + "." + shape_name(shape.m, shape.n, shape.k) +
         (shape.instruction == ptx_instruction::wmma ? a + d : d + a + a + d) + combine;
}

register_mma read_ptx(std::string_view text, architecture arch, unsigned column) {
  const source_text source(text, column);
  const ptx_mma operation = parse_ptx_mma(arch, source);
  register_mma result{name(operation), operation.mma, {}};
  result.inferred = operation.instruction == ptx_instruction::wmma && is_inferred_wmma_layout(operation.mma, arch);
  for (const fragment which : all_fragments) result.layouts.push_back(layout_of(operation, which, arch));
  return result;
}

}  // namespace

register_mma parse_register_mma(std::string_view text, architecture arch, unsigned column, const matrix_shape_table& shapes) {
  const std::string_view trimmed = trim(text);
  const unsigned first_column = column + static_cast<unsigned>(trimmed.data() - text.data());
  if (!is_mnemonic(trimmed)) return read_ptx(trimmed, arch, first_column);
  register_mma result{std::string(trimmed), read_instruction(trimmed, arch, first_column, shapes), {}};
  for (const fragment which : all_fragments) result.layouts.emplace_back(result.mma, which);
  return result;
}

std::vector<std::string> register_mma_names(architecture arch) {
  std::vector<std::string> names;
  for (const ptx_shape& shape : ptx_shapes()) {
    if (!shape.architectures.contains(arch)) continue;
    for (const element_type multiplicand : shape.multiplicands) {
      for (const element_type accumulator : shape.accumulators) names.push_back(short_name(shape, multiplicand, accumulator));
    }
  }
  return names;
}

}  // namespace tc::isa
