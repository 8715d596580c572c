#include <fmt/format.h>

#include <tc/trace/limits.hpp>
#include <tc/trace/memory_access.hpp>

namespace tc::trace {
namespace {

constexpr std::uint8_t matrix_row_bytes = 16;  // 8 elements of 16 bits (PTX ISA, ldmatrix)
constexpr unsigned matrix_rows = 8;

memory_space space_of(isa::opcode op) {
  switch (op) {
    case isa::opcode::ldg:
    case isa::opcode::stg:
    case isa::opcode::atomg:
    case isa::opcode::red:
    case isa::opcode::ldgsts:
      return memory_space::global;
    case isa::opcode::lds:
    case isa::opcode::sts:
    case isa::opcode::atoms:
    case isa::opcode::ldsm:
    case isa::opcode::stsm:
      return memory_space::shared;
    case isa::opcode::ldl:
    case isa::opcode::stl:
      return memory_space::local;
    case isa::opcode::ld:
    case isa::opcode::st:
    case isa::opcode::atom:
      return memory_space::generic;
    default:
      return memory_space::none;
  }
}

}  // namespace

memory_access access_of(const isa::instruction& instruction) {
  memory_access access;
  access.space = space_of(instruction.op);
  if (instruction.op == isa::opcode::ldsm || instruction.op == isa::opcode::stsm) {
    const unsigned rows = matrix_rows * instruction.mods.matrices;
    access.bytes = matrix_row_bytes;
    access.every_lane = true;
    access.used = rows >= warp_lanes ? all_lanes : (lane_mask{1} << rows) - 1;
  } else if (access.space != memory_space::none) {
    access.bytes = instruction.mods.access_bits / 8;
  }
  return access;
}

void check_addresses(const memory_access& access, const address_list& addresses, const kernel_header& header, const text_cursor& in,
                     std::size_t position) {
  const bool shared = access.space == memory_space::shared;
  const std::uint64_t first = header.arch == isa::architecture::sm_90 ? system_shared_bytes : 0;
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
