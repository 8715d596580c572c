// SPDX-License-Identifier: Apache-2.0
#include "integer_matrices.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace tc::engine::test {

using kind = isa::mma_kind;

integer_matrices::integer_matrices(const isa::tensor_mma_operation& operation, const typed_kind& types, unsigned seed)
    : bench_(operation), operation_(operation), types_(types), random_(seed), k_(bench_.plan().k()) {
  put_a();
  put_b();
  if (operation.form.scales != isa::scale_vector::none) put_scales();
  for (unsigned row = 0; row < m(); ++row) {
    for (unsigned column = 0; column < n(); ++column) bench_.set_c(row, column, bits_of(c(row, column), types.d));
  }
}

void integer_matrices::expect_product() const {
  for (unsigned row = 0; row < m(); ++row) {
    for (unsigned column = 0; column < n(); ++column) {
      const isa::tensor_cell place = bench_.plan().d().cell({row, column});
      if (!bench_.plan().writes(place.cta, place.address.lane)) continue;
      ASSERT_EQ(bench_.d(row, column), bits_of(expected(row, column), types_.d)) << "row " << row << ", column " << column;
    }
  }
}

void integer_matrices::put_a() {
  a_.assign(std::size_t{m()} * k_, 0);
  for (unsigned row = 0; row < m(); ++row) {
    if (operation_.form.sparse) {
      put_sparse(row);
    } else {
      for (unsigned k = 0; k < k_; ++k) put_a(row, k, k);
    }
  }
}

void integer_matrices::put_a(unsigned row, unsigned k, unsigned stored) {
  const double value = a_[row * k_ + k] = element(types_.a);
  bench_.set_a(row, stored, bits_of(value, types_.a));
}

/// Half of each group is zero: pairs of elements in eight, single ones otherwise.
void integer_matrices::put_sparse(unsigned row) {
  constexpr unsigned kept_of_four[][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 1}, {2, 3}};
  const bool of_two = types_.of == kind::tf32, in_pairs = types_.of == kind::mxf4 || types_.of == kind::mxf4nvf4;
  const unsigned length = of_two ? 2 : in_pairs ? 8 : 4, together = in_pairs ? 2 : 1;
  for (unsigned group = 0, stored = 0; group * length < k_; ++group) {
    std::vector<unsigned> kept{static_cast<unsigned>(integer(0, 1))};
    unsigned code = kept[0] == 0 ? 0b0100 : 0b1110;
    if (!of_two) {
      const auto& places = kept_of_four[integer(0, 6)];
      kept = {places[0], places[1]};
      code = places[0] | places[1] << 2;
    }
    bench_.set_code(row, group, code);
    for (const unsigned unit : kept) {
      for (unsigned i = 0; i < together; ++i) put_a(row, group * length + unit * together + i, stored++);
    }
  }
}

void integer_matrices::put_b() {
  const unsigned columns = bench_.plan().first_column() + n();
  b_.assign(std::size_t{columns} * k_, 0);
  for (unsigned column = 0; column < columns; ++column) {
    for (unsigned k = 0; k < k_; ++k) bench_.set_b(column, k, bits_of(b_[column * k_ + k] = element(types_.b), types_.b));
  }
}

void integer_matrices::put_scales() {
  const auto put = [this](std::vector<double>& scales, unsigned indices, auto set) {
    for (unsigned i = 0; i < indices * blocks(); ++i) {
      scales.push_back(std::ldexp(1.0, integer(-1, 1)));
      set(i / blocks(), i % blocks(), bits_of(scales.back(), types_.scale));
    }
  };
  put(scale_a_, m(), [this](unsigned row, unsigned block, std::uint32_t bits) { bench_.set_scale_a(row, block, bits); });
  put(scale_b_, n(), [this](unsigned column, unsigned block, std::uint32_t bits) { bench_.set_scale_b(column, block, bits); });
}

double integer_matrices::expected(unsigned row, unsigned column) const {
  const tensor_mma_plan& plan = bench_.plan();
  const isa::instruction_descriptor& descriptor = plan.descriptor();
  const bool zero = !plan.zero_columns().empty() && plan.zero_columns()[column];
  double sum = 0;
  for (unsigned k = 0; !zero && k < k_; ++k) {
    double product = a_[row * k_ + k] * b_[(plan.first_column() + column) * k_ + k];
    if (blocks() != 0) {
      const unsigned block = k * blocks() / k_;
      product *= scale_a_[row * blocks() + block] * scale_b_[column * blocks() + block];
    }
    sum += product;
  }
  if (descriptor.negate_a != descriptor.negate_b) sum = -sum;
  return 0.0 + sum + (operation_.enable_input_d ? std::ldexp(c(row, column), -operation_.scale_input_d) : 0.0);
}

}  // namespace tc::engine::test
