// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <ostream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/numerics/matrix_product.hpp>

namespace tc::numerics::matrix_product_test {

void PrintTo(instruction_set set, std::ostream* out) { *out << name(set); }

namespace test {
namespace {

constexpr rounding_rule f32_rounding{rounding_mode::toward_zero, 23}, f16_rounding{rounding_mode::to_nearest_even, 10},
    kept_13{rounding_mode::toward_zero, 13};

/// How random floating-point elements are drawn.
enum class distribution { any_bits, near_one, wide, large, small, small_products, cancelling };
constexpr distribution all_distributions[] = {distribution::any_bits,  distribution::near_one, distribution::wide,
                                              distribution::large,     distribution::small,    distribution::small_products,
                                              distribution::cancelling};

/// Random elements. One in sixteen of the floating-point ones is zero.
class element_source {
 public:
  explicit element_source(unsigned seed) : random_(seed) {}

  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }

  std::uint64_t element(const number_format& format, distribution kind) {
    const std::uint64_t bits = std::uint64_t{random_()} << 32 | random_();
    if (!format.is_floating_point() || kind == distribution::any_bits) return bits & format.storage_mask();
    if (below(16) == 0) return 0;
    const std::uint64_t fraction = bits & format.fraction_mask(), sign = (bits >> 63) != 0 ? format.sign_bit() : 0;
    return (sign | exponent_field(format, kind) << format.fraction_bits | fraction) << format.ignored_bits;
  }

 private:
  std::uint64_t exponent_field(const number_format& format, distribution kind) {
    const unsigned all = 1U << format.exponent_bits, bias = static_cast<unsigned>(format.bias);
    const unsigned largest = all - (format.specials == special_values::infinity_and_nan ? 2 : 1);
    switch (kind) {
      case distribution::large:
        return largest - below(2);
      case distribution::small:
        return below(3);
      case distribution::small_products:  // as small as the smallest normal addend, if the format goes as far
        return format.storage_bits == 32 && format.ignored_bits == 0 ? below(3) : bias / 2 + below(3);
      case distribution::wide:
        return std::min(below(std::min(all, 50U)) + bias - std::min(bias, 25U), largest);
      default:
        return std::min(bias + below(4) - std::min(bias, 2U), largest);
    }
  }

  std::mt19937 random_;
};

/// Operands of a matrix product, and room for its result.
struct problem {
  problem(const dot_product_types& types, unsigned row_count, unsigned column_count, unsigned length)
      : rows(row_count),
        columns(column_count),
        k(length),
        words(words_for(length, types.a)),
        a(std::size_t{words} * rows),
        b(std::size_t{words} * columns),
        c(std::size_t{columns} * rows * words_for(1, types.accumulator)) {}

  void fill(element_source& source, const dot_product_types& types, distribution kind) {
    for (unsigned r = 0; r < rows; ++r) {
      const std::vector<std::uint32_t> row = random_row(source, types.a, kind, false);
      for (unsigned w = 0; w < words; ++w) a[std::size_t{w} * rows + r] = row[w];
    }
    for (unsigned n = 0; n < columns; ++n) {
      const std::vector<std::uint32_t> column = random_row(source, types.b, kind, kind == distribution::cancelling);
      std::copy(column.begin(), column.end(), b.begin() + std::ptrdiff_t{n} * words);
    }
    for (std::uint32_t& word : c) word = static_cast<std::uint32_t>(source.element(types.accumulator, kind));
  }

  matrix_operands operands(std::vector<std::uint32_t>& d) const { return {rows, columns, k, a.data(), b.data(), c.data(), d.data()}; }

  std::vector<std::uint32_t> row_of_a(unsigned r) const {
    std::vector<std::uint32_t> row(words);
    for (unsigned w = 0; w < words; ++w) row[w] = a[std::size_t{w} * rows + r];
    return row;
  }

  unsigned rows, columns, k, words;
  std::vector<std::uint32_t> a, b, c;

 private:
  /// `opposite`: neighbours have the same magnitude and different signs.
  std::vector<std::uint32_t> random_row(element_source& source, const number_format& format, distribution kind, bool opposite) const {
    std::vector<std::uint32_t> row(words);
    std::uint64_t previous = 0;
    for (unsigned i = 0; i < k; ++i) {
      const bool repeats = opposite && i % 2 != 0 && format.is_floating_point();
      previous = repeats ? previous ^ (format.sign_bit() << format.ignored_bits) : source.element(format, kind);
      set_packed_element(row.data(), i, format, previous);
    }
    return row;
  }
};

/// Compares a product with the unit, element by element.
void expect_bits_of_unit(const matrix_product& product, const problem& p, const std::string& what) {
  std::vector<std::uint32_t> d(p.c.size());
  product(p.operands(d));
  for (unsigned r = 0; r < p.rows; ++r) {
    const std::vector<std::uint32_t> row = p.row_of_a(r);
    for (unsigned n = 0; n < p.columns; ++n) {
      const std::size_t element = std::size_t{n} * p.rows + r;
      ASSERT_EQ(d[element], product.unit()(row.data(), p.b.data() + std::size_t{n} * p.words, p.k, p.c[element]))
          << what << ": row " << r << ", column " << n << ", addend " << std::hex << p.c[element];
    }
  }
}

dot_product_parameters fused(unsigned group_length, unsigned alignment_fraction_bits, rounding_rule rounding) {
  dot_product_parameters parameters;
  parameters.group_length = group_length;
  parameters.alignment_fraction_bits = alignment_fraction_bits;
  parameters.output_rounding = rounding;
  return parameters;
}

dot_product float_unit(const number_format& a, const number_format& b, const number_format& accumulator, unsigned group_length,
                       unsigned alignment_fraction_bits, rounding_rule rounding) {
  return dot_product({a, b, accumulator}, fused(group_length, alignment_fraction_bits, rounding));
}

/// Runs once for each set of instructions.
class matrix_product_paths : public testing::TestWithParam<instruction_set> {
 protected:
  void SetUp() override {
    const std::vector<instruction_set> here = instruction_sets();
    if (std::find(here.begin(), here.end(), GetParam()) == here.end())
      GTEST_SKIP() << "this machine does not execute " << name(GetParam()) << " instructions";
  }

  void expect_bits(const dot_product& unit, unsigned rows, unsigned columns, unsigned k, unsigned repetitions = 6) {
    const matrix_product product(unit, GetParam());
    EXPECT_TRUE(product.is_vectorised(k)) << unit.types().a.name;
    problem p(unit.types(), rows, columns, k);
    for (const distribution kind : all_distributions) {
      for (unsigned i = 0; i < repetitions; ++i) {
        p.fill(source_, unit.types(), kind);
        expect_bits_of_unit(product, p,
                            std::string(unit.types().a.name) + " x " + std::string(unit.types().b.name) + " -> " +
                                std::string(unit.types().accumulator.name) + ", distribution " + std::to_string(static_cast<int>(kind)));
        if (HasFatalFailure()) return;
      }
    }
  }

  /// A shape of products.
  struct shape {
    unsigned rows, columns, k;
  };
  /// Some products at once have the bits that each has by itself.
  void expect_products_together(const dot_product& unit, const shape& each_shape, distribution kind) {
    const auto append = [](std::vector<std::uint32_t>& to, const std::vector<std::uint32_t>& words) {
      to.insert(to.end(), words.begin(), words.end());
    };
    const auto [rows, columns, k] = each_shape;
    const matrix_product product(unit, GetParam());
    const unsigned count = 1 + source_.below(5);
    problem all(unit.types(), 0, 0, k);
    std::vector<std::uint32_t> expected;
    for (unsigned i = 0; i < count; ++i) {
      problem each(unit.types(), rows, columns, k);
      each.fill(source_, unit.types(), kind);
      std::vector<std::uint32_t> d(each.c.size());
      product(each.operands(d));
      append(all.a, each.a);
      append(all.b, each.b);
      append(all.c, each.c);
      append(expected, d);
    }
    std::vector<std::uint32_t> d(all.c.size());
    matrix_operands operands{rows, columns, k, all.a.data(), all.b.data(), all.c.data(), d.data()};
    operands.products = count;
    product(operands);
    ASSERT_EQ(d, expected) << unit.types().a.name << ", " << rows << " x " << columns << ", k " << k << ", " << count << " products";
    operands.d = all.c.data();
    product(operands);
    ASSERT_EQ(all.c, expected) << "in the place of the addend";
  }

  element_source source_{7};
};

INSTANTIATE_TEST_SUITE_P(instructions, matrix_product_paths,
                         testing::Values(instruction_set::portable, instruction_set::avx2, instruction_set::avx512),
                         [](const auto& set) { return std::string(name(set.param)); });

/// Group lengths and alignment bits of Volta, Turing and Hopper (MMA-Sim, arXiv 2511.10909).
struct group_and_alignment {
  unsigned group_length, alignment_fraction_bits;
};

TEST_P(matrix_product_paths, sums_of_16_bit_numbers) {
  for (const auto& [length, alignment] : {group_and_alignment{4, 23}, {8, 24}, {16, 25}}) {
    for (const number_format& format : {f16, bf16}) {
      for (const unsigned k : {16U, 8U}) expect_bits(float_unit(format, format, f32, length, alignment, f32_rounding), 16, 8, k);
      expect_bits(float_unit(format, format, f16, length, alignment, f16_rounding), 16, 8, 16);
    }
  }
}

/// With 25 alignment bits the largest products of 16 elements fit 32 bits, and an addend beside them does not.
TEST_P(matrix_product_paths, sums_at_the_ends_of_32_bits) {
  const matrix_product product(float_unit(f16, f16, f32, 16, 25, f32_rounding), GetParam());
  problem p(product.unit().types(), 16, 8, 16);
  for (const std::uint32_t of_a : {0x3fff3fffU, 0xbfffbfffU, 0x3fff3ffeU, 0x3fff3c00U}) {
    for (const std::uint32_t addend : {0x40ffffffU, 0x407fffffU, 0xc07fffffU, 0x3fffffffU, 0U}) {
      std::fill(p.a.begin(), p.a.end(), of_a);
      std::fill(p.b.begin(), p.b.end(), 0x3fff3fffU);
      for (std::size_t i = 0; i < p.c.size(); ++i) p.c[i] = addend ^ static_cast<std::uint32_t>(i & 1) << 31;
      expect_bits_of_unit(product, p, "ends");
    }
  }
}

/// Without a number among the elements that would leave a sum to the unit anyway.
TEST_P(matrix_product_paths, sums_of_nothing_but_infinity_and_nan) {
  for (const number_format& format : {f16, bf16}) {
    const auto infinity = static_cast<std::uint32_t>(format.infinity()) * 0x10001U;  // two of them
    const matrix_product product(float_unit(format, format, f32, 16, 25, f32_rounding), GetParam());
    problem p(product.unit().types(), 16, 8, 16);
    std::fill(p.c.begin(), p.c.end(), 0x3f800000U);
    std::fill(p.b.begin(), p.b.end(), infinity);
    for (const std::uint32_t of_a : {infinity, infinity | 0x80008000U, infinity | 0x8000U, infinity | 1U}) {
      std::fill(p.a.begin(), p.a.end(), of_a);
      expect_bits_of_unit(product, p, "infinity and NaN");
    }
  }
}

TEST_P(matrix_product_paths, sums_of_tf32) {
  for (const auto& [length, alignment] : {group_and_alignment{4, 24}, {8, 25}})
    expect_bits(float_unit(tf32, tf32, f32, length, alignment, f32_rounding), 16, 8, 8);
}

TEST_P(matrix_product_paths, sums_of_8_bit_numbers) {
  for (const number_format& a : {e4m3, e5m2, e3m2, e2m3}) {
    for (const number_format& b : {e4m3, e5m2}) {
      expect_bits(float_unit(a, b, f32, 16, 13, kept_13), 16, 8, 32, 2);
      expect_bits(float_unit(a, b, f32, 32, 13, kept_13), 16, 8, 32, 2);
      expect_bits(float_unit(a, b, f32, 32, 25, f32_rounding), 16, 8, 32, 2);
      expect_bits(float_unit(a, b, f16, 32, 25, f16_rounding), 16, 8, 32, 2);
    }
  }
}

TEST_P(matrix_product_paths, sums_of_4_bit_numbers) {
  expect_bits(float_unit(e2m1, e2m1, f32, 32, 25, f32_rounding), 16, 8, 64);
  expect_bits(float_unit(e2m1, e2m1, f16, 64, 25, f16_rounding), 16, 8, 64);
}

TEST_P(matrix_product_paths, sums_with_any_parameters) {
  const number_format operands[] = {f16, bf16, tf32, e5m2, e4m3, e3m2, e2m3, e2m1}, accumulators[] = {f32, f16, bf16};
  for (unsigned i = 0; i < 300; ++i) {
    const number_format &format = operands[source_.below(8)], &accumulator = accumulators[source_.below(3)];
    const unsigned per_word = format.elements_per_word();
    dot_product_parameters parameters;
    parameters.group_length = per_word * (1 + source_.below(maximum_group_length / per_word));
    parameters.alignment_fraction_bits = source_.below(27);
    parameters.alignment_floor = source_.below(2) == 0 ? source_.below(16) : source_.below(maximum_alignment_floor + 1);
    parameters.output_rounding = {source_.below(2) == 0 ? rounding_mode::toward_zero : rounding_mode::to_nearest_even, source_.below(22)};
    parameters.flush_subnormals = source_.below(2) == 0;
    parameters.align_to_zeros = source_.below(2) == 0;
    expect_bits(dot_product({format, format, accumulator}, parameters), 5, 3, per_word * (1 + source_.below(20)), 1);
    if (HasFatalFailure()) return;
  }
}

TEST_P(matrix_product_paths, rounding_of_every_kept_width) {
  for (unsigned kept = 0; kept <= 23; ++kept)
    expect_bits(float_unit(f16, f16, f32, 16, 25, {rounding_mode::toward_zero, kept}), 16, 3, 16, 3);
  for (unsigned kept = 0; kept <= 21; ++kept)
    expect_bits(float_unit(f16, f16, f32, 16, 25, {rounding_mode::to_nearest_even, kept}), 16, 3, 16, 3);
}

TEST_P(matrix_product_paths, any_number_of_rows_and_columns) {
  const dot_product unit = float_unit(f16, f16, f32, 16, 25, f32_rounding);
  for (unsigned rows = 0; rows <= 35; ++rows) expect_bits(unit, rows, 1 + rows % 7, 16, 1);
  for (unsigned columns = 0; columns <= 70; ++columns) expect_bits(unit, 3, columns, 16, 1);
}

/// Products of few rows share vectors: two or four of four rows, two of eight, as the octets of a step of HMMA.884 are, whose four columns
/// of four elements have kernels of their own.
TEST_P(matrix_product_paths, several_products_at_once) {
  for (const dot_product& unit : {float_unit(f16, f16, f32, 4, 23, f32_rounding), float_unit(f16, f16, f16, 4, 23, f16_rounding),
                                  float_unit(bf16, bf16, f32, 4, 23, f32_rounding), float_unit(e4m3, e4m3, f32, 4, 23, f32_rounding),
                                  dot_product({s8, s8, s32, dot_product_operation::integer_wrap})})
    for (const unsigned rows : {2U, 4U, 8U, 9U})
      for (const unsigned columns : {4U, 5U})
        for (const unsigned k : {4U, 16U, 300U})
          for (const distribution kind : all_distributions) {
            expect_products_together(unit, {rows, columns, k}, kind);
            if (HasFatalFailure()) return;
          }
}

TEST_P(matrix_product_paths, rows_longer_than_a_call) {
  expect_bits(float_unit(f16, f16, f32, 16, 25, f32_rounding), 17, 9, 500, 1);
  expect_bits(float_unit(f16, f16, f32, 100, 25, f32_rounding), 17, 9, 500, 1);
  expect_bits(float_unit(e4m3, e4m3, f32, 32, 25, f32_rounding), 17, 9, 500, 1);
  expect_bits(float_unit(tf32, tf32, f32, 128, 25, f32_rounding), 17, 9, 300, 1);
  expect_bits(dot_product({s8, s8, s32, dot_product_operation::integer_wrap}), 17, 9, 500, 1);
  expect_bits(dot_product({b1, b1, s32, dot_product_operation::binary_xor}), 17, 9, 320 * 32, 1);
}

TEST_P(matrix_product_paths, a_row_without_elements_is_the_addend) {
  expect_bits(float_unit(f16, f16, f32, 16, 25, f32_rounding), 4, 4, 0, 1);
  expect_bits(dot_product({s8, s8, s32, dot_product_operation::integer_saturate}), 4, 4, 0, 1);
}

TEST_P(matrix_product_paths, integers) {
  using operation = dot_product_operation;
  for (const auto& [a, b] : {std::pair{s8, s8}, {u8, u8}, {s8, u8}, {u8, s8}, {s4, s4}, {u4, u4}, {s4, u4}, {u4, s4}}) {
    for (const operation overflow : {operation::integer_wrap, operation::integer_saturate}) {
      for (const unsigned k : {16U, 32U, 64U, 128U}) expect_bits(dot_product({a, b, s32, overflow}), 16, 8, k, 2);
    }
  }
}

TEST_P(matrix_product_paths, integers_at_the_ends_of_their_range) {
  using operation = dot_product_operation;
  for (const operation overflow : {operation::integer_wrap, operation::integer_saturate}) {
    for (const auto& [a, b] : {std::pair{s8, s8}, {u8, u8}, {s8, u8}, {u8, s8}}) {
      const matrix_product product(dot_product({a, b, s32, overflow}), GetParam());
      problem p(product.unit().types(), 16, 8, 128);
      for (const std::uint32_t of_a : {0x80808080U, 0x7f7f7f7fU, 0xffffffffU}) {
        for (const std::uint32_t of_b : {0x80808080U, 0x7f7f7f7fU, 0xffffffffU}) {
          std::fill(p.a.begin(), p.a.end(), of_a);
          std::fill(p.b.begin(), p.b.end(), of_b);
          const std::uint32_t ends[] = {0x7fffffff, 0x80000000, 0, 0xffffffff, 0x7fe00000, 0x80200000};
          for (std::size_t i = 0; i < p.c.size(); ++i) p.c[i] = ends[i % 6] + static_cast<std::uint32_t>(i / 6);
          expect_bits_of_unit(product, p, "extremes");
        }
      }
    }
  }
}

TEST_P(matrix_product_paths, bits) {
  for (const auto operation : {dot_product_operation::binary_xor, dot_product_operation::binary_and}) {
    for (const unsigned k : {128U, 256U, 32U * 70}) expect_bits(dot_product({b1, b1, s32, operation}), 16, 8, k, 3);
    for (const unsigned rows : {3U, 4U, 8U}) {
      for (const unsigned columns : {7U, 8U}) expect_bits(dot_product({b1, b1, s32, operation}), rows, columns, 128, 3);
    }
  }
  const matrix_product product(dot_product({b1, b1, s32, dot_product_operation::binary_and}), GetParam());
  problem all_ones(product.unit().types(), 16, 8, 32 * 128);
  std::fill(all_ones.a.begin(), all_ones.a.end(), ~0U);
  std::fill(all_ones.b.begin(), all_ones.b.end(), ~0U);
  expect_bits_of_unit(product, all_ones, "all ones");
}

TEST_P(matrix_product_paths, result_may_take_the_place_of_the_addend) {
  for (const distribution kind : all_distributions) {
    const matrix_product product(float_unit(f16, f16, f16, 4, 23, f16_rounding), GetParam());
    problem p(product.unit().types(), 19, 5, 300);
    p.fill(source_, product.unit().types(), kind);
    std::vector<std::uint32_t> d(p.c.size());
    product(p.operands(d));
    product({p.rows, p.columns, p.k, p.a.data(), p.b.data(), p.c.data(), p.c.data()});
    EXPECT_EQ(p.c, d);
  }
}

/// What no kernel computes is left to the unit.
TEST_P(matrix_product_paths, everything_else_has_the_bits_of_the_unit_too) {
  const auto changed = [](auto change) {
    dot_product_parameters parameters = fused(16, 25, f32_rounding);
    change(parameters);
    return dot_product({f16, f16, f32}, parameters);
  };
  dot_product_parameters several_products = fused(64, 25, f32_rounding);
  several_products.products_per_term = 16;
  const dot_product units[] = {
      changed([](auto& p) { p.order = summation::paired_groups; }),
      changed([](auto& p) { p.order = summation::fma_chain; }),
      changed([](auto& p) { p.order = summation::adder_tree; }),
      changed([](auto& p) { p.addend = addend_position::after_sum; }),
      changed([](auto& p) { p.group_length = 3; }),
      changed([](auto& p) { p.alignment_fraction_bits = 40; }),
      changed([](auto& p) {
        p.output_rounding = {rounding_mode::to_nearest_even, 23};
      }),
      dot_product({e2m1, e2m1, f32}, several_products),
  };
  for (const dot_product& unit : units) {
    const matrix_product product(unit, GetParam());
    EXPECT_FALSE(product.is_vectorised(64));
    problem p(unit.types(), 5, 3, 64);
    for (const distribution kind : all_distributions) {
      p.fill(source_, unit.types(), kind);
      expect_bits_of_unit(product, p, "unit");
    }
  }
}

TEST_P(matrix_product_paths, rows_of_broken_words_have_the_bits_of_the_unit_too) {
  for (const number_format& format : {f16, e4m3}) {
    const matrix_product product(float_unit(format, format, f32, 16, 25, f32_rounding), GetParam());
    EXPECT_FALSE(product.is_vectorised(7));
    problem p(product.unit().types(), 5, 3, 7);
    p.fill(source_, product.unit().types(), distribution::wide);
    expect_bits_of_unit(product, p, "odd k");
  }
  const matrix_product saturating(dot_product({s8, s8, s32, dot_product_operation::integer_saturate}), GetParam());
  EXPECT_FALSE(saturating.is_vectorised(1024)) << "a sum saturates once, so it cannot be cut";
  problem p(saturating.unit().types(), 5, 3, 1024);
  p.fill(source_, saturating.unit().types(), distribution::any_bits);
  expect_bits_of_unit(saturating, p, "long saturating sum");
}

TEST(matrix_product, f64_elements_take_two_words) {
  dot_product_parameters parameters;
  parameters.order = summation::fma_chain;
  parameters.output_rounding = {rounding_mode::to_nearest_even, 52};
  const dot_product unit({f64, f64, f64}, parameters);
  const matrix_product product(unit);
  problem p(unit.types(), 8, 8, 4);
  element_source source(3);
  p.fill(source, unit.types(), distribution::near_one);
  std::vector<std::uint32_t> d(p.c.size());
  product(p.operands(d));
  const auto element = [](const std::vector<std::uint32_t>& words, std::size_t i) {
    return words[2 * i] | std::uint64_t{words[2 * i + 1]} << 32;
  };
  for (unsigned r = 0; r < 8; ++r) {
    for (unsigned n = 0; n < 8; ++n)
      EXPECT_EQ(element(d, n * 8 + r), unit(p.row_of_a(r).data(), p.b.data() + std::size_t{n} * p.words, 4, element(p.c, n * 8 + r)));
  }
}

TEST(matrix_product, block_scales_are_laid_out_as_the_operands) {
  const dot_product unit({e4m3, e4m3, f32, dot_product_operation::float_sum, block_scaling{ue8m0, 32}}, fused(32, 25, f32_rounding));
  const matrix_product product(unit);
  problem p(unit.types(), 3, 2, 64);
  element_source source(3);
  p.fill(source, unit.types(), distribution::near_one);
  const std::vector<std::uint32_t> scale_a{0x7f80, 0x8081, 0x7e7f}, scale_b{0x7f7f, 0x8082};  // two blocks
  std::vector<std::uint32_t> d(p.c.size());
  matrix_operands operands = p.operands(d);
  operands.scale_a = scale_a.data();
  operands.scale_b = scale_b.data();
  product(operands);
  for (unsigned r = 0; r < 3; ++r) {
    for (unsigned n = 0; n < 2; ++n)
      EXPECT_EQ(d[n * 3 + r],
                unit(p.row_of_a(r).data(), p.b.data() + std::size_t{n} * p.words, &scale_a[r], &scale_b[n], 64, p.c[n * 3 + r]));
  }
  EXPECT_THROW(product(p.operands(d)), std::logic_error);
}

TEST(matrix_product, refuses_instructions_that_the_machine_does_not_execute) {
  const std::vector<instruction_set> here = instruction_sets();
  EXPECT_EQ(here.front(), instruction_set::portable);
  EXPECT_EQ(here.back(), chosen_instruction_set());
  const dot_product unit({s8, s8, s32, dot_product_operation::integer_wrap});
  for (const instruction_set set : {instruction_set::portable, instruction_set::avx2, instruction_set::avx512}) {
    if (std::find(here.begin(), here.end(), set) == here.end()) {
      EXPECT_THROW(matrix_product(unit, set), std::invalid_argument) << name(set);
      EXPECT_THROW(find_instruction_set(name(set)), std::invalid_argument) << name(set);
    } else {
      EXPECT_EQ(find_instruction_set(name(set)), set);
      EXPECT_NO_THROW(matrix_product(unit, set)) << name(set);
    }
  }
}

TEST(find_instruction_set, says_what_there_is_instead) {
  try {
    find_instruction_set("sse");
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("\"sse\""), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("portable"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace test
}  // namespace tc::numerics::matrix_product_test
