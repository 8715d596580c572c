// SPDX-License-Identifier: Apache-2.0
#include "tensor_copy_parser.hpp"

#include <limits>
#include <string>

#include <fmt/format.h>

#include <tc/isa/ptx_operand_list.hpp>
#include <tc/isa/tcgen05/tcgen05_qualifiers.hpp>

namespace tc::isa {
namespace {

using sort = tcgen05_qualifier;

/// .b8x16.b4x16_p64 or .b8x16.b6x16_p32: the format of the destination, then that of the source.
tensor_copy_decompression read_decompression(const tcgen05_qualifiers& qualifiers, const source_text& source) {
  const std::string_view to = qualifiers[sort::unpacked_format], from = qualifiers[sort::packed_format];
  if (to.empty() && from.empty()) return tensor_copy_decompression::none;
  if (from.empty()) source.fail(to, fmt::format(".{} needs the format of the source behind it: .b4x16_p64 or .b6x16_p32", to));
  if (to.empty()) source.fail(from, fmt::format(".{} needs the format of the destination before it: .{}", from, decompressed_format));
  if (from.data() < to.data()) source.fail(from, fmt::format(".{} comes behind .{}", from, to));
  return find_tensor_copy_decompression(from).value();
}

}  // namespace

tensor_copy_operation parse_tensor_copy(ptx_statement& statement) {
  const source_text& source = statement.source;
  const tcgen05_qualifiers qualifiers(statement, info(statement.op).mnemonic, {sort::cta_group, sort::copy_shape},
                                      {sort::copy_multicast, sort::unpacked_format, sort::packed_format});
  const std::string_view shape = qualifiers[sort::copy_shape], multicast = qualifiers[sort::copy_multicast];
  tensor_copy_operation result;
  result.group = qualifiers.group();
  result.shape = find_tensor_copy_shape(shape).value();
  if (!multicast.empty()) result.multicast = find_tensor_copy_multicast(multicast).value();
  if (const std::string mistake = tensor_copy_mistake(result.shape, result.multicast); !mistake.empty()) {
    source.fail(multicast.empty() ? shape : multicast, mistake);
  }
  result.decompression = read_decompression(qualifiers, source);
  ptx_operand_list operands(statement.operands, "tcgen05.cp.cta_group::1.shape [address], descriptor", source);
  result.address = operands.tensor_address("the address in tensor memory");
  result.descriptor = operands.number("the matrix descriptor", 0, std::numeric_limits<std::uint64_t>::max());
  operands.finish();
  return result;
}

tensor_shift_operation parse_tensor_shift(ptx_statement& statement) {
  const tcgen05_qualifiers qualifiers(statement, info(statement.op).mnemonic, {sort::cta_group, sort::direction});
  tensor_shift_operation result{qualifiers.group()};
  ptx_operand_list operands(statement.operands, "tcgen05.shift.cta_group::1.down [address]", statement.source);
  result.address = operands.tensor_address("the address in tensor memory");
  operands.finish();
  return result;
}

}  // namespace tc::isa
