// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tensor_arrays.hpp"

namespace tc::tensor_programs {

enum class access_shape : std::uint8_t { of_32x32b, of_16x64b, of_16x128b, of_16x256b, of_16x32bx2 };

/// Registers of a warp: of each register, those of 32 threads.
using warp_registers = std::vector<std::array<std::uint32_t, 32>>;

/// tcgen05.ld or tcgen05.st as the PTX ISA describes them; the cells of the shapes as CuTe's copy traits have them.
struct warp_access {
  bool is_load = true;
  access_shape shape = access_shape::of_32x32b;
  unsigned repeat = 1;
  bool is_packed = false;    ///< .pack::16b of a load, .unpack::16b of a store
  cell first{};              ///< of the address
  unsigned half_offset = 0;  ///< of .16x32bx2: columns from the first half of the threads to the second

  unsigned registers() const;
  /// Columns from the first to the last cell of a thread, without half_offset.
  unsigned width() const;
  footprint touched() const;
  std::string text(unsigned first_register) const;
};

warp_registers load(const warp_access& access, const tensor_arrays& arrays);
void store(const warp_access& access, const warp_registers& registers, tensor_arrays& arrays);

/// "{R8, R9, R10}".
std::string register_list(unsigned first, unsigned count);

}  // namespace tc::tensor_programs
