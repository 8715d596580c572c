// SPDX-License-Identifier: Apache-2.0
#include "sparsity_layout.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <fmt/format.h>

namespace tc::isa {
namespace {

constexpr unsigned code_bits = 4, metadata_rows = 128;

// PTX ISA, "Sparse matrices": the codes that there are. Those of groups of two tell which element is stored; the others have two bits for
// each of the stored elements, or pairs of them, the first one's lower.
constexpr std::array<unsigned, 2> pair_codes{0b0100, 0b1110};
constexpr std::array<unsigned, 7> group_codes{0b0100, 0b1000, 0b1100, 0b1001, 0b1101, 0b0110, 0b1110};

template <class Codes>
bool contains(const Codes& codes, unsigned code) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

void check(const mma_form& form, const instruction_descriptor& descriptor) {
  if (!form.sparse) throw std::invalid_argument("a matrix that is not sparse has no metadata");
  if (descriptor.m != metadata_rows * ctas(form.group)) {
    throw std::invalid_argument(fmt::format("where the metadata of M = {} and {} lies is not published, only that of {} rows in each CTA",
                                            descriptor.m, form.group == cta_group::one ? "one CTA" : "two CTAs", metadata_rows));
  }
  if (descriptor.sparsity_selector != 0) {
    throw std::invalid_argument(
        fmt::format("where the metadata lies that sparsity selector {} selects is not published", descriptor.sparsity_selector));
  }
}

}  // namespace

unsigned sparsity_group(mma_kind kind) {
  if (kind == mma_kind::tf32) return 2;
  return kind == mma_kind::mxf4 || kind == mma_kind::mxf4nvf4 ? 8 : 4;
}

std::vector<unsigned> stored_elements(mma_kind kind, unsigned code) {
  const unsigned group = sparsity_group(kind);
  if (group == 2 ? !contains(pair_codes, code) : !contains(group_codes, code)) {
    throw std::invalid_argument(fmt::format("{:#06b} is no sparsity code of .kind::{}", code, name(kind)));
  }
  if (group == 2) return {code == pair_codes.front() ? 0U : 1U};
  const unsigned first = code & 3, second = code >> 2;
  if (group == 4) return {first, second};
  return {2 * first, 2 * first + 1, 2 * second, 2 * second + 1};
}

sparsity_layout::sparsity_layout(const mma_form& form, const instruction_descriptor& descriptor, tensor_address address)
    : address_(address), groups_(mma_k(form) / sparsity_group(form.kind)), columns_(groups_ * code_bits / tensor_cell_bits) {
  check(form, descriptor);
  if (address.lane != 0) throw std::invalid_argument(fmt::format("the lane of sparsity metadata must be 0, not {}", address.lane));
  if (const std::string mistake = column_range_mistake(tensor_range(), "sparsity metadata"); !mistake.empty()) {
    throw std::invalid_argument(mistake);
  }
}

sparsity_code_place sparsity_layout::code(unsigned row, unsigned group) const {
  const unsigned bit = group * code_bits;
  if (!shares_cells()) return {{row, address_.column + bit / tensor_cell_bits}, bit % tensor_cell_bits};
  constexpr unsigned half_cell = tensor_cell_bits / 2;
  const unsigned half = bit / half_cell;  // of K
  return {{row % 8 + 8 * half + 16 * (row / 16), address_.column}, bit % half_cell + half_cell * (row / 8 % 2)};
}

}  // namespace tc::isa
