// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/trace/trace_error.hpp>

#include "device/test_machine.hpp"

namespace tc::device::test::declared_shape_run_test {

namespace {

// The traces of examples/matrix_shapes, written anew: operands, layouts and products are computed here, by nothing of the model.

namespace fs = std::filesystem;

constexpr unsigned lanes = 32, lanes_of_group = 4, tile = 8;

/// A format with few bits, whose elements are written as their bits.
struct element_format {
  unsigned bits;
  std::uint32_t (*encode)(double value);
};

std::uint32_t fp4_of(double value) {
  const double magnitudes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};  // OCP Microscaling Formats, E2M1
  for (std::uint32_t code = 0; code < 8; ++code)
    if (magnitudes[code] == std::abs(value)) return code | (value < 0 ? 8U : 0U);
  ADD_FAILURE() << value << " is no e2m1";
  return 0;
}

std::uint32_t f16_of(double value) {
  if (value == 0) return 0;
  int exponent = 0;
  const double fraction = std::frexp(std::abs(value), &exponent);  // from 0.5 to 1
  const auto field = static_cast<std::uint32_t>(exponent + 14), significand = static_cast<std::uint32_t>(fraction * 2048);
  EXPECT_EQ(significand, fraction * 2048);
  return (value < 0 ? 0x8000U : 0U) | field << 10 | (significand & 0x3ffU);
}

std::uint32_t f32_of(double value) {
  const auto single = static_cast<float>(value);
  std::uint32_t bits = 0;
  std::memcpy(&bits, &single, sizeof bits);
  return bits;
}

/// An instruction that no part has, and the machine of its example.
struct example {
  std::string file, arch, mnemonic, types, machine, store;
  unsigned m, n, k;
  element_format format;
  double (*a)(unsigned row, unsigned k);
  double (*b)(unsigned k, unsigned column);
};

double fp4_value(unsigned number) {
  constexpr double values[] = {0, 0.5, -1, 1.5, 2, -3, 4, -6, 1, -0.5};
  return values[number % 10];
}
double eighths(unsigned number) { return (static_cast<double>(number % 17) - 8) / 8; }

const example fp4{"fp4_16x16x32.trace",
                  "sm_75",
                  "HMMA.161632.F32.E2M1",
                  "a e2m1 b e2m1 d f32",
                  "turing",
                  "STG.E.SYS [R2+{:#x}], R{}",
                  16,
                  16,
                  32,
                  {4, fp4_of},
                  [](unsigned row, unsigned k) { return fp4_value(7 * row + 3 * k + row * k); },
                  [](unsigned k, unsigned column) { return fp4_value(5 * k + 9 * column + k * column / 3); }};

const example long_k{"f16_16x8x32.trace",
                     "sm_80",
                     "HMMA.16832.F32",
                     "a f16 b f16 d f32",
                     "ampere",
                     "STG.E [R2.64+{:#x}], R{}",
                     16,
                     8,
                     32,
                     {16, f16_of},
                     [](unsigned row, unsigned k) { return eighths(5 * row + 3 * k + row * k); },
                     [](unsigned k, unsigned column) { return eighths(7 * k + 11 * column + k * column / 2); }};

double addend(unsigned row, unsigned column) { return static_cast<double>(row) - 2.0 * column; }

double product(const example& e, unsigned row, unsigned column) {
  double sum = addend(row, column);
  for (unsigned k = 0; k < e.k; ++k) sum += e.a(row, k) * e.b(k, column);
  return sum;
}

/// A register of each lane.
using words = std::vector<std::uint32_t>;

std::vector<words> multiplicand(const example& e, bool is_a) {
  const unsigned run = 32 / e.format.bits, ks = e.k / (lanes_of_group * run), blocks = (is_a ? e.m : e.n) / tile;
  std::vector<words> registers(ks * blocks, words(lanes));
  for (unsigned r = 0; r < registers.size(); ++r)
    for (unsigned lane = 0; lane < lanes; ++lane)
      for (unsigned i = 0; i < run; ++i) {
        // Of A rows g and g + 8 follow each other, of B all k of the first eight columns come before the others.
        const unsigned block = is_a ? r % blocks : r / ks, k_tile = is_a ? r / blocks : r % ks;
        const unsigned line = lane / lanes_of_group + tile * block, k = (lanes_of_group * k_tile + lane % lanes_of_group) * run + i;
        registers[r][lane] |= e.format.encode(is_a ? e.a(line, k) : e.b(k, line)) << (i * e.format.bits);
      }
  return registers;
}

template <class Value>
std::vector<words> accumulator(const example& e, const Value& value) {
  std::vector<words> registers(e.m * e.n / lanes, words(lanes));
  for (unsigned r = 0; r < registers.size(); ++r)
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const unsigned row = lane / lanes_of_group + tile * (r / 2 % 2), column = 2 * (lane % lanes_of_group) + r % 2 + tile * (r / 4);
      registers[r][lane] = f32_of(value(row, column));
    }
  return registers;
}

void add_presets(std::string& text, unsigned first, const std::vector<words>& registers) {
  for (const words& each : registers) text += fmt::format("reg R{} {{0x{:08x}}}\n", first++, fmt::join(each, ", 0x"));
}

constexpr unsigned a_register = 8, b_register = 16, c_register = 24, d_register = 32;
constexpr unsigned result = 0x10000, register_bytes = 4 * lanes;

std::string instruction(const example& e) {
  return fmt::format("{} R{}, R{}, R{}, R{}", e.mnemonic, d_register, a_register, b_register, c_register);
}

std::string text_of(const example& e) {
  const std::vector<words> sums = accumulator(e, [&](unsigned row, unsigned column) { return product(e, row, column); });
  const std::size_t bytes = sums.size() * register_bytes;
  std::string digits;
  for (const words& each : sums)
    for (const std::uint32_t word : each)
      for (unsigned byte = 0; byte < 4; ++byte) digits += fmt::format("{:02x}", word >> (8 * byte) & 0xffU);
  std::string text = fmt::format("tcsim-trace 1\narch {}\nkernel product of {} x {} x {}\ngrid 1 1 1\nblock 32 1 1\nregisters 64\n", e.arch,
                                 e.m, e.n, e.k);
  text += fmt::format("matrix-shape {} m {} n {} k {} {}\n", e.mnemonic, e.m, e.n, e.k, e.types);
  text += fmt::format("memory {:#x} {} zero\nexpect {:#x} {} hex {}\ncta 0 0 0\nwarp 0\n", result, bytes, result, bytes, digits);
  words addresses(lanes);
  for (unsigned lane = 0; lane < lanes; ++lane) addresses[lane] = result + 4 * lane;
  add_presets(text, 2, {addresses, words(lanes)});
  add_presets(text, a_register, multiplicand(e, true));
  add_presets(text, b_register, multiplicand(e, false));
  add_presets(text, c_register, accumulator(e, addend));
  text += fmt::format("/*0000*/ {}\n", instruction(e));
  for (unsigned r = 0; r < sums.size(); ++r)
    text += fmt::format("/*{:04x}*/ {} @ {:#x}+4\n", 16 * (r + 1), fmt::format(fmt::runtime(e.store), register_bytes * r, d_register + r),
                        result + register_bytes * r);
  return text + fmt::format("/*{:04x}*/ EXIT\n", 16 * (sums.size() + 1));
}

fs::path folder() { return fs::path(TC_SOURCE_DIR) / "examples" / "matrix_shapes"; }

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void expect_written(const example& e) {
  const std::string text = text_of(e);
  if (std::getenv("TCSIM_WRITE_GOLDEN") != nullptr) std::ofstream(folder() / e.file, std::ios::binary) << text;
  EXPECT_EQ(content_of(folder() / e.file), text) << "TCSIM_WRITE_GOLDEN=1 writes it";
}

/// What the example's machine needs besides its preset.
config::machine machine_of(const example& e) {
  if (e.machine != "turing") return preset(e.machine);
  const std::string core = "sm.sub_core.tensor_core.";
  return preset("turing", {core + "unit.f4_per_cycle=16", core + "arithmetic.f8f6f4.group_length=16"});
}

accounting::run_result run(const example& e, const std::string& text) { return test_machine(machine_of(e), {text}).run(); }

TEST(declared_shape, of_fp4_by_sixteen_columns_is_what_its_example_says) { expect_written(fp4); }
TEST(declared_shape, of_twice_the_k_is_what_its_example_says) { expect_written(long_k); }

TEST(declared_shape, of_fp4_by_sixteen_columns_has_the_bits_of_exact_sums) {
  const accounting::run_result ran = run(fp4, text_of(fp4));
  EXPECT_EQ(ran.kernels.at(0).expectations.size(), 1U);
  EXPECT_EQ(ran.mismatches(), 0U);
  expect_cycles_accounted(ran);
}

TEST(declared_shape, of_twice_the_k_has_the_bits_of_exact_sums) {
  const accounting::run_result ran = run(long_k, text_of(long_k));
  EXPECT_EQ(ran.kernels.at(0).expectations.size(), 1U);
  EXPECT_EQ(ran.mismatches(), 0U);
}

/// The same trace with other products, whose results are not what it expects.
std::string with_mnemonic(const example& e, const std::string& mnemonic) {
  std::string text = text_of(e);
  const std::string line = "/*0000*/ " + e.mnemonic + " ";
  return text.replace(text.find(line), line.size(), "/*0000*/ " + mnemonic + " ");
}

TEST(declared_shape, of_twice_the_k_takes_as_much_longer_as_the_structure_says) {
  const std::string half = with_mnemonic(long_k, "HMMA.16816.F32");
  test_machine machine(machine_of(long_k), {half, half, text_of(long_k)});  // the first one fills the caches
  const accounting::run_result ran = machine.run();
  constexpr unsigned more_of_a = 2;        // cycles for four registers more of A, two in a cycle
  constexpr unsigned more_beats = 8;       // 16 outputs of a threadgroup by 16 more k, by 8 units of 4 products
  constexpr unsigned more_passes = 2 * 3;  // two registers more of B, whose sums pass the adders' three stages again
  EXPECT_EQ(ran.kernels.at(2).cycles(), ran.kernels.at(1).cycles() + more_of_a + more_beats + more_passes);
}

TEST(declared_shape, is_unknown_without_its_line) {
  std::string text = text_of(long_k);
  const std::size_t line = text.find("matrix-shape");
  text.erase(line, text.find('\n', line) + 1 - line);
  EXPECT_THROW(run(long_k, text), trace::trace_error);
}

}  // namespace

}  // namespace tc::device::test::declared_shape_run_test
