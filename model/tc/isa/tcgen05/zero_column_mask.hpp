// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tc::isa {

/// zero-column-mask-desc of tcgen05.mma.ws: columns of B that count as zero, and by how many columns B is shifted (PTX ISA, "Zero-column
/// mask descriptor"). The columns of B are cut into parts, one for M = 128, two for 64, four for 32, and each part has its mask: runs of
/// zeros and ones by turns, less the first ones of them. Where the ISA's table names the lengths of the runs the other way round, its
/// examples and CUTLASS decide.
struct zero_column_mask {
  static constexpr unsigned parts = 4;

  std::array<std::uint8_t, parts> start_counts{};  ///< columns of the first runs that the mask of a part leaves out
  std::array<bool, parts> first_spans{};           ///< whether the first run of a part is of columns that are zero
  bool any = false;                                ///< false: no column is zero, whatever the rest says
  std::uint8_t skip_span = 0;                      ///< columns less 1 of a run of zero columns
  std::uint8_t use_span = 0;                       ///< columns less 1 of a run of other columns
  std::uint8_t column_shift = 0;                   ///< columns s to s + N - 1 of B are used; at most 16 for M = 32, otherwise 32
};

/// Why 64 bits are no such descriptor of an instruction with so many rows of D, empty if they are.
std::string zero_column_mask_mistake(std::uint64_t bits, unsigned m);

/// The fields of a descriptor. Throws std::invalid_argument with zero_column_mask_mistake().
zero_column_mask decode_zero_column_mask(std::uint64_t bits, unsigned m);

/// The bits of a descriptor. Throws std::invalid_argument if they are no descriptor of an instruction with M rows.
std::uint64_t encode(const zero_column_mask& mask, unsigned m);

/// Which of the N columns of B that an instruction uses count as zero. M is 32, 64 or 128.
std::vector<bool> zero_columns(const zero_column_mask& mask, unsigned m, unsigned n);

}  // namespace tc::isa
