// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <fstream>
#include <functional>
#include <scratch_folder.hpp>
#include <string>

#include <gtest/gtest.h>

#include <tc/config/machine.hpp>
#include <tc/config/machine_loader.hpp>
#include <tc/study/random_inputs.hpp>
#include <tc/study/replay.hpp>
#include <tc/study/vector_file.hpp>
#include <tc/study/vector_origin.hpp>

#include "recorded_vectors.hpp"

namespace tc::study::replay_test {
namespace {

namespace fs = std::filesystem;
using config::arithmetic_parameters;

/// Hopper's arithmetic, as far as the tests below need it.
arithmetic_parameters hopper_arithmetic() {
  arithmetic_parameters hopper;
  hopper.f64 = true;
  return hopper;
}

/// Writes a file of random inputs with the outputs of an arithmetic.
void write_vectors(const fs::path& file, const vector_header& header, const arithmetic_parameters& arithmetic) {
  std::ofstream out(file, std::ios::binary);
  vector_writer writer(out, header);
  random_inputs inputs(header, 5);
  const case_arithmetic compute(header, make_unit(header.operation, arithmetic));
  for (std::uint64_t i = 0; i < header.cases; ++i) {
    vector_case values = inputs.next();
    values.d = compute(values);
    writer.write(values);
  }
}

replay_result replay_with(const fs::path& file, const arithmetic_parameters& arithmetic, std::size_t kept = 1) {
  vector_reader reader(file);
  return replay(reader, {reader.header(), make_unit(reader.header().operation, arithmetic)}, kept);
}

class replay_test : public testing::Test {
 protected:
  fs::path path(const std::string& name) const { return folder_.path() / name; }
  /// Flips a bit of the file's word `word` after the header line.
  static void flip_bit(const fs::path& file, std::size_t word, unsigned bit) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    std::string header;
    std::getline(stream, header);
    const auto at = static_cast<std::streamoff>(header.size() + 1 + 4 * word + bit / 8);
    stream.seekg(at);
    const int byte = stream.get();
    stream.seekp(at);
    stream.put(static_cast<char>(byte ^ (1 << (bit % 8))));
  }

 private:
  scratch_folder folder_;
};

class every_operation_replayed : public testing::TestWithParam<const char*> {};

TEST_P(every_operation_replayed, reproduces_what_it_recorded) {
  const scratch_folder folder;
  const vector_kind kind = std::string(GetParam()).rfind("m128", 0) == 0 ? vector_kind::dots : vector_kind::fragments;
  vector_header header = make_header(kind, GetParam(), "sm_90", 7);
  arithmetic_parameters everything = hopper_arithmetic();
  everything.f8f6f4 = everything.mxf8f6f4 = {config::summation::fused, 32};
  everything.mxf4 = {config::summation::fused, 64, 16, 35};
  write_vectors(folder.path() / "v", header, everything);
  const replay_result result = replay_with(folder.path() / "v", everything);
  EXPECT_EQ(result.outputs, 7 * header.outputs());
  EXPECT_EQ(result.mismatches, 0u);
}

INSTANTIATE_TEST_SUITE_P(formats, every_operation_replayed,
                         testing::Values("m16n8k16.f32.f16.f16.f32", "m16n8k8.f16.f16.f16.f16", "m16n8k16.f32.bf16.bf16.f32",
                                         "m16n8k4.f32.tf32.tf32.f32", "m8n8k4.f64.f64.f64.f64", "m16n8k16.f64.f64.f64.f64",
                                         "m8n8k4.f32.f16.f16.f32", "m8n8k4.col.row.f32.f16.f16.f16", "m16n8k32.f32.e4m3.e5m2.f32",
                                         "m16n8k32.s32.s8.u8.s32", "m8n8k32.s32.u4.s4.s32.satfinite", "m16n8k256.s32.b1.b1.s32.and.popc",
                                         "m8n8k128.s32.b1.b1.s32.xor.popc", "wgmma.m64n8k16.f32.f16.f16", "wgmma.m64n16k32.f16.e4m3.e4m3",
                                         "wgmma.m64n8k32.s32.u8.u8.satfinite", "m128n8k32.f16.e3m2.e2m3", "m128n8k32.f32.e4m3.e2m1",
                                         "m128n8k32.block32.f32.e5m2.e2m1.ue8m0", "m128n8k64.block16.f32.e2m1.e2m1.ue4m3",
                                         "m128n8k64.block32.f32.e2m1.e2m1.ue8m0"));

/// The arithmetic of the configuration that comes for an architecture: configs/ada.json for "ada_lovelace".
arithmetic_parameters arithmetic_of(const vector_header& header) {
  const auto arch = architecture_of_origin(header.origin);
  if (!arch) throw std::invalid_argument("no architecture: " + header.origin);
  const std::string generation(isa::info(*arch).generation);
  const fs::path file = fs::path(TC_SOURCE_DIR) / "configs" / (generation.substr(0, generation.find('_')) + ".json");
  return config::load_machine(file).sm.sub_core.tensor_core.arithmetic;
}

class recorded_file : public testing::TestWithParam<fs::path> {};

TEST_P(recorded_file, every_output_is_reproduced) {
  vector_reader reader(GetParam());
  const vector_header header = reader.header();
  const numerics::dot_product unit = make_unit(header.operation, arithmetic_of(header));
  const replay_result result = replay(reader, {header, unit});
  EXPECT_EQ(result.outputs, header.cases * header.outputs());
  EXPECT_GT(result.outputs, 0u);
  EXPECT_EQ(result.mismatches, 0u) << text_of(result.first.at(0), header, unit);
}

std::string test_name(const testing::TestParamInfo<fs::path>& file) {
  std::string name = file.param.filename().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(silicon_and_simulator, recorded_file, testing::ValuesIn(test::recorded_vectors()), test_name);

TEST_F(replay_test, flipped_bit_of_an_output_is_found_and_named) {
  const vector_header header = make_header(vector_kind::fragments, "m16n8k16.f32.f16.f16.f32", "sm_90", 7);
  write_vectors(path("v"), header, hopper_arithmetic());
  // D[13][5] is in lane 22, register 3 (PTX ISA); a lane has 14 registers, the last four of D.
  flip_bit(path("v"), 4 * 32 * 14 + 22 * 14 + 10 + 3, 7);
  const replay_result result = replay_with(path("v"), hopper_arithmetic());
  EXPECT_EQ(result.mismatches, 1u);
  ASSERT_EQ(result.first.size(), 1u);
  const replay_mismatch& mismatch = result.first[0];
  EXPECT_EQ(mismatch.case_index, 4u);
  EXPECT_EQ(mismatch.at.row, 13u);
  EXPECT_EQ(mismatch.at.column, 5u);
  EXPECT_EQ(mismatch.expected ^ mismatch.computed, 0x80u);
  vector_reader reader(path("v"));
  const std::string text = text_of(mismatch, reader.header(), make_unit(header.operation, hopper_arithmetic()));
  EXPECT_EQ(text.rfind("case 4, row 13, column 5\n", 0), 0u) << text;
  for (const char* word :
       {"expected  0x", "computed  0x", "group 0: k 0 to 15", "largest exponent", "A[15] x B[15]", "rounded toward zero"})
    EXPECT_NE(text.find(word), std::string::npos) << word << " in\n" << text;
}

TEST_F(replay_test, flipped_bit_of_an_input_is_found) {
  const vector_header header = make_header(vector_kind::dots, "m16n8k16.f32.f16.f16.f32", "hopper", 7);
  write_vectors(path("v"), header, hopper_arithmetic());
  flip_bit(path("v"), 34 * 3 + 5, 14);  // case 3, the exponent of element 5 of A
  const replay_result result = replay_with(path("v"), hopper_arithmetic());
  EXPECT_EQ(result.mismatches, 1u);
  ASSERT_EQ(result.first.size(), 1u);
  EXPECT_EQ(result.first[0].case_index, 3u);
}

TEST_F(replay_test, keeps_as_many_mismatches_as_asked_for) {
  const vector_header header = make_header(vector_kind::fragments, "m16n8k16.f32.f16.f16.f32", "sm_90", 14);
  write_vectors(path("v"), header, hopper_arithmetic());
  arithmetic_parameters other = hopper_arithmetic();
  other.f16.alignment_fraction_bits = 16;
  const replay_result result = replay_with(path("v"), other, 5);
  EXPECT_GT(result.mismatches, 100u);
  EXPECT_EQ(result.first.size(), 5u);
  EXPECT_TRUE(replay_with(path("v"), other, 0).first.empty());
}

TEST_F(replay_test, random_inputs_tell_arithmetics_apart) {
  const vector_header header = make_header(vector_kind::fragments, "m16n8k16.f32.f16.f16.f32", "sm_90", 14);
  const arithmetic_parameters hopper = hopper_arithmetic();
  write_vectors(path("v"), header, hopper);
  const auto mismatches = [&](const std::function<void(config::dot_product_arithmetic&)>& change) {
    arithmetic_parameters changed = hopper;
    change(changed.f16);
    return replay_with(path("v"), changed).mismatches;
  };
  EXPECT_GT(mismatches([](auto& f16) { f16.group_length = 8; }), 0u);
  EXPECT_GT(mismatches([](auto& f16) { f16.alignment_fraction_bits = 24; }), 0u);
  EXPECT_GT(mismatches([](auto& f16) { f16.alignment_fraction_bits = 26; }), 0u);
  EXPECT_GT(mismatches([](auto& f16) { f16.f32_rounding = config::rounding::nearest_even; }), 0u);
  EXPECT_GT(mismatches([](auto& f16) { f16.f32_kept_fraction_bits = 22; }), 0u);
  EXPECT_GT(mismatches([](auto& f16) { f16.flush_subnormals = true; }), 0u);
  EXPECT_GT(mismatches([](auto& f16) { f16.addend = config::addend_position::after_sum; }), 0u);
  EXPECT_GT(mismatches([](auto& f16) { f16.summation = config::summation::fma_chain; }), 0u);
}

TEST_F(replay_test, reports_progress_after_every_case) {
  const vector_header header = make_header(vector_kind::fragments, "m8n8k16.s32.s8.s8.s32", "sm_90", 3);
  write_vectors(path("v"), header, {});
  std::vector<std::uint64_t> progress;
  vector_reader reader(path("v"));
  replay(reader, {header, make_unit(header.operation, {})}, 1, [&](std::uint64_t cases) { progress.push_back(cases); });
  EXPECT_EQ(progress, (std::vector<std::uint64_t>{1, 2, 3}));
}

TEST_F(replay_test, mismatch_of_bits_is_shown_by_words) {
  const vector_header header = make_header(vector_kind::fragments, "m16n8k256.s32.b1.b1.s32.and.popc", "sm_90", 1);
  write_vectors(path("v"), header, {});
  flip_bit(path("v"), 6 + 4, 0);  // lane 0, first register of D
  const replay_result result = replay_with(path("v"), {});
  ASSERT_EQ(result.first.size(), 1u);
  const std::string text = text_of(result.first[0], header, make_unit(header.operation, {}));
  EXPECT_NE(text.find("word 7: A 0x"), std::string::npos) << text;
}

TEST_F(replay_test, mismatch_shows_block_scales) {
  arithmetic_parameters blackwell;
  blackwell.mxf4 = {config::summation::fused, 64, 16, 35};
  const vector_header header = make_header(vector_kind::dots, "m128n8k64.block16.f32.e2m1.e2m1.ue4m3", "blackwell", 1);
  write_vectors(path("v"), header, blackwell);
  flip_bit(path("v"), 64 + 64 + 4 + 4 + 1, 3);
  const replay_result result = replay_with(path("v"), blackwell);
  ASSERT_EQ(result.first.size(), 1u);
  const std::string text = text_of(result.first[0], header, make_unit(header.operation, blackwell));
  EXPECT_NE(text.find("scales of A  0x"), std::string::npos) << text;
  EXPECT_NE(text.find("sum of A x B, k 48 to 63"), std::string::npos) << text;
}

TEST(random_inputs, depend_on_the_seed_alone) {
  const vector_header header = make_header(vector_kind::fragments, "m16n8k16.f32.f16.f16.f32", "sm_90", 1);
  random_inputs first(header, 1), again(header, 1), other(header, 2);
  const vector_case values = first.next();
  EXPECT_EQ(values.a, again.next().a);
  EXPECT_NE(values.a, other.next().a);
}

}  // namespace
}  // namespace tc::study::replay_test
