// SPDX-License-Identifier: Apache-2.0
#include "memory_access.hpp"

#include <fmt/format.h>

namespace tc::trace {
namespace {

constexpr std::uint8_t matrix_row_bytes = 16;  // 8 elements of 16 bits (PTX ISA, ldmatrix)
constexpr unsigned matrix_rows = 8;

bool has_rows(isa::memory_action action) { return action == isa::memory_action::load_matrix || action == isa::memory_action::store_matrix; }

}  // namespace

memory_access access_of(const isa::instruction& instruction) {
  memory_access access;
  const isa::memory_use use = isa::info(instruction.op).memory;
  if (use.space == isa::memory_space::constant) return access;  // its operand says where
  access.space = use.space;
  if (has_rows(use.action)) {
    const unsigned rows = matrix_rows * instruction.mods.matrices;
    access.bytes = matrix_row_bytes;
    access.every_lane = true;
    access.used = rows >= warp_lanes ? all_lanes : (lane_mask{1} << rows) - 1;
  } else if (access.space != isa::memory_space::none) {
    access.bytes = instruction.mods.access_bits / 8;
  }
  return access;
}

void check_addresses(const memory_access& access, const address_list& addresses, const kernel_header& header, const text_cursor& in,
                     std::size_t position) {
  const bool shared = access.space == isa::memory_space::shared;
  const std::uint64_t first = isa::info(header.arch).reserved_shared_bytes;
  for_each_lane(addresses.lanes() & access.used, [&](unsigned lane) {
    const std::uint64_t address = addresses[lane];
    if ((address & (access.bytes - 1U)) != 0)
      in.fail_at(position, fmt::format("the address {:#x} of lane {} must be a multiple of {}", address, lane, access.bytes));
    if (shared && (address < first || address + access.bytes > header.shared_bytes))
      in.fail_at(position, fmt::format("lane {} accesses {} bytes at {:#x} of shared memory; the kernel's window is {:#x} up to {:#x}",
                                       lane, access.bytes, address, first, header.shared_bytes));
  });
}

}  // namespace tc::trace
