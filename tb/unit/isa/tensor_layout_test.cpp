// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/isa/tcgen05/output_lane_mask.hpp>
#include <tc/isa/tcgen05/tensor_operand_layout.hpp>
#include <tc/isa/tcgen05/zero_column_mask.hpp>

namespace tc::isa::tensor_layout_test {
namespace {

using kind = mma_kind;
using layout = data_path_layout;
constexpr auto one = cta_group::one, two = cta_group::two;
constexpr auto x1 = scale_vector::x1, x2 = scale_vector::x2, x4 = scale_vector::x4;

/// The text of what a call throws; fails if it throws nothing.
template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

bool holds(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

/// A case of the table of layouts in the PTX ISA.
struct layout_case {
  layout letter;
  mma_form form;
  unsigned m, first_lane, ctas, lanes, parts;
};

const std::vector<layout_case>& layout_cases() {
  static const std::vector<layout_case> all{
      {layout::a, {kind::f16, two}, 256, 0, 2, 128, 1},
      {layout::b, {kind::f16, two}, 128, 0, 2, 128, 2},
      {layout::c, {kind::f16, two, false, true}, 128, 0, 2, 64, 1},
      {layout::c, {kind::f16, two, false, true}, 128, 16, 2, 64, 1},
      {layout::d, {kind::f16}, 128, 0, 1, 128, 1},
      {layout::d, {kind::f16, one, true}, 128, 0, 1, 128, 1},
      {layout::e, {kind::f16, one, true}, 64, 0, 1, 128, 2},
      {layout::f, {kind::f16}, 64, 0, 1, 64, 1},
      {layout::f, {kind::f16}, 64, 16, 1, 64, 1},
      {layout::g, {kind::f16, one, true}, 32, 0, 1, 128, 4},
  };
  return all;
}

TEST(AccumulatorLayout, PutsElementsWhereThePublishedFormulasDo) {
  const auto cell = [](const mma_form& form, unsigned m, unsigned n, tensor_address address, accumulator_place place) {
    return accumulator_layout(form, m, n, address).cell(place);
  };
  EXPECT_EQ(cell({kind::f16, two}, 256, 256, {}, {165, 200}), (tensor_cell{1, {37, 200}}));
  EXPECT_EQ(cell({kind::f16, two}, 128, 128, {}, {37, 70}), (tensor_cell{0, {101, 6}}));
  EXPECT_EQ(cell({kind::f16, two}, 128, 128, {}, {100, 70}), (tensor_cell{1, {100, 6}}));
  EXPECT_EQ(cell({kind::f16, one, true}, 64, 128, {}, {40, 70}), (tensor_cell{0, {104, 6}}));
  EXPECT_EQ(cell({kind::f16}, 64, 128, {}, {40, 7}), (tensor_cell{0, {72, 7}}));
  EXPECT_EQ(cell({kind::f16}, 64, 128, {16, 0}, {40, 7}), (tensor_cell{0, {88, 7}}));
  EXPECT_EQ(cell({kind::f16, one, true}, 32, 128, {}, {5, 100}), (tensor_cell{0, {101, 4}}));
  EXPECT_EQ(cell({kind::f16}, 128, 64, {0, 448}, {99, 63}), (tensor_cell{0, {99, 511}}));
}

TEST(AccumulatorLayout, GivesEveryElementACellOfItsLanesAndColumns) {
  for (const layout_case& each : layout_cases()) {
    for (const unsigned n : mma_columns(each.form)) {
      if (n > 24 && n != 64 && n != 128) continue;
      SCOPED_TRACE(testing::Message() << "layout " << static_cast<unsigned>(each.letter) << ", N = " << n);
      const accumulator_layout d(each.form, each.m, n, {each.first_lane, 256});
      EXPECT_EQ(d.layout(), each.letter);
      EXPECT_EQ(d.tensor_range(), (column_range{256, n / each.parts}));
      std::set<unsigned> lanes, ctas, columns;
      std::set<std::pair<unsigned, tensor_address>> cells;
      for (unsigned row = 0; row < each.m; ++row) {
        for (unsigned column = 0; column < n; ++column) {
          const tensor_cell cell = d.cell({row, column});
          ASSERT_EQ(d.find(cell), (accumulator_place{row, column}));
          cells.insert({cell.cta, cell.address});
          ctas.insert(cell.cta);
          lanes.insert(cell.address.lane);
          columns.insert(cell.address.column);
        }
      }
      EXPECT_EQ(cells.size(), each.m * n);
      EXPECT_EQ(ctas.size(), each.ctas);
      EXPECT_EQ(lanes.size(), each.lanes);
      EXPECT_EQ(columns.size(), n / each.parts);
      EXPECT_EQ(*columns.begin(), 256U);
      EXPECT_EQ(*lanes.begin(), each.first_lane);
      EXPECT_EQ(cells.size(), ctas.size() * lanes.size() * columns.size());
      EXPECT_EQ(d.find({0, {each.first_lane, 255}}), std::nullopt);
      EXPECT_EQ(d.find({0, {each.first_lane, 256 + n / each.parts}}), std::nullopt);
      EXPECT_EQ(d.find({each.ctas, {each.first_lane, 256}}), std::nullopt);
      if (each.lanes == 64) {
        EXPECT_EQ(d.find({0, {16 - each.first_lane, 256}}), std::nullopt);
      }
    }
  }
}

TEST(AccumulatorLayout, RefusesOtherShapesLanesAndColumns) {
  const auto refused = [](const mma_form& form, unsigned m, unsigned n, tensor_address address) {
    return refusal([&] { accumulator_layout(form, m, n, address); });
  };
  EXPECT_TRUE(holds(refused({kind::f16}, 256, 64, {}), "M = 256"));
  EXPECT_TRUE(holds(refused({kind::f16}, 128, 12, {}), "N = 12"));
  EXPECT_TRUE(holds(refused({kind::f16}, 128, 64, {16, 0}), "lane of D must be 0, not 16"));
  EXPECT_TRUE(holds(refused({kind::f16}, 64, 64, {32, 0}), "lane of D must be 0 or 16, not 32"));
  EXPECT_TRUE(holds(refused({kind::f16}, 128, 256, {0, 264}), "columns 264 to 519 of D"));
}

TEST(OutputLaneMask, HasTheFirstLaneInTheLowestBit) {
  const output_lane_mask mask{{0x80000001, 0x00000001, 0, 0x80000000, 0, 0, 0, 2}};
  std::set<unsigned> disabled, of_peer;
  for (unsigned lane = 0; lane < tensor_lanes; ++lane) {
    if (mask.disables(0, lane)) disabled.insert(lane);
    if (mask.disables(1, lane)) of_peer.insert(lane);
  }
  EXPECT_EQ(disabled, (std::set<unsigned>{0, 31, 32, 127}));
  EXPECT_EQ(of_peer, (std::set<unsigned>{97}));
}

TEST(TensorOperandLayout, PacksTheElementsOfARowAlongTheColumns) {
  const auto at = [](kind each, scale_vector scales, matrix_place place) {
    return tensor_operand_layout({each, one, false, false, scales}, 128, {0, 64}).cells(place).front();
  };
  constexpr auto none = scale_vector::none;
  EXPECT_EQ(at(kind::tf32, none, {77, 5}).cell, (tensor_cell{0, {77, 69}}));
  EXPECT_EQ(at(kind::f16, none, {77, 5}).cell.address.column, 66U);
  EXPECT_EQ(at(kind::f16, none, {77, 5}).bit, 16U);
  EXPECT_EQ(at(kind::f8f6f4, none, {77, 6}).cell.address.column, 65U);
  EXPECT_EQ(at(kind::f8f6f4, none, {77, 6}).bit, 16U);
  EXPECT_EQ(at(kind::mxf4, x2, {77, 19}).cell.address.column, 66U);
  EXPECT_EQ(at(kind::mxf4, x2, {77, 19}).bit, 12U);
}

TEST(TensorOperandLayout, HasEveryElementInEachOfItsPlacesAndNoOther) {
  for (const layout_case& each : layout_cases()) {
    if (each.letter == layout::e || each.letter == layout::g) {
      EXPECT_TRUE(holds(refusal([&] { tensor_operand_layout(each.form, each.m, {}); }), "is not published"));
      continue;
    }
    SCOPED_TRACE(static_cast<unsigned>(each.letter));
    const tensor_operand_layout a(each.form, each.m, {each.first_lane, 8});
    std::set<std::pair<unsigned, unsigned>> lanes;  // of each CTA
    unsigned places = 0;
    for (unsigned row = 0; row < each.m; ++row) {
      for (unsigned k = 0; k < a.elements(); ++k) {
        for (const operand_cell& place : a.cells({row, k})) {
          ASSERT_EQ(a.find(place.cell, place.bit), (matrix_place{row, k}));
          lanes.insert({place.cell.cta, place.cell.address.lane});
          ++places;
        }
      }
    }
    EXPECT_EQ(lanes.size(), each.ctas * each.lanes);
    EXPECT_EQ(places, lanes.size() * a.elements());
    EXPECT_EQ(a.elements() * a.element_bits(), 256U);
    EXPECT_EQ(a.find({0, {each.first_lane, 16}}, 0), std::nullopt);
  }
  const tensor_operand_layout twice({kind::f16, two}, 128, {});
  EXPECT_EQ(twice.cells({70, 0}).at(0).cell, (tensor_cell{1, {6, 0}}));
  EXPECT_EQ(twice.cells({70, 0}).at(1).cell, (tensor_cell{1, {70, 0}}));
  EXPECT_THROW(tensor_operand_layout({kind::f16}, 128, {0, 505}), std::invalid_argument);
  EXPECT_THROW(tensor_operand_layout({kind::f16}, 128, {16, 0}), std::invalid_argument);
}

TEST(ScaleFactorLayout, RepeatsTheScalesOfARowInEveryChunk) {
  instruction_descriptor descriptor;
  descriptor.m = 128;
  descriptor.n = 256;
  const auto a = scale_factor_layout::of_a({kind::mxf4nvf4, one, false, false, x4}, descriptor, {0, 256});
  ASSERT_EQ(a.copies(), 4U);
  for (unsigned copy = 0; copy < 4; ++copy) EXPECT_EQ(a.at({77, 2}, copy), (tensor_byte{{13 + 32 * copy, 258}, 2}));
  EXPECT_EQ(a.tensor_range(), (column_range{256, 4}));  // 128 rows of 4 bytes
  descriptor.scale_b_id = 3;
  const auto b = scale_factor_layout::of_b({kind::mxf8f6f4, one, false, false, x1}, descriptor, {0, 8});
  EXPECT_EQ(b.at({200, 0}, 0), (tensor_byte{{8, 14}, 3}));
  EXPECT_EQ(b.find({{8, 14}, 2}), std::nullopt) << "another instruction's byte";
  EXPECT_EQ(decode_scale_address(0xC0000100), (tensor_address{0, 256})) << "the ID may be in the top bits";
}

TEST(ScaleFactorLayout, FindsEveryScaleWhereItIs) {
  for (const cta_group group : {one, two}) {
    for (const unsigned m : {128U, 256U}) {
      if (m == 256 && group == one) continue;
      for (const unsigned n : {16U, 96U, 256U}) {
        SCOPED_TRACE(testing::Message() << ctas(group) << " CTAs, M = " << m << ", N = " << n);
        instruction_descriptor descriptor;
        descriptor.m = m;
        descriptor.n = n;
        descriptor.scale_a_id = descriptor.scale_b_id = 2;
        const mma_form form{kind::mxf4, group, false, false, x2};
        for (const auto& scales : {scale_factor_layout::of_a(form, descriptor, {}), scale_factor_layout::of_b(form, descriptor, {})}) {
          std::map<tensor_address, std::set<unsigned>> cells;
          for (unsigned index = 0; index < scales.indices(); ++index) {
            for (unsigned block = 0; block < scales.blocks(); ++block) {
              for (unsigned copy = 0; copy < scales.copies(); ++copy) {
                const tensor_byte byte = scales.at({index, block}, copy);
                ASSERT_EQ(scales.find(byte), (scale_place{index, block}));
                ASSERT_LT(byte.address.column, scales.tensor_range().count);
                cells[byte.address].insert(byte.byte);
              }
            }
          }
          EXPECT_EQ(cells.size(), scales.indices() * scales.copies());
          for (const auto& [address, bytes] : cells) ASSERT_EQ(bytes, (std::set<unsigned>{2, 3}));
        }
      }
    }
  }
}

TEST(ScaleFactorLayout, SplitsTheColumnsOfBWhereThePathDoes) {
  instruction_descriptor descriptor;
  descriptor.m = 128;
  descriptor.n = 128;
  const mma_form form{kind::mxf8f6f4, two, false, false, x1};
  const auto b = scale_factor_layout::of_b(form, descriptor, {});
  ASSERT_EQ(b.copies(), 2U);
  EXPECT_EQ(b.at({40, 0}, 0).address, (tensor_address{8, 1}));
  EXPECT_EQ(b.at({40, 0}, 1).address, (tensor_address{40, 1}));
  EXPECT_EQ(b.at({104, 0}, 0).address, (tensor_address{72, 1}));
  EXPECT_EQ(b.at({104, 0}, 1).address, (tensor_address{104, 1}));
  EXPECT_EQ(scale_factor_layout::of_a(form, descriptor, {}).indices(), 64U);
  EXPECT_TRUE(holds(refusal([&] { scale_factor_layout::of_a({kind::f16}, descriptor, {}); }), "no scales"));
  EXPECT_TRUE(holds(refusal([&] { scale_factor_layout::of_a(form, descriptor, {32, 0}); }), "lane of scales"));
  EXPECT_TRUE(holds(refusal([&] { scale_factor_layout::of_b(form, descriptor, {0, 511}); }), "columns 511 to 512"));
}

TEST(SparsityLayout, PlacesTheCodesAsCutlassDoes) {
  instruction_descriptor descriptor;
  descriptor.sparse = true;
  const auto code = [&descriptor](kind each, scale_vector scales, unsigned row, unsigned group) {
    return sparsity_layout({each, one, false, true, scales}, descriptor, {0, 100}).code(row, group);
  };
  constexpr auto none = scale_vector::none;
  EXPECT_EQ(code(kind::f16, none, 45, 5), (sparsity_code_place{{5 + 8 + 32, 100}, 4 + 16}));   // k = 20
  EXPECT_EQ(code(kind::f16, none, 37, 2), (sparsity_code_place{{5 + 32, 100}, 8}));            // k = 8
  EXPECT_EQ(code(kind::tf32, none, 45, 5), (sparsity_code_place{{5 + 8 + 32, 100}, 4 + 16}));  // k = 10
  EXPECT_EQ(code(kind::i8, none, 45, 9), (sparsity_code_place{{45, 101}, 4}));                 // k = 36
  EXPECT_EQ(code(kind::mxf4, x2, 45, 15), (sparsity_code_place{{45, 101}, 28}));               // k = 120
}

TEST(SparsityLayout, HasEveryCodeOnceAndNoBitToSpare) {
  for (const kind each : {kind::f16, kind::tf32, kind::f8f6f4, kind::i8, kind::mxf8f6f4, kind::mxf4, kind::mxf4nvf4}) {
    const mma_form form{each, one, false, true, each == kind::mxf4nvf4 ? x4 : *default_scale_vector(each)};
    instruction_descriptor descriptor;
    const sparsity_layout metadata(form, descriptor, {});
    EXPECT_EQ(metadata.groups() * sparsity_group(each), mma_k(form));
    std::set<std::pair<tensor_address, unsigned>> codes;
    for (unsigned row = 0; row < 128; ++row) {
      for (unsigned group = 0; group < metadata.groups(); ++group) {
        const sparsity_code_place place = metadata.code(row, group);
        ASSERT_EQ(place.bit % 4, 0U);
        ASSERT_TRUE(place.address.lane < tensor_lanes && place.bit < 32 && place.address.column < metadata.tensor_range().count);
        codes.insert({place.address, place.bit});
      }
    }
    EXPECT_EQ(codes.size(), 128 * metadata.tensor_range().count * 8) << name(each);
  }
}

TEST(SparsityLayout, ReadsCodesAndRefusesWhatIsNotPublished) {
  using list = std::vector<unsigned>;
  EXPECT_EQ(stored_elements(kind::tf32, 0b0100), (list{0}));
  EXPECT_EQ(stored_elements(kind::tf32, 0b1110), (list{1}));
  EXPECT_EQ(stored_elements(kind::f16, 0b0100), (list{0, 1}));
  EXPECT_EQ(stored_elements(kind::i8, 0b1001), (list{1, 2}));
  EXPECT_EQ(stored_elements(kind::f8f6f4, 0b1110), (list{2, 3}));
  EXPECT_EQ(stored_elements(kind::mxf4, 0b1101), (list{2, 3, 6, 7}));
  EXPECT_TRUE(holds(refusal([] { stored_elements(kind::f16, 0b0101); }), "0b0101 is no sparsity code of .kind::f16"));
  EXPECT_TRUE(holds(refusal([] { stored_elements(kind::tf32, 0b1001); }), "no sparsity code"));
  const auto refused = [](const mma_form& form, const instruction_descriptor& descriptor, tensor_address address) {
    return refusal([&] { sparsity_layout(form, descriptor, address); });
  };
  const mma_form sparse{kind::f16, one, false, true};
  instruction_descriptor descriptor;
  EXPECT_TRUE(holds(refused({kind::f16}, descriptor, {}), "not sparse"));
  EXPECT_TRUE(holds(refused({kind::f16, two, false, true}, descriptor, {}), "M = 128 and two CTAs lies is not published"));
  EXPECT_TRUE(holds(refused(sparse, descriptor, {16, 0}), "lane of sparsity metadata"));
  EXPECT_TRUE(holds(refused({kind::i8, one, false, true}, descriptor, {0, 511}), "columns 511 to 512"));
  descriptor.sparsity_selector = 1;
  EXPECT_TRUE(holds(refused(sparse, descriptor, {}), "selector 1"));
  descriptor.sparsity_selector = 0;
  descriptor.m = 64;
  EXPECT_TRUE(holds(refused(sparse, descriptor, {}), "M = 64 and one CTA"));
}

/// Columns first to first + count - 1, the last one left.
std::string bits_of(const std::vector<bool>& columns, unsigned first, unsigned count) {
  std::string text;
  for (unsigned column = first + count; column-- > first;) text += columns[column] ? '1' : '0';
  return text;
}

// The examples of the PTX ISA.
TEST(ZeroColumnMask, UnrollsAsTheExamplesOfThePtxIsa) {
  zero_column_mask mask;
  mask.any = true;
  mask.skip_span = 2;
  mask.use_span = 3;
  EXPECT_EQ(bits_of(zero_columns(mask, 128, 16), 0, 16), "0011100001110000");
  mask.first_spans = {true, false, false, false};
  EXPECT_EQ(bits_of(zero_columns(mask, 64, 32), 0, 16), "1100001110000111");
  EXPECT_EQ(bits_of(zero_columns(mask, 64, 32), 16, 16), "0011100001110000");

  const zero_column_mask parts = decode_zero_column_mask(0x0203028301020100, 32);
  EXPECT_EQ(parts.column_shift, 2);
  const std::vector<bool> columns = zero_columns(parts, 32, 64);
  EXPECT_EQ(bits_of(columns, 0, 16), "1100001110000111");
  EXPECT_EQ(bits_of(columns, 16, 16), "1110000111000011");
  EXPECT_EQ(bits_of(columns, 32, 16), "0000111000011100");
  EXPECT_EQ(bits_of(columns, 48, 16), "0001110000111000");
  EXPECT_EQ(encode(parts, 32), 0x0203028301020100U);
  zero_column_mask none = parts;
  none.any = false;
  EXPECT_EQ(zero_columns(none, 32, 64), std::vector<bool>(64, false));
}

TEST(ZeroColumnMask, RefusesReservedBitsAndLongShifts) {
  EXPECT_TRUE(holds(zero_column_mask_mistake(0x0000001000000000, 128), "bits 36 to 38"));
  EXPECT_TRUE(holds(zero_column_mask_mistake(0x4000000000000000, 128), "bits 62 to 63"));
  EXPECT_EQ(zero_column_mask_mistake(0x2000000000000000, 64), "");
  EXPECT_TRUE(holds(zero_column_mask_mistake(0x2100000000000000, 64), "column shift"));
  EXPECT_TRUE(holds(zero_column_mask_mistake(0x1100000000000000, 32), "at most 16 where M is 32, not 17"));
  EXPECT_THROW(decode_zero_column_mask(0x1100000000000000, 32), std::invalid_argument);
}

}  // namespace
}  // namespace tc::isa::tensor_layout_test
