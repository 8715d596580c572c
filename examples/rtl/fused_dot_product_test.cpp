// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include <tc/config/machine_loader.hpp>
#include <tc/config/make_dot_product.hpp>
#include <tc/study/case_arithmetic.hpp>
#include <tc/study/vector_file.hpp>

#include "patterns.hpp"
#include "recorded_vectors.hpp"
#include "rtl_bench.hpp"
#include "rtl_variants.hpp"

// The RTL by itself, bit by bit.

namespace rtl::test {
namespace {

using tc::numerics::dot_product;

/// A generation whose arithmetic some RTL has.
struct generation {
  const char* preset;
  unsigned length;
  std::vector<std::string> origins{};  ///< of recorded vectors: the beginnings of their files' names
};
void PrintTo(const generation& which, std::ostream* out) { *out << which.preset; }

/// The model's arithmetic.
class reference {
 public:
  explicit reference(const std::string& preset)
      : arithmetic_(tc::config::load_machine(std::filesystem::path(TC_SOURCE_DIR) / "configs" / (preset + ".json"))
                        .sm.sub_core.tensor_core.arithmetic) {}

  std::uint32_t operator()(const operation& one) const {
    const auto packed = [](const std::vector<std::uint16_t>& line) {
      std::vector<std::uint32_t> words;
      for (std::size_t i = 0; i < line.size(); i += 2) words.push_back(line[i] | std::uint32_t{line[i + 1]} << 16);
      return words;
    };
    const auto length = static_cast<unsigned>(one.a.size());
    return static_cast<std::uint32_t>((one.is_f16 ? f16_ : f32_)(packed(one.a).data(), packed(one.b).data(), length, one.c));
  }

 private:
  dot_product unit(const tc::numerics::number_format& sums) const {
    return tc::config::make_dot_product({tc::numerics::f16, tc::numerics::f16, sums}, arithmetic_);
  }

  tc::config::arithmetic_parameters arithmetic_;
  dot_product f16_ = unit(tc::numerics::f16), f32_ = unit(tc::numerics::f32);
};

class fused_dot_product_rtl : public testing::TestWithParam<generation> {};

TEST_P(fused_dot_product_rtl, gives_the_bits_of_the_model) {
  const reference expected(GetParam().preset);
  rtl_bench rtl(threadgroup_of(GetParam().length));
  const auto patterns = make_patterns(GetParam().length, 20000);
  const auto results = rtl.run(patterns);
  for (std::size_t i = 0; i < patterns.size(); ++i) ASSERT_EQ(results[i], expected(patterns[i])) << "pattern " << i;
}

/// The operations of the outputs of a vector file, at most `count` outputs, and what they amount to.
struct recorded {
  std::vector<operation> operations;  ///< of all k
  std::vector<std::uint32_t> results;
};

recorded read_vectors(const std::filesystem::path& file, std::size_t count) {
  tc::study::vector_reader reader(file);
  const tc::study::vector_header& header = reader.header();
  const tc::study::case_arithmetic layout(header, tc::study::make_unit(header.operation, {}));
  tc::study::vector_case values = tc::study::make_case(header);
  recorded all;
  while (all.results.size() < count && reader.next(values)) {
    for (unsigned output = 0; output < header.outputs(); ++output) {
      const unsigned per_matrix = header.rows() * header.columns();
      const unsigned matrix = output / per_matrix, column = output % per_matrix / header.rows(), row = output % header.rows();
      const tc::study::dot_operands operands = layout.operands_of(values, {matrix, row, column});
      operation one;
      for (unsigned i = 0; i < header.operation.k; ++i) {
        one.a.push_back(static_cast<std::uint16_t>(operands.a[i / 2] >> i % 2 * 16));
        one.b.push_back(static_cast<std::uint16_t>(operands.b[i / 2] >> i % 2 * 16));
      }
      one.c = static_cast<std::uint32_t>(operands.c);
      one.is_f16 = header.operation.types.accumulator == tc::numerics::f16;
      all.operations.push_back(one);
      all.results.push_back(values.d[output]);
    }
  }
  return all;
}

/// Sums of any length, in parts of the RTL's length that follow each other.
std::vector<std::uint32_t> run_in_parts(rtl_bench& rtl, const std::vector<operation>& operations) {
  const std::size_t length = rtl.shape().length, k = operations.front().a.size();
  std::vector<std::uint32_t> sums;
  for (const operation& one : operations) sums.push_back(one.c);
  for (std::size_t first = 0; first < k; first += length) {
    std::vector<operation> parts;
    for (std::size_t i = 0; i < operations.size(); ++i) {
      const auto part = [&](const std::vector<std::uint16_t>& line) {
        std::vector<std::uint16_t> factors(line.begin() + static_cast<std::ptrdiff_t>(first),
                                           line.begin() + static_cast<std::ptrdiff_t>(std::min(k, first + length)));
        factors.resize(length);  // zeros
        return factors;
      };
      parts.push_back({part(operations[i].a), part(operations[i].b), sums[i], operations[i].is_f16});
    }
    sums = rtl.run(parts);
  }
  return sums;
}

TEST_P(fused_dot_product_rtl, reproduces_recorded_vectors) {
  rtl_bench rtl(threadgroup_of(GetParam().length));
  unsigned files = 0;
  for (const std::filesystem::path& file : tc::study::test::recorded_vectors()) {
    const std::string folder = file.parent_path().filename().string(), name = folder + "/" + file.filename().string();
    const auto& origins = GetParam().origins;
    const bool is_of_generation =
        std::any_of(origins.begin(), origins.end(), [&](const auto& origin) { return name.rfind(origin, 0) == 0; });
    if (!is_of_generation || name.find(".f16.f16") == std::string::npos) continue;
    ++files;
    const recorded vectors = read_vectors(file, 8000);
    EXPECT_EQ(run_in_parts(rtl, vectors.operations), vectors.results) << name;
  }
  std::cout << files << " files\n";
}

TEST_P(fused_dot_product_rtl, takes_the_cycles_of_its_stages) {
  rtl_bench rtl(threadgroup_of(GetParam().length));
  EXPECT_EQ(rtl.latency(make_patterns(GetParam().length, 1).front()), 1 + 1 + 3U);
}

INSTANTIATE_TEST_SUITE_P(generations, fused_dot_product_rtl,
                         testing::Values(generation{"volta", 4, {"mma-sim/volta."}},
                                         generation{
                                             "ampere", 8, {"mma-sim/turing.mma.m16n8k8", "mma-sim/ampere.", "mma-sim/ada_lovelace."}},
                                         generation{"hopper", 16, {"mma-sim/hopper.", "hopper-h200/"}}),
                         [](const auto& of) { return std::string(of.param.preset); });

TEST(deep_fused_dot_product_rtl, gives_the_bits_of_the_model_later) {
  const reference expected("volta");
  rtl_bench rtl(deep_threadgroup());
  EXPECT_EQ(rtl.latency(make_patterns(4, 1).front()), 1 + 2 + 5U);
  const auto patterns = make_patterns(4, 2000);
  const auto results = rtl.run(patterns);
  for (std::size_t i = 0; i < patterns.size(); ++i) ASSERT_EQ(results[i], expected(patterns[i])) << "pattern " << i;
}

/// What would be missed if this passed with a bit that is wrong.
TEST(defective_fused_dot_product_rtl, is_noticed_whatever_the_defect) {
  const reference expected("volta");
  rtl_bench rtl(defective_threadgroup());
  const auto patterns = make_patterns(4, 5000);
  for (unsigned unit = 0; unit < defective_units; ++unit) {
    const auto results = rtl.run_on(unit, patterns);
    unsigned wrong = 0;
    for (std::size_t i = 0; i < patterns.size(); ++i) wrong += results[i] != expected(patterns[i]) ? 1U : 0U;
    EXPECT_EQ(wrong != 0, unit != 0) << "unit " << unit << ": " << wrong << " of " << patterns.size();
  }
}

}  // namespace
}  // namespace rtl::test
