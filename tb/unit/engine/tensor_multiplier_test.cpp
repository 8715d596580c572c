#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/config/machine.hpp>
#include <tc/config/machine_loader.hpp>
#include <tc/isa/tcgen05/zero_column_mask.hpp>

#include "tensor_mma_bench.hpp"

namespace tc::engine::test {
namespace {

using kind = isa::mma_kind;
using type = isa::element_type;
using isa::matrix_major;
using isa::scale_vector;
constexpr auto one = isa::cta_group::one, two = isa::cta_group::two;

const config::arithmetic_parameters& blackwell() {
  static const config::machine machine = config::load_machine(TC_SOURCE_DIR "/configs/blackwell.json");
  return machine.sm.sub_core.tensor_core.arithmetic;
}

std::uint32_t bits_of(double value, type format) { return static_cast<std::uint32_t>(numerics::encode(value, isa::format_of(format))); }

/// Kinds with the types of their operands.
struct typed_kind {
  kind of = kind::f16;
  type a = type::f16, b = type::f16, d = type::f32;
  scale_vector scales = scale_vector::none;
  type scale = type::none;
};

std::ostream& operator<<(std::ostream& out, const typed_kind& each) {
  return out << isa::name(each.of) << "_" << isa::name(each.a) << "_" << isa::name(each.b) << "_" << isa::name(each.d) << "_"
             << isa::name(each.scale);
}

isa::instruction_descriptor descriptor_of(const typed_kind& types, unsigned m, unsigned n, bool sparse = false) {
  isa::instruction_descriptor descriptor;
  descriptor.a = types.a;
  descriptor.b = types.b;
  descriptor.d = types.d;
  descriptor.scale_type = types.scale;
  descriptor.m = m;
  descriptor.n = n;
  descriptor.sparse = sparse;
  return descriptor;
}

/// Matrices of small integers and powers of two, whose product is exact in every format, and how they are put into an operation.
class integer_matrices {
 public:
  integer_matrices(const isa::tensor_mma_operation& operation, const typed_kind& types, unsigned seed)
      : bench_(operation), operation_(operation), types_(types), random_(seed), k_(bench_.plan().k()) {
    put_a();
    put_b();
    if (operation.form.scales != scale_vector::none) put_scales();
    for (unsigned row = 0; row < m(); ++row) {
      for (unsigned column = 0; column < n(); ++column) bench_.set_c(row, column, bits_of(c(row, column), types.d));
    }
  }

  void expect_product(unsigned columns_at_once = isa::tensor_columns) {
    tensor_multiplier multiplier(blackwell());
    ASSERT_NO_FATAL_FAILURE(bench_.multiply(multiplier, columns_at_once));
    for (unsigned row = 0; row < m(); ++row) {
      for (unsigned column = 0; column < n(); ++column) {
        const isa::tensor_cell place = bench_.plan().d().cell({row, column});
        if (!bench_.plan().writes(place.cta, place.address.lane)) continue;
        ASSERT_EQ(bench_.d(row, column), bits_of(expected(row, column), types_.d)) << "row " << row << ", column " << column;
      }
    }
  }

 private:
  unsigned m() const { return bench_.plan().m(); }
  unsigned n() const { return bench_.plan().n(); }
  unsigned blocks() const { return isa::scales(operation_.form.scales); }

  int integer(int least, int largest) { return std::uniform_int_distribution<int>(least, largest)(random_); }
  double element(type of) { return integer(of == type::u8 ? 0 : -3, 3); }
  double c(unsigned row, unsigned column) const { return static_cast<int>(7 * row + 5 * column) % 23 - 11; }

  void put_a() {
    a_.assign(std::size_t{m()} * k_, 0);
    for (unsigned row = 0; row < m(); ++row) {
      if (operation_.form.sparse) {
        put_sparse(row);
      } else {
        for (unsigned k = 0; k < k_; ++k) put_a(row, k, k);
      }
    }
  }

  void put_a(unsigned row, unsigned k, unsigned stored) {
    const double value = a_[row * k_ + k] = element(types_.a);
    bench_.set_a(row, stored, bits_of(value, types_.a));
  }

  /// Half of each group is zero: pairs of elements in eight, single ones otherwise.
  void put_sparse(unsigned row) {
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

  void put_b() {
    const unsigned columns = bench_.plan().first_column() + n();
    b_.assign(std::size_t{columns} * k_, 0);
    for (unsigned column = 0; column < columns; ++column) {
      for (unsigned k = 0; k < k_; ++k) bench_.set_b(column, k, bits_of(b_[column * k_ + k] = element(types_.b), types_.b));
    }
  }

  void put_scales() {
    const auto put = [this](std::vector<double>& scales, unsigned indices, auto set) {
      for (unsigned i = 0; i < indices * blocks(); ++i) {
        scales.push_back(std::ldexp(1.0, integer(-1, 1)));
        set(i / blocks(), i % blocks(), bits_of(scales.back(), types_.scale));
      }
    };
    put(scale_a_, m(), [this](unsigned row, unsigned block, std::uint32_t bits) { bench_.set_scale_a(row, block, bits); });
    put(scale_b_, n(), [this](unsigned column, unsigned block, std::uint32_t bits) { bench_.set_scale_b(column, block, bits); });
  }

  double expected(unsigned row, unsigned column) const {
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

  tensor_mma_bench bench_;
  const isa::tensor_mma_operation& operation_;
  typed_kind types_;
  std::minstd_rand random_;
  unsigned k_;
  std::vector<double> a_, b_, scale_a_, scale_b_;
};

class every_kind : public testing::TestWithParam<typed_kind> {};

/// All forms of the kind that there are, by the letter of their layouts.
std::vector<std::pair<isa::mma_form, unsigned>> forms_of(const typed_kind& types) {
  std::vector<std::pair<isa::mma_form, unsigned>> forms;
  for (const auto& [group, stationary] : {std::pair{one, false}, std::pair{two, false}, std::pair{one, true}}) {
    const isa::mma_form form{types.of, group, stationary, false, types.scales};
    if (!isa::mma_form_mistake(form).empty()) continue;
    for (const unsigned m : isa::mma_rows(form)) forms.emplace_back(form, m);
  }
  return forms;
}

TEST_P(every_kind, MultipliesInEveryLayout) {
  const typed_kind& types = GetParam();
  unsigned number = 0;
  for (const auto& [form, m] : forms_of(types)) {
    for (const bool in_tensor_memory : {false, true}) {
      const isa::data_path_layout layout = isa::layout_of(form, m);
      if (in_tensor_memory && (layout == isa::data_path_layout::e || layout == isa::data_path_layout::g)) continue;
      SCOPED_TRACE(testing::Message() << "layout "
                                      << "abcdefg"[static_cast<unsigned>(layout)] << ", M = " << m << (in_tensor_memory ? ", TS" : ""));
      const bool scaled = types.scales != scale_vector::none;
      const unsigned n = form.group == two ? (m == 256 ? 32 : 96) : form.weight_stationary ? 64 : 48;
      isa::instruction_descriptor descriptor = descriptor_of(types, m, n);
      const bool transposes =
          isa::mma_swizzle_mistake(types.of, matrix_major::mn,
                                   types.of == kind::tf32 ? isa::swizzle_mode::bytes_128_atom_32 : isa::swizzle_mode::none)
              .empty();
      if (transposes && !in_tensor_memory) descriptor.a_major = matrix_major::mn;
      if (transposes && number % 2 == 0) descriptor.b_major = matrix_major::mn;
      descriptor.negate_a = types.of != kind::i8 && number % 3 == 0;
      descriptor.negate_b = types.of != kind::i8 && number % 3 == 1;
      if (scaled) {
        descriptor.scale_a_id = types.scales == scale_vector::x4 ? 0 : 2;
        descriptor.scale_b_id = types.scales == scale_vector::x1 ? 3 : 0;
      }
      constexpr isa::swizzle_mode modes[] = {isa::swizzle_mode::none, isa::swizzle_mode::bytes_32, isa::swizzle_mode::bytes_64,
                                             isa::swizzle_mode::bytes_128};
      isa::tensor_mma_operation operation = make_operation(form, descriptor, in_tensor_memory, modes[number % 4]);
      if (isa::fills_half_lanes(layout) && in_tensor_memory) {
        operation.d |= 16U << 16;
        operation.a_address |= 16U << 16;
      }
      operation.enable_input_d = number % 4 != 1;
      if (types.of == kind::tf32) operation.scale_input_d = 2;
      if (!form.weight_stationary && !scaled) operation.disabled_lanes.assign(4 * isa::ctas(form.group), 0x80010420 + number);
      if (form.weight_stationary) operation.zero_column_mask = 0x0b03028301020100 + (std::uint64_t{number} << 40);
      ++number;
      integer_matrices(operation, types, number).expect_product(number % 2 == 0 ? 12 : isa::tensor_columns);
    }
  }
  EXPECT_GT(number, 2U);
}

TEST_P(every_kind, MultipliesWhatASparseMatrixStores) {
  const typed_kind& types = GetParam();
  for (const bool stationary : {false, true}) {
    const isa::mma_form form{types.of, one, stationary, true, types.scales};
    if (!isa::mma_form_mistake(form).empty()) continue;
    for (const bool in_tensor_memory : {false, true}) {
      SCOPED_TRACE(testing::Message() << (stationary ? ".ws" : "") << (in_tensor_memory ? ", TS" : ""));
      isa::instruction_descriptor descriptor = descriptor_of(types, 128, stationary ? 64 : 16, true);
      const bool transposes = types.of == kind::f16 || types.of == kind::i8;
      if (transposes && in_tensor_memory) descriptor.b_major = matrix_major::mn;
      const auto swizzle = in_tensor_memory ? isa::swizzle_mode::bytes_64 : isa::swizzle_mode::none;
      integer_matrices(make_operation(form, descriptor, in_tensor_memory, swizzle), types, 7).expect_product(12);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(kinds, every_kind,
                         testing::Values(typed_kind{kind::f16}, typed_kind{kind::f16, type::bf16, type::bf16},
                                         typed_kind{kind::f16, type::f16, type::f16, type::f16},
                                         typed_kind{kind::tf32, type::tf32, type::tf32}, typed_kind{kind::f8f6f4, type::e4m3, type::e5m2},
                                         typed_kind{kind::f8f6f4, type::e2m1, type::e3m2, type::f16},
                                         typed_kind{kind::f8f6f4, type::e2m3, type::e2m1},
                                         typed_kind{kind::i8, type::s8, type::u8, type::s32},
                                         typed_kind{kind::mxf8f6f4, type::e5m2, type::e2m1, type::f32, scale_vector::x1, type::ue8m0},
                                         typed_kind{kind::mxf4, type::e2m1, type::e2m1, type::f32, scale_vector::x2, type::ue8m0},
                                         typed_kind{kind::mxf4nvf4, type::e2m1, type::e2m1, type::f32, scale_vector::x4, type::ue4m3}),
                         [](const auto& each) { return testing::PrintToString(each.param); });

/// One output: the first elements of a row of A and of a column of B by value, the others zero, the bits of C, and codes of scales.
struct single_output {
  std::vector<double> a, b;
  std::uint32_t c = 0;
  std::vector<std::uint32_t> scale_a{}, scale_b{};
};

constexpr typed_kind f16_to_f32{}, f16_to_f16{kind::f16, type::f16, type::f16, type::f16}, tf32{kind::tf32, type::tf32, type::tf32},
    mxf8{kind::mxf8f6f4, type::e4m3, type::e4m3, type::f32, scale_vector::x1, type::ue8m0},
    mxf4{kind::mxf4, type::e2m1, type::e2m1, type::f32, scale_vector::x2, type::ue8m0},
    nvf4{kind::mxf4nvf4, type::e2m1, type::e2m1, type::f32, scale_vector::x4, type::ue4m3};

isa::mma_form form_of(const typed_kind& types) { return {types.of, one, false, false, types.scales}; }

/// Puts an output into row 77 and column 5.
void put(tensor_mma_bench& bench, const typed_kind& types, const single_output& output) {
  constexpr unsigned row = 77, column = 5;
  for (unsigned m = 0; m < bench.plan().m(); ++m) {
    for (unsigned k = 0; k < bench.plan().k(); ++k) bench.set_a(m, k, bits_of(m == row && k < output.a.size() ? output.a[k] : 0, types.a));
  }
  for (unsigned n = 0; n < bench.plan().n(); ++n) {
    for (unsigned k = 0; k < bench.plan().k(); ++k)
      bench.set_b(n, k, bits_of(n == column && k < output.b.size() ? output.b[k] : 0, types.b));
  }
  bench.set_c(row, column, output.c);
  for (unsigned block = 0; block < output.scale_a.size(); ++block) {
    bench.set_scale_a(row, block, output.scale_a[block]);
    bench.set_scale_b(column, block, output.scale_b[block]);
  }
}

/// The cell of the output.
std::uint32_t result_of(const typed_kind& types, const single_output& output, unsigned scale_input_d = 0, bool saturate = false) {
  isa::instruction_descriptor descriptor = descriptor_of(types, 128, 8);
  descriptor.saturate = saturate;
  isa::tensor_mma_operation operation = make_operation(form_of(types), descriptor, false);
  operation.scale_input_d = static_cast<std::uint8_t>(scale_input_d);
  tensor_mma_bench bench(operation);
  put(bench, types, output);
  tensor_multiplier multiplier(blackwell());
  bench.multiply(multiplier);
  return bench.d(77, 5);
}

std::vector<double> ones(unsigned count, double value = 1) { return std::vector<double>(count, value); }

constexpr std::uint32_t f32_one = 0x3F800000;
double power(int exponent) { return std::ldexp(1.0, exponent); }

TEST(TensorMultiplier, AddsTermsTruncatedTo25FractionBits) {
  EXPECT_EQ(result_of(f16_to_f32, {{-1, power(-13)}, {1, power(-12)}, f32_one}), 0x33000000U);
  EXPECT_EQ(result_of(f16_to_f32, {{-1, power(-13)}, {1, power(-13)}, f32_one}), 0U);
  EXPECT_EQ(result_of(f16_to_f32, {{-power(-13)}, {power(-13)}, f32_one}), f32_one);
  EXPECT_EQ(result_of(f16_to_f32, {{-power(-13)}, {power(-12)}, f32_one}), 0x3F7FFFFFU);
  EXPECT_EQ(result_of(f16_to_f32, {ones(16), ones(16), 0x4C800000}), 0x4C800000U);
  EXPECT_EQ(result_of(f16_to_f32, {ones(16), ones(16), 0x4B800000}), 0x4B800008U);
  EXPECT_EQ(result_of(f16_to_f32, {{power(15), 1, -power(15)}, {power(15), 1, power(15)}}), 0U);
  EXPECT_EQ(result_of(f16_to_f32, {{power(12), 1, -power(12)}, {power(12), 1, power(12)}}), f32_one);
  // Products are aligned as they are, not normalised first.
  EXPECT_EQ(result_of(f16_to_f32, {{1.5, -1.5, power(-13)}, {1.5, 1.5, power(-12)}}), 0x33000000U);
  EXPECT_EQ(result_of(f16_to_f32, {{1.5, -1.5, power(-13)}, {1.5, 1.5, power(-13)}}), 0U);
}

TEST(TensorMultiplier, RoundsHalvesToNearestAndClearsTheUpperHalfOfTheirCells) {
  EXPECT_EQ(result_of(f16_to_f16, {{power(-11)}, {1}, 0x3C00}), 0x3C00U);
  EXPECT_EQ(result_of(f16_to_f16, {{3 * power(-11)}, {1}, 0x3C00}), 0x3C02U);
  EXPECT_EQ(result_of(f16_to_f16, {{power(-11), power(-10)}, {1, power(-10)}, 0x3C00}), 0x3C01U);
  EXPECT_EQ(result_of(f16_to_f16, {{std::nan("")}, {1}, 0x3C00}), 0x7FFFU);
  EXPECT_EQ(result_of(f16_to_f32, {{std::nan("")}, {1}, f32_one}), 0x7FFFFFFFU);
}

TEST(TensorMultiplier, ScalesBlocks) {
  EXPECT_EQ(result_of(mxf4, {ones(64, 6), ones(64, 0.5), 0, {128, 128}, {125, 125}}), 0x42C00000U);
  EXPECT_EQ(result_of(mxf4, {ones(64, 6), ones(64, 0.5), 0, {128, 127}, {125, 127}}), 0x43100000U);
  std::vector<double> a(64), b(64);
  a[0] = -1;
  a[32] = b[0] = b[32] = 1;
  EXPECT_EQ(result_of(mxf4, {a, b, f32_one, {127, 127}, {127, 127 - 35}}), 0x2E000000U);
  EXPECT_EQ(result_of(mxf4, {a, b, f32_one, {127, 127}, {127, 127 - 36}}), 0U);
  EXPECT_EQ(result_of(nvf4, {ones(64), ones(64, 1.5), bits_of(10, type::f32), {0x38, 0x40, 0x34, 0x7E}, {0x38, 0x38, 0x40, 0x01}}),
            0x430B0000U);
  EXPECT_EQ(result_of(mxf8, {ones(32, 2), ones(32, 3), bits_of(5, type::f32), {130}, {126}}), 0x44414000U);
  // With one scale a row, e2m1 has the 25 fraction bits of its kind, not the 35 of mxf4.
  typed_kind nibbles = mxf8;
  nibbles.a = nibbles.b = type::e2m1;
  EXPECT_EQ(result_of(nibbles, {{-1}, {1}, f32_one, {127}, {127 - 30}}), f32_one);
  EXPECT_EQ(result_of(mxf4, {{-1}, {1}, f32_one, {127, 127}, {127 - 30, 127}}), 0x3F7FFFFFU);
}

TEST(TensorMultiplier, TakesTheScalesOfEachChunkFromItsOwnCopy) {
  tensor_mma_bench bench(make_operation(form_of(mxf8), descriptor_of(mxf8, 128, 8), false));
  put(bench, mxf8, {{2}, {3}, 0, {130}, {126}});
  const auto spoil = [&bench](const isa::tensor_byte& place) { bench.cell(0, place.address) |= 0xffU << 8 * place.byte; };
  for (const unsigned copy : {0U, 1U, 3U}) {  // row 77 is in chunk 2
    spoil(bench.plan().scale_a()->at({77, 0}, copy));
    spoil(bench.plan().scale_b()->at({5, 0}, copy));
  }
  tensor_multiplier multiplier(blackwell());
  bench.multiply(multiplier);
  EXPECT_EQ(bench.d(77, 5), bits_of(24, type::f32));
}

TEST(TensorMultiplier, DividesDFirst) {
  EXPECT_EQ(result_of(f16_to_f32, {{10}, {1}, bits_of(96, type::f32)}, 3), bits_of(22, type::f32));
  EXPECT_EQ(result_of(tf32, {{10}, {1}, bits_of(96, type::f32)}, 15), bits_of(10 + 96.0 / 32768, type::f32));
  EXPECT_EQ(result_of(f16_to_f16, {{}, {}, 0x0401}, 1), 0x0200U) << "truncated";
  EXPECT_EQ(result_of(f16_to_f32, {{}, {}, 0x00C00000}, 1), 0x00600000U);
  EXPECT_EQ(result_of(f16_to_f32, {{}, {}, 0xFF800000}, 15), 0xFF800000U) << "infinity stays";
}

TEST(TensorMultiplier, WrapsOrSaturatesIntegers) {
  const typed_kind bytes{kind::i8, type::s8, type::u8, type::s32};
  EXPECT_EQ(result_of(bytes, {{127}, {255}, 0x7FFFFFFF}), 0x7FFFFFFFU + 127 * 255);
  EXPECT_EQ(result_of(bytes, {{127}, {255}, 0x7FFFFFFF}, 0, true), 0x7FFFFFFFU);
  EXPECT_EQ(result_of(bytes, {{-128}, {1}, 0x80000001}, 0, true), 0x80000000U);
}

TEST(TensorMultiplier, LeavesDisabledLanesAlone) {
  isa::tensor_mma_operation operation = make_operation(form_of(f16_to_f32), descriptor_of(f16_to_f32, 128, 8), false);
  operation.disabled_lanes = {0x80000001, 0x00000001, 0, 0x80000000};
  operation.enable_input_d = false;
  tensor_mma_bench bench(operation);
  for (unsigned row = 0; row < 128; ++row) bench.set_c(row, 0, row);
  put(bench, f16_to_f32, {{1}, {1}, 0});
  tensor_multiplier multiplier(blackwell());
  bench.multiply(multiplier);
  for (unsigned row = 0; row < 128; ++row) {
    EXPECT_EQ(bench.d(row, 0), row == 0 || row == 31 || row == 32 || row == 127 ? row : 0) << row;
  }
  EXPECT_EQ(bench.d(77, 5), f32_one) << "the garbage that D held is not added";
}

/// D of A x B with ones in A, and in column c of B, counted from the first one in shared memory, c in the first row.
std::vector<unsigned> masked_columns(std::uint64_t mask, unsigned m, unsigned n) {
  const isa::mma_form form{kind::f16, one, true};
  isa::tensor_mma_operation operation = make_operation(form, descriptor_of(f16_to_f32, m, n), false);
  operation.zero_column_mask = mask;
  operation.enable_input_d = false;
  tensor_mma_bench bench(operation);
  for (unsigned row = 0; row < m; ++row) {
    for (unsigned k = 0; k < 16; ++k) bench.set_a(row, k, bits_of(1, type::f16));
  }
  for (unsigned column = 0; column < bench.plan().first_column() + n; ++column) {
    for (unsigned k = 0; k < 16; ++k) bench.set_b(column, k, bits_of(k == 0 ? column + 1 : 0, type::f16));
  }
  tensor_multiplier multiplier(blackwell());
  bench.multiply(multiplier);
  std::vector<unsigned> columns;
  for (unsigned column = 0; column < n; ++column) {
    columns.push_back(static_cast<unsigned>(numerics::value_of(bench.d(m - 1, column), numerics::f32)));
  }
  return columns;
}

// The examples of the PTX ISA, there with 16 columns a part.
TEST(TensorMultiplier, TakesMaskedColumnsForZero) {
  isa::zero_column_mask mask;
  mask.any = true;
  mask.skip_span = 2;
  mask.use_span = 3;
  const std::vector<unsigned> columns = masked_columns(isa::encode(mask, 128), 128, 64);
  EXPECT_EQ(std::vector<unsigned>(columns.begin(), columns.begin() + 16),
            (std::vector<unsigned>{1, 2, 3, 4, 0, 0, 0, 8, 9, 10, 11, 0, 0, 0, 15, 16}));
  const std::vector<unsigned> shifted = masked_columns(0x0203028301020100, 32, 64);
  EXPECT_EQ(std::vector<unsigned>(shifted.begin(), shifted.begin() + 8), (std::vector<unsigned>{0, 0, 0, 6, 7, 8, 9, 0}));
}

TEST(TensorMultiplier, MultipliesNothingThatASparseMatrixDoesNotStore) {
  const isa::mma_form form{kind::f16, one, false, true};
  tensor_mma_bench bench(make_operation(form, descriptor_of(f16_to_f32, 128, 8, true), false));
  put(bench, f16_to_f32, {{}, {1, 2, std::numeric_limits<double>::infinity(), 4}, 0});
  for (unsigned k = 0; k < 16; ++k) bench.set_a(77, k, bits_of(1, type::f16));
  for (unsigned row = 0; row < 128; ++row) {
    for (unsigned group = 0; group < 8; ++group) bench.set_code(row, group, row == 77 && group == 0 ? 0b1101 : 0b0100);
  }
  tensor_multiplier multiplier(blackwell());
  bench.multiply(multiplier);
  EXPECT_EQ(bench.d(77, 5), bits_of(6, type::f32));
}

/// The text of what a multiplication throws.
std::string refusal(tensor_mma_bench& bench, const config::arithmetic_parameters& arithmetic) {
  tensor_multiplier multiplier(arithmetic);
  try {
    bench.multiply(multiplier);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

TEST(TensorMultiplier, RefusesCodesThatThereAreNotAndProductsThatTheMachineDoesNotHave) {
  tensor_mma_bench sparse(make_operation({kind::f16, one, false, true}, descriptor_of(f16_to_f32, 128, 8, true), false));
  for (unsigned row = 0; row < 128; ++row) {
    for (unsigned group = 0; group < 8; ++group) sparse.set_code(row, group, row == 99 && group == 5 ? 0b0101 : 0b0100);
  }
  EXPECT_EQ(refusal(sparse, blackwell()), "metadata of row 99 of A, group 5 of its elements: 0b0101 is no sparsity code of .kind::f16");
  tensor_mma_bench scaled(make_operation(form_of(mxf4), descriptor_of(mxf4, 128, 8), false));
  EXPECT_NE(refusal(scaled, {}).find("arithmetic.mxf4.group_length is 0"), std::string::npos);
}

}  // namespace
}  // namespace tc::engine::test
