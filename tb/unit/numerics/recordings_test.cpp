#include "recordings.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/numerics/dot_product.hpp>

#include "datapaths.hpp"

namespace tc::numerics::test {
namespace {

namespace fs = std::filesystem;

/// Width of one fused sum in operand bits, and its alignment: f16 on Hopper 16 products and 25 bits (MMA-Sim, arXiv 2511.10909). Before
/// Blackwell, floating point of 8 bits is aligned to 13 bits, and f32 results keep 13.
struct datapath_width {
  const char* architecture;
  unsigned group_bits, alignment_fraction_bits, fp8_alignment_fraction_bits;
};
constexpr datapath_width widths[] = {{"volta", 64, 23, 0},          {"turing", 128, 24, 0},  {"ampere", 128, 24, 0},
                                     {"ada_lovelace", 128, 24, 13}, {"hopper", 256, 25, 13}, {"blackwell", 256, 25, 25}};

dot_product_parameters parameters_of(const dot_recording& recording) {
  const auto width =
      std::find_if(std::begin(widths), std::end(widths), [&](const datapath_width& w) { return recording.architecture == w.architecture; });
  if (width == std::end(widths)) throw std::invalid_argument("no datapath for " + recording.architecture);
  const unsigned bits = find_number_format(recording.a).storage_bits;
  const unsigned alignment = bits <= 8 ? width->fp8_alignment_fraction_bits : width->alignment_fraction_bits;
  rounding_rule rounding = recording.accumulator == "f16" ? f16_rounding : f32_rounding;
  if (bits <= 8) rounding.kept_fraction_bits = std::min(rounding.kept_fraction_bits, alignment);
  dot_product_parameters parameters;
  parameters.group_length = width->group_bits / bits;
  parameters.alignment_fraction_bits = alignment;
  parameters.output_rounding = rounding;
  return parameters;
}

dot_product_operation operation_of(const dot_recording& recording) {
  const auto has = [&](const char* modifier) {
    return std::find(recording.modifiers.begin(), recording.modifiers.end(), modifier) != recording.modifiers.end();
  };
  if (recording.accumulator != "s32") return dot_product_operation::float_sum;
  if (recording.a == "b1") return has("xor") ? dot_product_operation::binary_xor : dot_product_operation::binary_and;
  return has("satfinite") ? dot_product_operation::integer_saturate : dot_product_operation::integer_wrap;
}

/// Whether the room computes what the file holds: not chains of f64 multiply-adds, and no block scales.
bool is_computed_here(const fs::path& file) {
  const std::string name = file.filename().string();
  const auto mentions = [&name](const char* part) { return name.find(part) != std::string::npos; };
  return (mentions(".bin.xz") || mentions(".dot.xz")) && !mentions("f64") && !mentions("tcgen05_bs");
}

std::vector<fs::path> recordings() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(recordings_folder()))
    if (is_computed_here(entry.path())) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

class recordings_test : public testing::TestWithParam<fs::path> {};

TEST_P(recordings_test, every_output_is_reproduced) {
  const bool holds_fragments = GetParam().string().find(".bin.xz") != std::string::npos;
  const dot_recording recording = holds_fragments ? read_fragments(GetParam()) : read_dots(GetParam());
  const number_format &a = find_number_format(recording.a), &b = find_number_format(recording.b);
  const number_format& accumulator = find_number_format(recording.accumulator);
  const dot_product_operation operation = operation_of(recording);
  const dot_product_parameters parameters =
      operation == dot_product_operation::float_sum ? parameters_of(recording) : dot_product_parameters{};
  const dot_product dot({a, b, accumulator, operation}, parameters);

  ASSERT_FALSE(recording.cases.empty());
  std::size_t mismatches = 0;
  std::string first;
  for (const dot_case& x : recording.cases) {
    const std::uint64_t d = dot(x.a.data(), x.b.data(), recording.k, x.c);
    if (d != x.d && mismatches++ == 0) first = fmt::format("c {:08x}: {:08x} instead of {:08x}", x.c, d, x.d);
  }
  EXPECT_EQ(mismatches, 0u) << "of " << recording.cases.size() << "; first: " << first;
}

std::string test_name(const testing::TestParamInfo<fs::path>& file) {
  std::string name = file.param.filename().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(silicon_and_simulator, recordings_test, testing::ValuesIn(recordings()), test_name);

}  // namespace
}  // namespace tc::numerics::test
