// SPDX-License-Identifier: Apache-2.0
#include "warp_access.hpp"

#include <fmt/format.h>

namespace tc::tensor_programs {

namespace {

constexpr std::array<const char*, 5> names{"32x32b", "16x64b", "16x128b", "16x256b", "16x32bx2"};
constexpr unsigned half_bits = 16, half_mask = 0xffff;

/// The cell of a register, relative to the address, where nothing is packed and .16x32bx2 has no offset.
cell place(access_shape shape, unsigned thread, unsigned number) {
  const unsigned quad = thread / 4, in_quad = thread % 4;
  switch (shape) {
    case access_shape::of_32x32b:
      return {thread, number};
    case access_shape::of_16x64b:
      return {quad + 8 * (in_quad % 2), in_quad / 2 + 2 * number};
    case access_shape::of_16x128b:
      return {quad + 8 * (number % 2), in_quad + 4 * (number / 2)};
    case access_shape::of_16x256b:
      return {quad + 8 * (number / 2 % 2), 2 * in_quad + number % 2 + 8 * (number / 4)};
    case access_shape::of_16x32bx2:
      break;
  }
  return {thread % 16, number};
}

/// The cell of a register, or the one of its low half; that of its high half is in the next column.
cell cell_of(const warp_access& access, unsigned thread, unsigned number) {
  const cell relative = place(access.shape, thread, number);
  const unsigned offset = access.shape == access_shape::of_16x32bx2 && thread >= warp_threads / 2 ? access.half_offset : 0;
  return {access.first.lane + relative.lane, access.first.column + offset + relative.column * (access.is_packed ? 2 : 1)};
}

cell next_column(cell at) { return {at.lane, at.column + 1}; }

}  // namespace

unsigned warp_access::registers() const {
  return shape == access_shape::of_16x256b ? 4 * repeat : shape == access_shape::of_16x128b ? 2 * repeat : repeat;
}

unsigned warp_access::width() const {
  return cell_of({is_load, shape, repeat, is_packed, {}, 0}, warp_threads - 1, registers() - 1).column + (is_packed ? 2 : 1);
}

footprint warp_access::touched() const {
  footprint result;
  cell_set& cells = is_load ? result.reads : result.writes;
  for (unsigned number = 0; number < registers(); ++number) {
    for (unsigned thread = 0; thread < warp_threads; ++thread) {
      const cell at = cell_of(*this, thread, number);
      cells.set(index_of(at));
      if (is_packed) cells.set(index_of(next_column(at)));
    }
  }
  return result;
}

std::string warp_access::text(unsigned first_register) const {
  const std::string offset = shape == access_shape::of_16x32bx2 ? fmt::format(", {}", half_offset) : "";
  const std::string address = fmt::format("[{:#x}]{}", address_of(first), offset), list = register_list(first_register, registers());
  return fmt::format("tcgen05.{}.sync.aligned.{}.x{}{}.b32 {}, {}", is_load ? "ld" : "st", names.at(static_cast<std::size_t>(shape)),
                     repeat,
                     !is_packed ? ""
                     : is_load  ? ".pack::16b"
                                : ".unpack::16b",
                     is_load ? list : address, is_load ? address : list);
}

warp_registers load(const warp_access& access, const tensor_arrays& arrays) {
  warp_registers registers(access.registers());
  for (unsigned number = 0; number < registers.size(); ++number) {
    for (unsigned thread = 0; thread < warp_threads; ++thread) {
      const cell at = cell_of(access, thread, number);
      const std::uint32_t word = arrays.at(at);
      registers[number].at(thread) = access.is_packed ? (word & half_mask) | arrays.at(next_column(at)) << half_bits : word;
    }
  }
  return registers;
}

/// The upper half of a cell that gets 16 bits is zero, as far as anybody knows.
void store(const warp_access& access, const warp_registers& registers, tensor_arrays& arrays) {
  for (unsigned number = 0; number < registers.size(); ++number) {
    for (unsigned thread = 0; thread < warp_threads; ++thread) {
      const cell at = cell_of(access, thread, number);
      const std::uint32_t word = registers[number].at(thread);
      arrays.at(at) = access.is_packed ? word & half_mask : word;
      if (access.is_packed) arrays.at(next_column(at)) = word >> half_bits;
    }
  }
}

std::string register_list(unsigned first, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i) text += fmt::format("{}R{}", i == 0 ? "" : ", ", first + i);
  return text + '}';
}

}  // namespace tc::tensor_programs
