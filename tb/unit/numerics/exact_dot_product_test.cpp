// SPDX-License-Identifier: Apache-2.0
#include "exact_dot_product.hpp"

#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <tc/numerics/dot_product.hpp>

#include "random_operands.hpp"

// Every datapath against an implementation in exact arithmetic, on random operands that look for corners. A short run by default; the
// environment variable TCSIM_DIFFERENTIAL_DOTS sets the number of dot products for each datapath and combination of formats, for
// instance
//   TCSIM_DIFFERENTIAL_DOTS=1000000 tc_unit_numerics --gtest_filter='*datapath*'
// Seeds are fixed: a failure says the dot product's operands, and comes again.

namespace tc::numerics::test::exact_dot_product_test {
namespace {

unsigned long dots_of_a_run() {
  const char* const text = std::getenv("TCSIM_DIFFERENTIAL_DOTS");
  return text == nullptr ? 400 : std::stoul(text);
}

/// A datapath under test.
struct datapath {
  std::string name;
  dot_product_types types;
  dot_product_parameters parameters;
  unsigned k;           ///< elements of a row, as instructions have them
  unsigned k_step = 1;  ///< rows of other lengths are multiples of this
};

void PrintTo(const datapath& unit, std::ostream* out) { *out << unit.name; }

/// A dot product as the library computes it.
std::uint64_t computed(const dot_product& unit, const dot_operands& operands) {
  const auto a = packed(operands.a, unit.types().a.storage_bits), b = packed(operands.b, unit.types().b.storage_bits);
  const auto k = static_cast<unsigned>(operands.a.size());
  if (!unit.types().scaling) return unit(a.data(), b.data(), k, operands.c);
  return unit(a.data(), b.data(), packed(operands.scale_a, 8).data(), packed(operands.scale_b, 8).data(), k, operands.c);
}

/// Same bits; any NaN for any other in f64, whose payload is no part of the rules.
bool agree(std::uint64_t x, std::uint64_t y, const number_format& format) {
  const auto is_nan = [](std::uint64_t bits) { return decoded(bits, find_exact_format("f64")).is_nan(); };
  return x == y || (format == f64 && is_nan(x) && is_nan(y));
}

std::string described(const datapath& unit, const dot_operands& operands) {
  const dot_product_parameters& settings = unit.parameters;
  const auto text = fmt::format(
      "{}: {} x {} -> {}, order {}, groups of {}, {} products a term, {} alignment bits, floor {}, addend {}, "
      "rounding {} to {} bits, flush {}, zeros {}",
      unit.name, unit.types.a.name, unit.types.b.name, unit.types.accumulator.name, static_cast<int>(settings.order), settings.group_length,
      settings.products_per_term, settings.alignment_fraction_bits, settings.alignment_floor, static_cast<int>(settings.addend),
      static_cast<int>(settings.output_rounding.mode), settings.output_rounding.kept_fraction_bits, settings.flush_subnormals,
      settings.align_to_zeros);
  return fmt::format("{}\na       {:#x}\nb       {:#x}\nscale a {:#x}\nscale b {:#x}\nc       {:#x}", text, fmt::join(operands.a, " "),
                     fmt::join(operands.b, " "), fmt::join(operands.scale_a, " "), fmt::join(operands.scale_b, " "), operands.c);
}

/// Compares `dots` dot products; the first difference ends it.
void compare(const datapath& unit, unsigned long dots, std::uint64_t seed) {
  const dot_product tested(unit.types, unit.parameters);
  random_operands next(unit.types, seed);
  std::mt19937 lengths(static_cast<unsigned>(seed));
  for (unsigned long i = 0; i < dots; ++i) {
    const unsigned steps = 2 * unit.k / unit.k_step;
    const unsigned k = lengths() % 4 == 0 ? (1 + static_cast<unsigned>(lengths()) % steps) * unit.k_step : unit.k;
    const dot_operands operands = next(k);
    const std::uint64_t expected = exact_dot_product(unit.types, unit.parameters, operands), got = computed(tested, operands);
    ASSERT_TRUE(agree(got, expected, unit.types.accumulator))
        << fmt::format("seed {}, dot product {}: library {:#x}, exact {:#x}\n", seed, i, got, expected) << described(unit, operands);
  }
}

constexpr rounding_rule truncated{rounding_mode::toward_zero, 23}, truncated_to_13_bits{rounding_mode::toward_zero, 13};
constexpr rounding_rule nearest{rounding_mode::to_nearest_even, 52};
constexpr number_format small_formats[] = {e5m2, e4m3, e3m2, e2m3, e2m1};

/// Group length, alignment bits and floor of a datapath (MMA-Sim, arXiv 2511.10909).
struct fused_width {
  unsigned group_length, alignment_bits, alignment_floor;
  rounding_rule f32_rounding = truncated;
};

class datapath_list {
 public:
  const std::vector<datapath>& all() const { return all_; }

  void add(const std::string& name, const dot_product_types& types, const dot_product_parameters& parameters, unsigned k,
           unsigned k_step = 1) {
    all_.push_back({fmt::format("{}_{}_{}_{}", name, types.a.name, types.b.name, types.accumulator.name), types, parameters, k, k_step});
  }
  void add_fused(const std::string& name, const number_format& a, const number_format& b, const fused_width& width, bool has_f16) {
    dot_product_parameters parameters;
    parameters.group_length = width.group_length;
    parameters.alignment_fraction_bits = width.alignment_bits;
    parameters.alignment_floor = width.alignment_floor;
    parameters.output_rounding = width.f32_rounding;
    add(name, {a, b, f32}, parameters, std::max(16u, width.group_length));
    parameters.output_rounding = nearest;
    if (has_f16) add(name, {a, b, f16}, parameters, std::max(16u, width.group_length));
  }
  void add_scaled(const std::string& name, const number_format& a, const number_format& b, const block_scaling& scaling,
                  const dot_product_parameters& parameters, unsigned k) {
    add(fmt::format("{}_{}_{}", name, scaling.format.name, scaling.block_length), {a, b, f32, dot_product_operation::float_sum, scaling},
        parameters, k, scaling.block_length);
  }

 private:
  std::vector<datapath> all_;
};

std::vector<datapath> silicon_datapaths() {
  datapath_list list;
  list.add_fused("volta", f16, f16, {4, 23, 5}, true);
  list.add_fused("turing", f16, f16, {8, 24, 6}, true);
  list.add_fused("turing_m8n8k4", f16, f16, {4, 24, 6}, true);
  for (const std::string name : {"ampere", "ada"}) {
    list.add_fused(name, f16, f16, {8, 24, 6}, true);
    list.add_fused(name, bf16, bf16, {8, 24, 6}, false);
    list.add_fused(name, tf32, tf32, {4, 24, 6}, false);
  }
  for (const std::string name : {"hopper", "blackwell"}) {
    list.add_fused(name, f16, f16, {16, 25, 7}, true);
    list.add_fused(name, bf16, bf16, {16, 25, 7}, false);
    list.add_fused(name, tf32, tf32, {8, 25, 7}, false);
  }
  for (const auto& a : {e4m3, e5m2}) {
    for (const auto& b : {e4m3, e5m2}) {
      list.add_fused("ada", a, b, {16, 13, 6, truncated_to_13_bits}, true);
      list.add_fused("hopper_wgmma", a, b, {32, 13, 7, truncated_to_13_bits}, true);
      dot_product_parameters converted;
      converted.addend = addend_position::after_sum;
      converted.multiply_as_f16 = true;
      list.add("hopper_mma", {a, b, f32}, converted, 32, 4);
    }
  }
  dot_product_parameters chain;
  chain.order = summation::fma_chain;
  chain.output_rounding = nearest;
  list.add("ampere", {f64, f64, f64}, chain, 16);
  return list.all();
}

std::vector<datapath> blackwell_datapaths() {
  datapath_list list;
  dot_product_parameters scaled;
  scaled.group_length = 32;
  for (const auto& a : small_formats) {
    for (const auto& b : small_formats) {
      list.add_fused("f8f6f4", a, b, {32, 25, 7}, true);
      list.add_scaled("mxf8f6f4", a, b, {ue8m0, 32}, scaled, 32);
    }
  }
  scaled.group_length = 64;
  scaled.products_per_term = 16;
  scaled.alignment_fraction_bits = 35;
  scaled.alignment_floor = 13;
  for (const auto& scaling : {block_scaling{ue8m0, 32}, block_scaling{ue8m0, 16}, block_scaling{ue4m3, 16}})
    list.add_scaled("mxf4", e2m1, e2m1, scaling, scaled, 64);
  return list.all();
}

std::vector<datapath> integer_datapaths() {
  datapath_list list;
  const auto add = [&list](const char* name, const number_format& a, const number_format& b, dot_product_operation operation, unsigned k) {
    list.add(name, {a, b, s32, operation}, {}, k);
  };
  for (const auto& a : {s8, u8}) {
    for (const auto& b : {s8, u8}) {
      add("wrap", a, b, dot_product_operation::integer_wrap, 32);
      add("saturate", a, b, dot_product_operation::integer_saturate, 32);
    }
  }
  for (const auto& a : {s4, u4}) {
    for (const auto& b : {s4, u4}) {
      add("wrap", a, b, dot_product_operation::integer_wrap, 64);
      add("saturate", a, b, dot_product_operation::integer_saturate, 64);
    }
  }
  add("xor", b1, b1, dot_product_operation::binary_xor, 256);
  add("and", b1, b1, dot_product_operation::binary_and, 256);
  return list.all();
}

class exact_comparison : public testing::TestWithParam<datapath> {};

TEST_P(exact_comparison, has_no_difference) { compare(GetParam(), dots_of_a_run(), 20260731); }

std::string name_of(const testing::TestParamInfo<datapath>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(silicon_datapath, exact_comparison, testing::ValuesIn(silicon_datapaths()), name_of);
INSTANTIATE_TEST_SUITE_P(blackwell_datapath, exact_comparison, testing::ValuesIn(blackwell_datapaths()), name_of);
INSTANTIATE_TEST_SUITE_P(integer_datapath, exact_comparison, testing::ValuesIn(integer_datapaths()), name_of);

/// A datapath of no silicon: settings drawn at random, among those that go together.
datapath any_datapath(summation order, std::mt19937_64& random) {
  const auto uniform = [&random](unsigned first, unsigned last) { return std::uniform_int_distribution<unsigned>(first, last)(random); };
  const auto toss = [&uniform] { return uniform(0, 1) == 1; };
  const number_format inputs[] = {f16, bf16, tf32, e5m2, e4m3, e3m2, e2m3, e2m1};
  const dot_product_types types{inputs[uniform(0, 7)], inputs[uniform(0, 7)], toss() ? f32 : f16};
  dot_product_parameters settings;
  settings.order = order;
  settings.group_length = toss() ? 1u << uniform(0, 7) : uniform(1, 20);
  settings.alignment_fraction_bits = toss() ? uniform(10, 36) : uniform(0, maximum_alignment_bits);
  settings.alignment_floor = toss() ? uniform(0, 15) : uniform(0, maximum_alignment_floor);
  settings.addend = toss() ? addend_position::in_first_group : addend_position::after_sum;
  settings.output_rounding.mode = toss() ? rounding_mode::toward_zero : rounding_mode::to_nearest_even;
  settings.output_rounding.kept_fraction_bits = toss() ? 23 : uniform(1, 23);
  settings.flush_subnormals = toss();
  settings.align_to_zeros = toss() && (order == summation::fused || order == summation::paired_groups);
  return {"any", types, settings, 20};
}

class any_settings : public testing::TestWithParam<summation> {};

TEST_P(any_settings, have_no_difference) {
  std::mt19937_64 random(static_cast<std::uint64_t>(GetParam()) + 7);
  const unsigned long dots = dots_of_a_run();
  for (unsigned long i = 0; i < dots / 4 && !HasFailure(); ++i) compare(any_datapath(GetParam(), random), 8, random());
}

INSTANTIATE_TEST_SUITE_P(fused_datapath, any_settings, testing::Values(summation::fused));
INSTANTIATE_TEST_SUITE_P(paired_groups_datapath, any_settings, testing::Values(summation::paired_groups));
INSTANTIATE_TEST_SUITE_P(fma_chain_datapath, any_settings, testing::Values(summation::fma_chain));
INSTANTIATE_TEST_SUITE_P(adder_tree_datapath, any_settings, testing::Values(summation::adder_tree));

}  // namespace
}  // namespace tc::numerics::test::exact_dot_product_test
