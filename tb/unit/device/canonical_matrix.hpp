// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tc::device::test::tensor {

/// Where a matrix in shared memory has its elements, written from the tables of the PTX ISA ("Canonical Layouts", "Swizzling modes",
/// "Shared memory descriptor") and CuTe's Swizzle<B, M, S>, without the model's own functions.
struct canonical_matrix {
  std::uint32_t start, leading, stride;
  unsigned swizzle = 0;  ///< code: 0 none, 1 128 bytes with atoms of 32 bytes, 2 128 bytes, 4 64 bytes, 6 32 bytes
  bool along_rows = false;
  std::uint32_t pattern = 0;  ///< where the pattern of the swizzle begins, modulo 1024

  constexpr std::uint64_t descriptor() const {
    return start >> 4 | std::uint64_t{leading >> 4} << 16 | std::uint64_t{stride >> 4} << 32 | std::uint64_t{1} << 46 |
           std::uint64_t{pattern >> 7 & 7} << 49 | std::uint64_t{swizzle} << 61;
  }

  /// Of byte `byte` of an element of `bytes` bytes.
  constexpr std::uint32_t address(unsigned row, unsigned k, unsigned bytes, unsigned byte = 0) const {
    const unsigned line = along_rows ? k : row, along = (along_rows ? row : k) * bytes + byte, unit = along / 16;
    const unsigned lines = swizzle == 1 ? 4 : 8;
    std::uint32_t offset = along % 16 + line % lines * line_bytes();
    if (swizzle == 0) {
      offset += along_rows ? unit * stride + line / 8 * leading : unit * leading + line / 8 * stride;
    } else if (along_rows) {
      offset += unit % (line_bytes() / 16) * 16 + unit / (line_bytes() / 16) * leading + line / lines * stride;
    } else {
      offset += unit * 16 + line / lines * stride;
    }
    return pattern + swizzled(start - pattern + offset);
  }

  /// Addresses whose pattern begins at a multiple of 1024.
  constexpr std::uint32_t swizzled(std::uint32_t address) const {
    switch (swizzle) {
      case 1:
        return address ^ (address >> 7 & 3) << 5;
      case 2:
        return address ^ (address >> 7 & 7) << 4;
      case 4:
        return address ^ (address >> 7 & 3) << 4;
      case 6:
        return address ^ (address >> 7 & 1) << 4;
      default:
        return address;
    }
  }

 private:
  constexpr unsigned line_bytes() const { return swizzle == 0 ? 16 : swizzle == 6 ? 32 : swizzle == 4 ? 64 : 128; }
};

static_assert(canonical_matrix{0x4000, 16, 1024, 2}.descriptor() == 0x4000404000010400);
static_assert(canonical_matrix{0x4020, 16, 1024, 2}.descriptor() == 0x4000404000010402);
static_assert(canonical_matrix{0x400, 256, 128}.descriptor() == 0x0000400800100040);
static_assert(canonical_matrix{0x8000, 16, 512, 4}.descriptor() == 0x8000402000010800);
static_assert(canonical_matrix{0x8000, 16, 256, 6}.descriptor() == 0xC000401000010800);
static_assert(canonical_matrix{0x1000, 16, 128}.descriptor() == 0x0000400800010100);
static_assert((canonical_matrix{0x1180, 16, 1024, 2, false, 0x1180}.descriptor() >> 49 & 7) == 3);
static_assert(canonical_matrix{0, 0, 0, 2}.swizzled(464) == 480 && canonical_matrix{0, 0, 0, 2}.swizzled(896) == 1008 &&
              canonical_matrix{0, 0, 0, 2}.swizzled(1008) == 896);
static_assert(canonical_matrix{0, 0, 0, 4}.swizzled(336) == 368 && canonical_matrix{0, 0, 0, 6}.swizzled(176) == 160);
static_assert(canonical_matrix{0, 0, 0, 1}.swizzled(416) == 448 && canonical_matrix{0, 0, 0, 1}.swizzled(640) == 672);

}  // namespace tc::device::test::tensor
