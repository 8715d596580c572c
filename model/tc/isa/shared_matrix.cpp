// SPDX-License-Identifier: Apache-2.0
#include "shared_matrix.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include <fmt/format.h>

namespace tc::isa {

shared_matrix::shared_matrix(const matrix_descriptor& descriptor, matrix_major major, unsigned element_bits, unsigned rows, unsigned k)
    : start_(descriptor.start),
      swizzle_(descriptor.swizzle),
      base_offset_(descriptor.base_offset),
      major_(major),
      element_bytes_(element_bits / 8),
      rows_(rows),
      k_(k),
      core_units_(swizzle_ == swizzle_mode::bytes_128_atom_32 ? 2 : 1),
      group_lines_(core_lines / core_units_) {
  if (element_bits != 8 && element_bits != 16 && element_bits != 32) {
    throw std::invalid_argument(fmt::format("elements of shared matrices have 8, 16 or 32 bits, not {}", element_bits));
  }
  const bool k_major = major == matrix_major::k;
  if (k_major && core_units_ != 1) throw std::invalid_argument("no K-major matrix is swizzled in 32 bytes (PTX ISA)");
  const unsigned lines = k_major ? rows : k, elements = k_major ? k : rows, core_elements = core_units_ * unit_bytes / element_bytes_;
  if (lines == 0 || elements == 0 || lines % group_lines_ != 0 || elements % core_elements != 0) {
    throw std::invalid_argument(fmt::format("{} rows of {} elements are no whole core matrices of {} x {}", rows, k,
                                            k_major ? group_lines_ : core_elements, k_major ? core_elements : group_lines_));
  }
  groups_ = lines / group_lines_;
  units_ = elements * element_bytes_ / unit_bytes;

  const bool swizzled = swizzle_ != swizzle_mode::none;
  line_bytes_ = isa::row_bytes(swizzle_);
  if (k_major) {
    group_bytes_ = descriptor.stride_bytes;
    units_of_row_ = swizzled ? units_ : 1;  // the leading offset is for units that are not swizzled
    row_bytes_ = descriptor.leading_bytes;
  } else {
    group_bytes_ = swizzled ? descriptor.stride_bytes : descriptor.leading_bytes;
    units_of_row_ = line_bytes_ / unit_bytes;
    row_bytes_ = swizzled ? descriptor.leading_bytes : descriptor.stride_bytes;
  }
}

std::uint32_t shared_matrix::address_of(const unit_numbers& unit) const {
  const std::uint32_t linear = start_ + unit.group * group_bytes_ + unit.line * line_bytes_ + unit.unit / units_of_row_ * row_bytes_ +
                               unit.unit % units_of_row_ * unit_bytes;
  return swizzle_address(linear, swizzle_, base_offset_);
}

std::uint32_t shared_matrix::address(matrix_place place) const {
  const bool k_major = major_ == matrix_major::k;
  const unsigned line = k_major ? place.row : place.k, byte = (k_major ? place.k : place.row) * element_bytes_;
  return address_of({line / group_lines_, line % group_lines_, byte / unit_bytes}) + byte % unit_bytes;
}

std::optional<matrix_place> shared_matrix::find(std::uint32_t address) const {
  for (unsigned core = 0; core < core_matrices(); ++core) {
    for (unsigned line = 0; line < core_lines; ++line) {
      const std::uint32_t begin = unit_address(core, line);
      if (address < begin || address >= begin + unit_bytes) continue;
      const unsigned element = (address - begin) / element_bytes_;
      matrix_place place = unit_place(core, line);
      (major_ == matrix_major::k ? place.k : place.row) += element;
      return place;
    }
  }
  return std::nullopt;
}

shared_matrix::unit_numbers shared_matrix::numbers(unsigned core, unsigned line) const {
  if (major_ == matrix_major::k) return {core / units_, line, core % units_};
  return {core % groups_, line / core_units_, core / groups_ * core_units_ + line % core_units_};
}

std::uint32_t shared_matrix::unit_address(unsigned core, unsigned line) const { return address_of(numbers(core, line)); }

matrix_place shared_matrix::unit_place(unsigned core, unsigned line) const {
  const unit_numbers unit = numbers(core, line);
  const unsigned across = unit.group * group_lines_ + unit.line, along = unit.unit * unit_bytes / element_bytes_;
  return major_ == matrix_major::k ? matrix_place{across, along} : matrix_place{along, across};
}

byte_range shared_matrix::footprint() const {
  byte_range range{unit_address(0, 0), 0};
  for (unsigned core = 0; core < core_matrices(); ++core) {
    for (unsigned line = 0; line < core_lines; ++line) {
      const std::uint32_t begin = unit_address(core, line);
      range = {std::min(range.begin, begin), std::max(range.end, begin + unit_bytes)};
    }
  }
  return range;
}

bool shared_matrix::operator==(const shared_matrix& other) const {
  const auto layout = [](const shared_matrix& m) {
    return std::tie(m.start_, m.swizzle_, m.base_offset_, m.major_, m.element_bytes_, m.rows_, m.k_, m.group_bytes_, m.row_bytes_);
  };
  return layout(*this) == layout(other);
}

shared_matrix shared_a(const wgmma_operation& operation) {
  return {operation.a, operation.a_major, bits(operation.mma.a), operation.mma.m, operation.mma.k};
}

shared_matrix shared_b(const wgmma_operation& operation) {
  return {operation.b, operation.b_major, bits(operation.mma.b), operation.mma.n, operation.mma.k};
}

}  // namespace tc::isa
