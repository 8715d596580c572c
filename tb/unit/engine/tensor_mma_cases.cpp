// SPDX-License-Identifier: Apache-2.0
#include "tensor_mma_cases.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

namespace tc::engine::test {
namespace {

using kind = isa::mma_kind;
using type = isa::element_type;
using isa::matrix_major;
using isa::scale_vector;

constexpr typed_kind f16_to_f32{}, f16_to_f16{kind::f16, type::f16, type::f16, type::f16}, tf32{kind::tf32, type::tf32, type::tf32},
    bytes{kind::i8, type::s8, type::u8, type::s32}, mxf8{kind::mxf8f6f4, type::e4m3, type::e4m3, type::f32, scale_vector::x1, type::ue8m0},
    nibbles{kind::mxf8f6f4, type::e2m1, type::e2m1, type::f32, scale_vector::x1, type::ue8m0},
    mxf4{kind::mxf4, type::e2m1, type::e2m1, type::f32, scale_vector::x2, type::ue8m0},
    nvf4{kind::mxf4nvf4, type::e2m1, type::e2m1, type::f32, scale_vector::x4, type::ue4m3};

std::vector<double> ones(unsigned count, double value = 1) { return std::vector<double>(count, value); }

constexpr std::uint32_t f32_one = 0x3F800000;
double power(int exponent) { return std::ldexp(1.0, exponent); }

/// All forms of the kind that there are, with each M.
std::vector<std::pair<isa::mma_form, unsigned>> forms_of(const typed_kind& types) {
  constexpr auto one = isa::cta_group::one, two = isa::cta_group::two;
  std::vector<std::pair<isa::mma_form, unsigned>> forms;
  for (const auto& [group, stationary] : {std::pair{one, false}, std::pair{two, false}, std::pair{one, true}}) {
    const isa::mma_form form{types.of, group, stationary, false, types.scales};
    if (!isa::mma_form_mistake(form).empty()) continue;
    for (const unsigned m : isa::mma_rows(form)) forms.emplace_back(form, m);
  }
  return forms;
}

bool is_transposed(kind of) {
  const auto swizzle = of == kind::tf32 ? isa::swizzle_mode::bytes_128_atom_32 : isa::swizzle_mode::none;
  return isa::mma_swizzle_mistake(of, matrix_major::mn, swizzle).empty();
}

/// The `number`th operation of a kind.
isa::tensor_mma_operation varied_operation(const typed_kind& types, const isa::mma_form& form, unsigned m, bool in_tensor_memory,
                                           unsigned number) {
  const unsigned n = form.group == isa::cta_group::two ? (m == 256 ? 32 : 96) : form.weight_stationary ? 64 : 48;
  isa::instruction_descriptor descriptor = descriptor_of(types, m, n);
  if (is_transposed(types.of) && !in_tensor_memory) descriptor.a_major = matrix_major::mn;
  if (is_transposed(types.of) && number % 2 == 0) descriptor.b_major = matrix_major::mn;
  descriptor.negate_a = types.of != kind::i8 && number % 3 == 0;
  descriptor.negate_b = types.of != kind::i8 && number % 3 == 1;
  const bool scaled = types.scales != scale_vector::none;
  if (scaled) {
    descriptor.scale_a_id = types.scales == scale_vector::x4 ? 0 : 2;
    descriptor.scale_b_id = types.scales == scale_vector::x1 ? 3 : 0;
  }
  constexpr isa::swizzle_mode modes[] = {isa::swizzle_mode::none, isa::swizzle_mode::bytes_32, isa::swizzle_mode::bytes_64,
                                         isa::swizzle_mode::bytes_128};
  isa::tensor_mma_operation operation = make_operation(form, descriptor, in_tensor_memory, modes[number % 4]);
  if (isa::fills_half_lanes(isa::layout_of(form, m)) && in_tensor_memory) {
    operation.d |= 16U << 16;
    operation.a_address |= 16U << 16;
  }
  operation.enable_input_d = number % 4 != 1;
  if (types.of == kind::tf32 && !form.weight_stationary) operation.scale_input_d = 2;
  if (!form.weight_stationary && !scaled) operation.disabled_lanes.assign(4 * isa::ctas(form.group), 0x80010420 + number);
  if (form.weight_stationary) operation.zero_column_mask = 0x0b03028301020100 + (std::uint64_t{number} << 40);
  return operation;
}

std::vector<known_output> sums_of_25_fraction_bits() {
  return {{f16_to_f32, {{-1, power(-13)}, {1, power(-12)}, f32_one}, 0x33000000},
          {f16_to_f32, {{-1, power(-13)}, {1, power(-13)}, f32_one}, 0},
          {f16_to_f32, {{-power(-13)}, {power(-13)}, f32_one}, f32_one},
          {f16_to_f32, {{-power(-13)}, {power(-12)}, f32_one}, 0x3F7FFFFF},
          {f16_to_f32, {ones(16), ones(16), 0x4C800000}, 0x4C800000},
          {f16_to_f32, {ones(16), ones(16), 0x4B800000}, 0x4B800008},
          {f16_to_f32, {{power(15), 1, -power(15)}, {power(15), 1, power(15)}}, 0},
          {f16_to_f32, {{power(12), 1, -power(12)}, {power(12), 1, power(12)}}, f32_one}};
}

std::vector<known_output> scaled_blocks() {
  std::vector<double> a(64), b(64);
  a[0] = -1;
  a[32] = b[0] = b[32] = 1;
  return {{mxf4, {ones(64, 6), ones(64, 0.5), 0, {128, 128}, {125, 125}}, 0x42C00000},
          {mxf4, {ones(64, 6), ones(64, 0.5), 0, {128, 127}, {125, 127}}, 0x43100000},
          {mxf4, {a, b, f32_one, {127, 127}, {127, 127 - 35}}, 0x2E000000},
          {mxf4, {a, b, f32_one, {127, 127}, {127, 127 - 36}}, 0},
          {mxf4, {{-1}, {1}, f32_one, {127, 127}, {127 - 30, 127}}, 0x3F7FFFFF}};
}

}  // namespace

std::uint32_t bits_of(double value, type format) { return static_cast<std::uint32_t>(numerics::encode(value, isa::format_of(format))); }

std::ostream& operator<<(std::ostream& out, const typed_kind& types) {
  return out << isa::name(types.of) << "_" << isa::name(types.a) << "_" << isa::name(types.b) << "_" << isa::name(types.d) << "_"
             << isa::name(types.scale);
}

std::vector<typed_kind> typed_kinds() {
  return {f16_to_f32,
          {kind::f16, type::bf16, type::bf16},
          f16_to_f16,
          tf32,
          {kind::f8f6f4, type::e4m3, type::e5m2},
          {kind::f8f6f4, type::e2m1, type::e3m2, type::f16},
          {kind::f8f6f4, type::e2m3, type::e2m1},
          bytes,
          {kind::mxf8f6f4, type::e5m2, type::e2m1, type::f32, scale_vector::x1, type::ue8m0},
          mxf4,
          nvf4};
}

isa::instruction_descriptor descriptor_of(const typed_kind& types, unsigned m, unsigned n, bool sparse) {
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

isa::mma_form form_of(const typed_kind& types) { return {types.of, isa::cta_group::one, false, false, types.scales}; }

std::vector<named_operation> operations_in_every_layout(const typed_kind& types) {
  std::vector<named_operation> operations;
  for (const auto& [form, m] : forms_of(types)) {
    for (const bool in_tensor_memory : {false, true}) {
      const isa::data_path_layout layout = isa::layout_of(form, m);
      if (in_tensor_memory && (layout == isa::data_path_layout::e || layout == isa::data_path_layout::g)) continue;
      const auto number = static_cast<unsigned>(operations.size());
      const std::string letter(1, "abcdefg"[static_cast<unsigned>(layout)]);
      operations.push_back({"layout " + letter + ", M = " + std::to_string(m) + (in_tensor_memory ? ", TS" : ""),
                            varied_operation(types, form, m, in_tensor_memory, number)});
    }
  }
  return operations;
}

std::vector<named_operation> sparse_operations(const typed_kind& types) {
  std::vector<named_operation> operations;
  for (const auto& [group, stationary] :
       {std::pair{isa::cta_group::one, false}, std::pair{isa::cta_group::one, true}, std::pair{isa::cta_group::two, false}}) {
    const isa::mma_form form{types.of, group, stationary, true, types.scales};
    if (!isa::mma_form_mistake(form).empty()) continue;
    for (const bool in_tensor_memory : {false, true}) {
      isa::instruction_descriptor descriptor = descriptor_of(types, 128 * isa::ctas(group), stationary ? 64 : 16 * isa::ctas(group), true);
      const bool transposes = types.of == kind::f16 || types.of == kind::i8;
      if (transposes && in_tensor_memory) descriptor.b_major = matrix_major::mn;
      const auto swizzle = in_tensor_memory ? isa::swizzle_mode::bytes_64 : isa::swizzle_mode::none;
      operations.push_back({std::string("sparse") + (stationary ? ", .ws" : "") + (group == isa::cta_group::two ? ", of two CTAs" : "") +
                                (in_tensor_memory ? ", TS" : ""),
                            make_operation(form, descriptor, in_tensor_memory, swizzle)});
    }
  }
  return operations;
}

void put(tensor_mma_bench& bench, const typed_kind& types, const single_output& output) {
  for (unsigned m = 0; m < bench.plan().m(); ++m) {
    for (unsigned k = 0; k < bench.plan().k(); ++k)
      bench.set_a(m, k, bits_of(m == output_row && k < output.a.size() ? output.a[k] : 0, types.a));
  }
  for (unsigned n = 0; n < bench.plan().n(); ++n) {
    for (unsigned k = 0; k < bench.plan().k(); ++k)
      bench.set_b(n, k, bits_of(n == output_column && k < output.b.size() ? output.b[k] : 0, types.b));
  }
  bench.set_c(output_row, output_column, output.c);
  for (unsigned block = 0; block < output.scale_a.size(); ++block) {
    bench.set_scale_a(output_row, block, output.scale_a[block]);
    bench.set_scale_b(output_column, block, output.scale_b[block]);
  }
}

isa::tensor_mma_operation known_output::operation() const {
  isa::instruction_descriptor descriptor = descriptor_of(types, 128, 8);
  descriptor.saturate = saturate;
  isa::tensor_mma_operation operation = make_operation(form_of(types), descriptor, false);
  operation.scale_input_d = static_cast<std::uint8_t>(scale_input_d);
  return operation;
}

std::vector<known_outputs> outputs_of_rules() {
  return {
      {"case_18_terms_truncated_to_25_fraction_bits", sums_of_25_fraction_bits()},
      {"case_19_products_that_are_not_normalised",
       {{f16_to_f32, {{1.5, -1.5, power(-13)}, {1.5, 1.5, power(-12)}}, 0x33000000},
        {f16_to_f32, {{1.5, -1.5, power(-13)}, {1.5, 1.5, power(-13)}}, 0}}},
      {"case_20_halves_rounded_to_nearest",
       {{f16_to_f16, {{power(-11)}, {1}, 0x3C00}, 0x3C00},
        {f16_to_f16, {{3 * power(-11)}, {1}, 0x3C00}, 0x3C02},
        {f16_to_f16, {{power(-11), power(-10)}, {1, power(-10)}, 0x3C00}, 0x3C01},
        {f16_to_f16, {{std::nan("")}, {1}, 0x3C00}, 0x7FFF},
        {f16_to_f32, {{std::nan("")}, {1}, f32_one}, 0x7FFFFFFF}}},
      {"case_21_mxf4_with_35_fraction_bits", scaled_blocks()},
      {"case_22_nvf4",
       {{nvf4, {ones(64), ones(64, 1.5), bits_of(10, type::f32), {0x38, 0x40, 0x34, 0x7E}, {0x38, 0x38, 0x40, 0x01}}, 0x430B0000}}},
      {"case_23_mxf8f6f4_with_25_fraction_bits",
       {{mxf8, {ones(32, 2), ones(32, 3), bits_of(5, type::f32), {130}, {126}}, 0x44414000},
        {nibbles, {{-1}, {1}, f32_one, {127}, {127 - 30}}, f32_one}}},
      {"case_30_scale_input_d",
       {{f16_to_f32, {{10}, {1}, bits_of(96, type::f32)}, bits_of(22, type::f32), 3},
        {tf32, {{10}, {1}, bits_of(96, type::f32)}, bits_of(10 + 96.0 / 32768, type::f32), 15},
        {f16_to_f16, {{}, {}, 0x0401}, 0x0200, 1},  // truncated
        {f16_to_f32, {{}, {}, 0x00C00000}, 0x00600000, 1},
        {f16_to_f32, {{}, {}, 0xFF800000}, 0xFF800000, 15}}},
      {"integers_wrapped_or_saturated",
       {{bytes, {{127}, {255}, 0x7FFFFFFF}, 0x7FFFFFFFU + 127 * 255},
        {bytes, {{127}, {255}, 0x7FFFFFFF}, 0x7FFFFFFF, 0, true},
        {bytes, {{-128}, {1}, 0x80000001}, 0x80000000, 0, true}}},
  };
}

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
