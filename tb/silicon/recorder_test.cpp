// SPDX-License-Identifier: Apache-2.0
// The part of the recorder (record/) that needs no GPU: its table of instructions, its inputs and its files.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include <tc/isa/fragment_layout.hpp>
#include <tc/isa/mma_operation.hpp>

#include "record/fragments.hpp"
#include "record/inputs.hpp"
#include "record/number_format.hpp"
#include "record/options.hpp"
#include "record/variant.hpp"
#include "record/vector_file.hpp"

namespace tc::record::recorder_test {

namespace {

isa::element_type type_of(element type) {
  switch (type) {
    case element::f64:
      return isa::element_type::f64;
    case element::f32:
      return isa::element_type::f32;
    case element::tf32:
      return isa::element_type::tf32;
    case element::f16:
      return isa::element_type::f16;
    case element::bf16:
      return isa::element_type::bf16;
    case element::e4m3:
      return isa::element_type::e4m3;
    case element::e5m2:
      return isa::element_type::e5m2;
    case element::s32:
      return isa::element_type::s32;
    case element::s8:
      return isa::element_type::s8;
    case element::u8:
      return isa::element_type::u8;
    case element::s4:
      return isa::element_type::s4;
    case element::u4:
      return isa::element_type::u4;
    case element::b1:
      return isa::element_type::b1;
  }
  return isa::element_type::none;
}

/// The model's description of what a warp does; of a warpgroup's instruction, one of its four warps.
isa::mma_operation operation_of(const variant& v) {
  isa::mma_operation mma;
  mma.m = static_cast<std::uint16_t>(v.is_wgmma() ? v.m / 4 : v.m);
  mma.n = static_cast<std::uint16_t>(v.n);
  mma.k = static_cast<std::uint16_t>(v.k);
  mma.a = type_of(v.a);
  mma.b = type_of(v.b);
  mma.c = type_of(v.c);
  mma.d = type_of(v.d);
  mma.saturate = v.suffix == modifier::satfinite;
  if (v.suffix == modifier::and_popc) mma.combine = isa::bit_operation::conjunction;
  if (v.suffix == modifier::xor_popc) mma.combine = isa::bit_operation::exclusive_or;
  mma.a_column = v.a_order == matrix_order::col;
  mma.b_column = v.b_order == matrix_order::col;
  mma.instances = static_cast<std::uint8_t>(v.instances);
  return mma;
}

TEST(recorder_test, variants_have_names_of_their_own) {
  std::set<std::string> names, streams;
  for (const variant& v : variants) {
    EXPECT_TRUE(names.insert(v.name).second) << v.name;
    if (v.is_timed()) {
      EXPECT_TRUE(streams.insert(v.stream).second) << v.stream;
    }
  }
}

TEST(recorder_test, one_stream_of_each_shape_and_width_is_timed) {
  std::set<std::string> streams;
  for (const variant& v : variants)
    if (v.is_timed()) streams.insert(v.stream);
  for (const char* stream : {"m8n8k4.f16.f16", "m16n8k8.f32.f16", "m16n8k16.f32.bf16", "m16n8k8.f32.tf32", "m8n8k16.s32.s8",
                             "m16n8k64.s32.s4", "m16n8k256.s32.b1.and", "m16n8k256.s32.b1.xor", "m8n8k4.f64.f64", "m16n8k32.f32.e4m3"})
    EXPECT_EQ(streams.count(stream), 1u) << stream;
}

TEST(recorder_test, registers_are_the_model_s) {
  for (const variant& v : variants) {
    SCOPED_TRACE(v.name);
    const isa::mma_operation mma = operation_of(v);
    EXPECT_EQ(v.a_words, mma.a_registers());
    EXPECT_EQ(v.c_words, mma.c_registers());
    EXPECT_EQ(v.d_words(), mma.d_registers());
    const unsigned words_of_b = v.n * v.k * isa::bits(mma.b) / 32;
    EXPECT_EQ(v.b_words, v.is_wgmma() ? words_of_b : mma.b_registers());
  }
}

/// Expects the words of a case to keep an operand where the model's layout says. The four warps of a warpgroup's instruction are laid out
/// alike, each with a quarter of the rows.
void expect_layout(const variant& v, isa::fragment which, std::size_t first_word, std::size_t lane_words,
                   element_place (*place)(const variant&, unsigned, unsigned, unsigned)) {
  const isa::fragment_layout layout(operation_of(v), which);
  const unsigned element_bits = 32 / layout.elements_per_register();
  for (unsigned warp = 0; warp < v.lanes() / 32; ++warp)
    for (unsigned instance = 0; instance < v.instances; ++instance)
      for (unsigned row = 0; row < layout.rows(); ++row)
        for (unsigned column = 0; column < layout.columns(); ++column) {
          const isa::fragment_element holder = layout.holder(row, column, instance).value();
          const element_place found = place(v, warp * layout.rows() + row, column, instance);
          ASSERT_EQ(found.word, first_word + (32 * warp + holder.lane) * lane_words + holder.reg) << "row " << row << ", column " << column;
          ASSERT_EQ(found.bit, holder.element * element_bits) << "row " << row << ", column " << column;
        }
}

TEST(recorder_test, elements_lie_where_the_model_has_them) {
  for (const variant& v : variants) {
    SCOPED_TRACE(v.name);
    if (v.is_wgmma()) {
      const std::size_t lane_words = v.a_words + v.c_words + v.d_words();
      expect_layout(v, isa::fragment::a, v.b_words, lane_words, place_of_a);
      expect_layout(v, isa::fragment::c, v.b_words + v.a_words, lane_words, place_of_c);
    } else {
      const std::size_t lane_words = v.a_words + v.b_words + v.c_words + v.d_words();
      expect_layout(v, isa::fragment::a, 0, lane_words, place_of_a);
      expect_layout(v, isa::fragment::b, v.a_words, lane_words, place_of_b);
      expect_layout(v, isa::fragment::c, v.a_words + v.b_words, lane_words, place_of_c);
    }
  }
}

TEST(recorder_test, the_columns_of_a_warpgroup_s_b_follow_each_other) {
  for (const variant& v : variants) {
    SCOPED_TRACE(v.name);
    if (!v.is_wgmma()) continue;
    const unsigned bits = format_of(v.b).bits;
    for (unsigned column = 0; column < v.n; ++column)
      for (unsigned k = 0; k < v.k; ++k) {
        const element_place found = place_of_b(v, k, column);
        ASSERT_EQ(32 * found.word + found.bit, (column * v.k + k) * bits);
      }
  }
}

TEST(recorder_test, operands_fill_their_words_and_leave_d_clear) {
  for (const variant& v : variants) {
    SCOPED_TRACE(v.name);
    operand_matrices ones;
    ones.a.assign(v.m * v.k, format_of(v.a).mask());
    ones.b.assign(v.k * v.n, format_of(v.b).mask());
    ones.c.assign(v.m * v.n, format_of(v.c).mask());
    std::vector<std::uint32_t> words(v.case_words());
    for (unsigned instance = 0; instance < v.instances; ++instance) store(v, ones, instance, words.data());
    const auto clear = static_cast<std::size_t>(std::count(words.begin(), words.end(), 0u));
    const auto full = static_cast<std::size_t>(std::count(words.begin(), words.end(), ~0u));
    EXPECT_EQ(clear, v.lanes() * v.d_words());
    EXPECT_EQ(full, words.size() - clear);
  }
}

TEST(recorder_test, inputs_depend_on_the_seed_alone) {
  for (const variant& v : variants) {
    SCOPED_TRACE(v.name);
    const auto first_inputs = [&v](std::uint64_t seed) {
      input_maker maker(v, seed);
      return maker.next().front().a;
    };
    EXPECT_EQ(first_inputs(1), first_inputs(1));
    EXPECT_NE(first_inputs(1), first_inputs(2));
  }
}

/// What a set of floating-point operands contains.
struct census {
  bool nan = false, infinity = false, subnormal = false, zero = false, highest = false;

  void count(const number_format& format, std::uint64_t number) {
    const double value = value_of(format, number), smallest_normal = std::ldexp(1.0, format.lowest_exponent());
    nan |= std::isnan(value);
    infinity |= std::isinf(value);
    zero |= value == 0;
    subnormal |= value != 0 && std::fabs(value) < smallest_normal;
    highest |= std::isfinite(value) && value != 0 && std::ilogb(value) == format.highest_exponent();
  }

  void expect_all(const number_format& format) const {
    EXPECT_TRUE(nan);
    EXPECT_EQ(infinity, format.has_infinity);
    EXPECT_TRUE(zero);
    EXPECT_TRUE(subnormal);
    EXPECT_TRUE(highest);
  }
};

TEST(recorder_test, inputs_reach_every_kind_of_number) {
  for (const variant& v : variants) {
    SCOPED_TRACE(v.name);
    if (!format_of(v.a).is_floating()) continue;
    census of_a, of_b, of_c;
    input_maker maker(v, 1);
    for (unsigned i = 0; i < options{}.cases; ++i)
      for (const operand_matrices& matrices : maker.next()) {
        for (const std::uint64_t a : matrices.a) of_a.count(format_of(v.a), a);
        for (const std::uint64_t b : matrices.b) of_b.count(format_of(v.b), b);
        for (const std::uint64_t c : matrices.c) of_c.count(format_of(v.c), c);
      }
    of_a.expect_all(format_of(v.a));
    of_b.expect_all(format_of(v.b));
    of_c.expect_all(format_of(v.c));
  }
}

TEST(recorder_test, numbers_survive_the_way_to_double_and_back) {
  for (const element type : {element::f16, element::bf16, element::e4m3, element::e5m2}) {
    const number_format format = format_of(type);
    for (std::uint64_t number = 0; number <= format.mask(); ++number) {
      const double value = value_of(format, number);
      if (std::isnan(value) || std::isinf(value)) continue;
      ASSERT_EQ(truncated(format, value), number);
    }
  }
}

TEST(recorder_test, numbers_are_truncated_and_never_overflow) {
  const number_format f16 = format_of(element::f16), e4m3 = format_of(element::e4m3);
  EXPECT_EQ(truncated(f16, 1.0 + 0x1.ffp-11), 0x3c00u);
  EXPECT_EQ(truncated(f16, -1e9), 0xfbffu);
  EXPECT_EQ(truncated(e4m3, INFINITY), 0x7eu);
  EXPECT_EQ(finite_number(f16, true, -15, 1), 0x8001u);
}

TEST(recorder_test, vector_files_have_the_recordings_form) {
  const variant& v = *std::find_if(std::begin(variants), std::end(variants),
                                   [](const variant& x) { return std::string(x.name) == "m16n8k16.f32.f16.f16.f32"; });
  const auto folder = std::filesystem::temp_directory_path() / "tcsim_recorder_test";
  std::filesystem::create_directories(folder);
  std::vector<std::uint32_t> words(2 * v.case_words());
  words[0] = 0x04030201;
  write_vectors(folder, v, "NVIDIA H200", words);

  std::ifstream in(folder / "m16n8k16.f32.f16.f16.f32.bin", std::ios::binary);
  std::string header;
  std::getline(in, header);
  EXPECT_EQ(header, "m16n8k16.f32.f16.f16.f32 4 2 4 4 2 NVIDIA_H200");
  std::stringstream body;
  body << in.rdbuf();
  EXPECT_EQ(body.str().size(), 4 * words.size());
  EXPECT_EQ(body.str().substr(0, 4), "\x01\x02\x03\x04");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1) << "the unfinished file is gone";
  std::filesystem::remove_all(folder);
}

TEST(recorder_test, options_are_read_and_bad_ones_refused) {
  const char* const good[] = {"record", "-o", "out", "--only", "m16*", "--cases", "7", "--seed", "9"};
  const options read = parse_options(9, good);
  EXPECT_EQ(read.folder, "out");
  EXPECT_EQ(read.only, "m16*");
  EXPECT_EQ(read.cases, 7u);
  EXPECT_EQ(read.seed, 9u);
  const char* const nothing[] = {"record"};
  EXPECT_THROW(parse_options(1, nothing), usage_error);
  const char* const no_number[] = {"record", "--list", "--cases", "many"};
  EXPECT_THROW(parse_options(4, no_number), usage_error);
  const char* const no_value[] = {"record", "-o"};
  EXPECT_THROW(parse_options(2, no_value), usage_error);
}

TEST(recorder_test, patterns_match_whole_names) {
  EXPECT_TRUE(matches("*", "m16n8k8"));
  EXPECT_TRUE(matches("m??n8*", "m16n8k8"));
  EXPECT_FALSE(matches("m16", "m16n8k8"));
  EXPECT_TRUE(matches("*k8", "m16n8k8"));
}

}  // namespace
}  // namespace tc::record::recorder_test
