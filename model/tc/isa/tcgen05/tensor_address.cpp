// SPDX-License-Identifier: Apache-2.0
#include "tensor_address.hpp"

#include <stdexcept>

#include <fmt/format.h>

namespace tc::isa {
namespace {

constexpr tensor_address split(std::uint32_t bits) { return {bits >> 16, bits & 0xffff}; }

}  // namespace

std::string column_range_mistake(column_range range, std::string_view what) {
  if (fits(range)) return {};
  return fmt::format("columns {} to {} of {} are not all below {}", range.first, range.first + range.count - 1, what, tensor_columns);
}

std::string tensor_address_mistake(std::uint32_t bits) {
  const tensor_address address = split(bits);
  if (address.lane >= tensor_lanes) {
    return fmt::format("the lane of the tensor memory address {:#x} (bits 16 to 31) must be below {}, not {}", bits, tensor_lanes,
                       address.lane);
  }
  if (address.column >= tensor_columns) {
    return fmt::format("the column of the tensor memory address {:#x} (bits 0 to 15) must be below {}, not {}", bits, tensor_columns,
                       address.column);
  }
  return {};
}

tensor_address decode_tensor_address(std::uint32_t bits) {
  if (const std::string mistake = tensor_address_mistake(bits); !mistake.empty()) throw std::invalid_argument(mistake);
  return split(bits);
}

}  // namespace tc::isa
