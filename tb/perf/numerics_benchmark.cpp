// SPDX-License-Identifier: Apache-2.0
// Multiply-accumulates per second of the bit-exact arithmetic: fragments of matrix instructions by the vector kernels of each set of
// instructions, and by the scalar dot-product unit for comparison.

#include <benchmark/benchmark.h>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <systemc>

#include <tc/numerics/matrix_product.hpp>

namespace {

using namespace tc::numerics;

constexpr unsigned rows = 16, columns = 8;  // of every fragment

constexpr rounding_rule f32_rounding{rounding_mode::toward_zero, 23}, f16_rounding{rounding_mode::to_nearest_even, 10};

struct fragment {
  std::string name;
  dot_product_types types;
  unsigned k;
  dot_product_parameters parameters;
};

dot_product_parameters fused(unsigned group_length, unsigned alignment_fraction_bits, rounding_rule rounding = f32_rounding) {
  dot_product_parameters parameters;
  parameters.group_length = group_length;
  parameters.alignment_fraction_bits = alignment_fraction_bits;
  parameters.output_rounding = rounding;
  return parameters;
}

/// Group lengths and alignment bits of the machines (MMA-Sim, arXiv 2511.10909).
std::vector<fragment> fragments() {
  using operation = dot_product_operation;
  return {
      {"volta_f16_k16", {f16, f16, f32}, 16, fused(4, 23)},
      {"turing_f16_k16", {f16, f16, f32}, 16, fused(8, 24)},
      {"hopper_f16_k16", {f16, f16, f32}, 16, fused(16, 25)},
      {"hopper_f16_k16_to_f16", {f16, f16, f16}, 16, fused(16, 25, f16_rounding)},
      {"hopper_bf16_k16", {bf16, bf16, f32}, 16, fused(16, 25)},
      {"hopper_tf32_k8", {tf32, tf32, f32}, 8, fused(8, 25)},
      {"hopper_e4m3_k32", {e4m3, e4m3, f32}, 32, fused(32, 13, {rounding_mode::toward_zero, 13})},
      {"blackwell_e4m3_k32", {e4m3, e4m3, f32}, 32, fused(32, 25)},
      {"s8_k32", {s8, s8, s32, operation::integer_saturate}, 32, {}},
      {"s4_k64", {s4, s4, s32, operation::integer_saturate}, 64, {}},
      {"b1_k256", {b1, b1, s32, operation::binary_xor}, 256, {}},
  };
}

/// Random words; floating-point elements between 1/2 and 2 in magnitude, or zero now and then.
std::vector<std::uint32_t> random_elements(const number_format& format, unsigned elements, std::mt19937& random) {
  std::vector<std::uint32_t> words(words_for(elements, format));
  for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random());
  if (!format.is_floating_point()) return words;
  for (unsigned i = 0; i < elements; ++i) {
    const std::uint64_t bits = random(), exponent = static_cast<std::uint64_t>(format.bias) - bits % 2;
    const std::uint64_t number = (bits >> 8 & (format.sign_bit() | format.fraction_mask())) | exponent << format.fraction_bits;
    set_packed_element(words.data(), i, format, random() % 16 == 0 ? 0 : number << format.ignored_bits);
  }
  return words;
}

/// The operands of a fragment; rows of A one after the other.
struct operands {
  explicit operands(const fragment& f)
      : a(random_elements(f.types.a, rows * f.k, random)),
        b(random_elements(f.types.b, columns * f.k, random)),
        c(random_elements(f.types.accumulator, rows * columns, random)),
        d(rows * columns) {
    if (f.types.accumulator == f16) {
      for (std::uint32_t& element : c) element &= 0xffff;
    }
    c.resize(rows * columns);
  }

  std::mt19937 random{1};
  std::vector<std::uint32_t> a, b, c, d;
};

void count(benchmark::State& state, const fragment& f) {
  const double products = static_cast<double>(state.iterations()) * rows * columns * f.k;
  state.counters["MAC/s"] = benchmark::Counter(products, benchmark::Counter::kIsRate);
}

void by_kernel(benchmark::State& state, const fragment& f, instruction_set set) {
  const matrix_product product(dot_product(f.types, f.parameters), set);
  if (!product.is_vectorised(f.k)) return state.SkipWithError("not vectorised");
  operands o(f);
  for ([[maybe_unused]] auto _ : state) {
    product({rows, columns, f.k, o.a.data(), o.b.data(), o.c.data(), o.d.data()});
    benchmark::ClobberMemory();
  }
  count(state, f);
}

void by_unit(benchmark::State& state, const fragment& f) {
  const dot_product unit(f.types, f.parameters);
  operands o(f);
  const unsigned words = words_for(f.k, f.types.a);
  for ([[maybe_unused]] auto _ : state) {
    for (unsigned r = 0; r < rows; ++r) {
      for (unsigned n = 0; n < columns; ++n) {
        const unsigned element = n * rows + r;
        o.d[element] = static_cast<std::uint32_t>(unit(&o.a[r * words], &o.b[n * words], f.k, o.c[element]));
      }
    }
    benchmark::ClobberMemory();
  }
  count(state, f);
}

}  // namespace

/// The model's library brings SystemC, whose main calls this.
int sc_main(int argc, char** argv) {
  for (const fragment& f : fragments()) {
    for (const instruction_set set : instruction_sets())
      benchmark::RegisterBenchmark((f.name + "/" + std::string(name(set))).c_str(), by_kernel, f, set);
    benchmark::RegisterBenchmark((f.name + "/scalar_unit").c_str(), by_unit, f);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
