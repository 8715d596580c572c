// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tc/isa/tcgen05/tensor_address.hpp>

namespace tc::isa {

/// Shapes in which a warp moves data between tensor memory and registers: lanes and bits of a lane (PTX ISA, tcgen05.ld and tcgen05.st).
enum class tensor_access_shape : std::uint8_t {
  lanes32_bits32,    ///< .32x32b: a thread has a lane
  lanes16_bits64,    ///< .16x64b
  lanes16_bits128,   ///< .16x128b
  lanes16_bits256,   ///< .16x256b
  lanes16_bits32x2,  ///< .16x32bx2: both halves of the warp access the same 16 lanes, each half its own columns
};

/// As PTX spells it, "32x32b".
std::string_view name(tensor_access_shape shape);

/// The shape that PTX spells so, nothing if there is none.
std::optional<tensor_access_shape> find_tensor_access_shape(std::string_view text);

/// Lanes that a warp accesses: 32 or 16.
unsigned lanes(tensor_access_shape shape);

/// The largest repetition: 128, 64 for .16x128b, 32 for .16x256b. The repetitions are its power-of-two divisors.
unsigned max_repeat(tensor_access_shape shape);

/// Registers that a thread gives or gets. Throws std::invalid_argument if the shape has no such repetition.
unsigned registers_per_thread(tensor_access_shape shape, unsigned repeat);

/// A warp's access to tensor memory with tcgen05.ld or tcgen05.st.
struct tensor_access {
  tensor_access_shape shape = tensor_access_shape::lanes32_bits32;
  unsigned repeat = 1;       ///< x1 to x128
  bool packed = false;       ///< .pack::16b, .unpack::16b: a register holds the low halves of two neighbouring cells
  tensor_address address{};  ///< its lane is the first one accessed
  unsigned half_offset = 0;  ///< columns from those of the first half of the warp to those of the second; .16x32bx2 only
};

/// The cells that a register of a thread stands for.
struct register_cells {
  tensor_address low{};                ///< the only one, or that of the register's low half
  std::optional<tensor_address> high;  ///< that of the upper half, if the access is packed
};

/// Cells of a register. The maps are those of CuTe's copy traits, which tagged data confirmed on a B200 (public SASS documentation
/// project). `thread` is below 32, `reg` below registers_per_thread(); they are not judged.
register_cells cells_of(const tensor_access& access, unsigned thread, unsigned reg);

/// Columns that a warp accesses: one range, of .16x32bx2 one for each half of the warp.
std::vector<column_range> columns(const tensor_access& access);

/// Why an access of warp `warp` of a CTA is none, empty if it is one: no such repetition, a lane that is not the warp's or not the first
/// of 32 or 16, columns beyond the end of tensor memory, a half offset where the shape has no halves.
std::string tensor_access_mistake(const tensor_access& access, unsigned warp);

}  // namespace tc::isa
