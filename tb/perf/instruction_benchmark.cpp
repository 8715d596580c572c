// SPDX-License-Identifier: Apache-2.0
// Multiply-accumulates per second of the arithmetic of matrix instructions alone: the products that the dot-product units of a machine are
// asked for, again and again. tb/perf/speed.py compares whole runs with them.

#include <benchmark/benchmark.h>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <systemc>

#include <tc/config/make_dot_product.hpp>
#include <tc/config/presets.hpp>
#include <tc/isa/register_mma.hpp>
#include <tc/numerics/matrix_product.hpp>
#include <tc/subcore/tensor/product_layout.hpp>
#include <tc/subcore/tensor/tensor_operation.hpp>

namespace {

namespace isa = tc::isa;
namespace numerics = tc::numerics;

/// What dot-product units compute for one instruction.
struct work {
  numerics::dot_product unit;
  tc::links::product_shape shape;
};

/// An instruction that takes its operands from registers.
work of_registers(const std::string& mnemonic, const std::string& preset) {
  const tc::config::machine machine = tc::config::make_preset(preset);
  const auto& tensor_core = machine.sm.sub_core.tensor_core;
  const isa::mma_operation mma = isa::parse_register_mma(mnemonic, *isa::find_architecture(machine.architectures.front())).mma;
  const tc::links::product_shape shape = tc::subcore::product_layout::of(mma)->shape_of({});
  return {tc::subcore::dot_product_of(mma, tensor_core.arithmetic), shape};
}

/// A part of an instruction that takes them from shared memory: f16, sums in f32.
work of_shared_memory(const std::string& preset, unsigned rows) {
  const tc::config::machine machine = tc::config::make_preset(preset);
  return {tc::config::make_dot_product({numerics::f16, numerics::f16, numerics::f32}, machine.sm.sub_core.tensor_core.arithmetic,
                                       tc::config::operand_source::shared_memory),
          {1, rows, 128, 16}};
}

/// Random words; numbers in f16 between 1 and 2 in magnitude.
std::vector<std::uint32_t> random_words(unsigned elements, const numerics::number_format& format, std::mt19937& random) {
  std::vector<std::uint32_t> words(numerics::words_for(elements, format));
  for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random());
  if (format.is_floating_point())
    for (std::uint32_t& word : words) word = (word & 0x83ff83ff) | 0x3c003c00;
  return words;
}

void multiply(benchmark::State& state, const work& instruction) {
  const numerics::matrix_product product(instruction.unit);
  const auto& [products, rows, columns, k] = instruction.shape;
  const numerics::dot_product_types& types = instruction.unit.types();
  std::mt19937 random{1};
  const auto a = random_words(products * rows * k, types.a, random), b = random_words(products * columns * k, types.b, random);
  std::vector<std::uint32_t> c(std::size_t{products} * rows * columns), d(c);
  numerics::matrix_operands operands{rows, columns, k, a.data(), b.data(), c.data(), d.data()};
  operands.products = products;
  for ([[maybe_unused]] auto _ : state) {
    product(operands);
    benchmark::ClobberMemory();
  }
  state.counters["MAC/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * products * rows * columns * k, benchmark::Counter::kIsRate);
}

}  // namespace

/// The model's library brings SystemC, whose main calls this.
int sc_main(int argc, char** argv) {
  const std::vector<std::pair<const char*, const char*>> of_streams{{"HMMA.884.F32.F32.STEP0", "volta"}, {"HMMA.1688.F32", "turing"},
                                                                    {"IMMA.8816.S8.S8", "turing"},       {"BMMA.88128.XOR.POPC", "turing"},
                                                                    {"HMMA.16816.F32", "hopper"},        {"IMMA.16832.S8.S8", "hopper"}};
  for (const auto& [mnemonic, preset] : of_streams)
    benchmark::RegisterBenchmark((std::string(mnemonic) + "/" + preset).c_str(), multiply, of_registers(mnemonic, preset));
  benchmark::RegisterBenchmark("wgmma/hopper", multiply, of_shared_memory("hopper", 16));
  benchmark::RegisterBenchmark("tcgen05/blackwell", multiply, of_shared_memory("blackwell", 32));
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
