// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/isa/tcgen05/copy_shape.hpp>
#include <tc/isa/tcgen05/tensor_access.hpp>

namespace tc::isa::tensor_access_test {
namespace {

using shape = tensor_access_shape;
using cells = std::vector<tensor_address>;

constexpr shape all_shapes[] = {shape::lanes32_bits32, shape::lanes16_bits64, shape::lanes16_bits128, shape::lanes16_bits256,
                                shape::lanes16_bits32x2};

bool holds(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

TEST(TensorAddress, HasTheLaneAboveTheColumn) {
  EXPECT_EQ(decode_tensor_address(0x00600028), (tensor_address{96, 40}));  // PTX ISA, "Tensor Memory Addressing"
  EXPECT_EQ(encode(tensor_address{96, 40}), 0x00600028U);
  EXPECT_TRUE(holds(tensor_address_mistake(0x00800000), "lane"));
  EXPECT_TRUE(holds(tensor_address_mistake(0x00000200), "column"));
  EXPECT_THROW(decode_tensor_address(0x00000200), std::invalid_argument);
}

/// The cells of a thread's registers, at lane 0, column 0.
cells cells_of_thread(shape form, unsigned repeat, unsigned thread, unsigned half_offset = 0) {
  cells all;
  const tensor_access access{form, repeat, false, {}, half_offset};
  for (unsigned reg = 0; reg < registers_per_thread(form, repeat); ++reg) all.push_back(cells_of(access, thread, reg).low);
  return all;
}

// Maps by hand after CuTe's copy traits and the read-back of tagged data on a B200.
TEST(TensorAccess, GivesEachRegisterTheCellOfThePublishedMaps) {
  EXPECT_EQ(cells_of_thread(shape::lanes16_bits256, 2, 5), (cells{{1, 2}, {1, 3}, {9, 2}, {9, 3}, {1, 10}, {1, 11}, {9, 10}, {9, 11}}));
  EXPECT_EQ(cells_of_thread(shape::lanes16_bits256, 2, 6).at(7), (tensor_address{9, 13}));
  EXPECT_EQ(cells_of_thread(shape::lanes16_bits256, 1, 31), (cells{{7, 6}, {7, 7}, {15, 6}, {15, 7}}));
  EXPECT_EQ(cells_of_thread(shape::lanes16_bits64, 2, 0), (cells{{0, 0}, {0, 2}}));
  EXPECT_EQ(cells_of_thread(shape::lanes16_bits64, 2, 1), (cells{{8, 0}, {8, 2}}));
  EXPECT_EQ(cells_of_thread(shape::lanes16_bits64, 2, 2), (cells{{0, 1}, {0, 3}}));
  EXPECT_EQ(cells_of_thread(shape::lanes16_bits64, 2, 3), (cells{{8, 1}, {8, 3}}));
  EXPECT_EQ(cells_of_thread(shape::lanes16_bits64, 2, 4), (cells{{1, 0}, {1, 2}}));
  EXPECT_EQ(cells_of_thread(shape::lanes16_bits64, 2, 31), (cells{{15, 1}, {15, 3}}));
  EXPECT_EQ(cells_of_thread(shape::lanes16_bits128, 2, 6), (cells{{1, 2}, {9, 2}, {1, 6}, {9, 6}}));
  EXPECT_EQ(cells_of_thread(shape::lanes16_bits128, 2, 31), (cells{{7, 3}, {15, 3}, {7, 7}, {15, 7}}));
  EXPECT_EQ(cells_of_thread(shape::lanes16_bits32x2, 2, 3, 16), (cells{{3, 0}, {3, 1}}));
  EXPECT_EQ(cells_of_thread(shape::lanes16_bits32x2, 2, 19, 16), (cells{{3, 16}, {3, 17}}));
  EXPECT_EQ(cells_of_thread(shape::lanes32_bits32, 2, 17), (cells{{17, 0}, {17, 1}}));
}

TEST(TensorAccess, PacksTwoNeighbouringCellsIntoARegister) {
  const tensor_access access{shape::lanes32_bits32, 2, true, {32, 100}, 0};
  EXPECT_EQ(cells_of(access, 7, 0).low, (tensor_address{39, 100}));
  EXPECT_EQ(cells_of(access, 7, 0).high, (tensor_address{39, 101}));
  EXPECT_EQ(cells_of(access, 7, 1).low, (tensor_address{39, 102}));
  EXPECT_EQ(cells_of(access, 7, 1).high, (tensor_address{39, 103}));
  const tensor_access halves{shape::lanes16_bits32x2, 1, true, {}, 2};
  EXPECT_EQ(cells_of(halves, 16, 0).low, (tensor_address{0, 2})) << "half_offset counts columns of tensor memory";
  EXPECT_FALSE(cells_of({shape::lanes32_bits32, 1, false, {}, 0}, 0, 0).high.has_value());
}

TEST(TensorAccess, ReachesEveryCellOfItsLanesAndColumnsOnce) {
  for (const shape form : all_shapes) {
    for (unsigned repeat = 1; repeat <= max_repeat(form); repeat *= 2) {
      for (const bool packed : {false, true}) {
        SCOPED_TRACE(std::string(name(form)) + ".x" + std::to_string(repeat) + (packed ? " in pairs" : ""));
        const unsigned halves = form == shape::lanes16_bits32x2 ? 2 : 1, width = packed ? 2 * repeat : repeat;
        const tensor_access access{form, repeat, packed, {64, 3}, halves == 2 ? width + 1 : 0};
        std::set<tensor_address> expected, found;
        for (const column_range& range : columns(access)) {
          for (unsigned column = range.first; column < range.first + range.count; ++column) {
            for (unsigned lane = 64; lane < 64 + lanes(form); ++lane) expected.insert({lane, column});
          }
        }
        for (unsigned thread = 0; thread < 32; ++thread) {
          for (unsigned reg = 0; reg < registers_per_thread(form, repeat); ++reg) {
            const register_cells each = cells_of(access, thread, reg);
            found.insert(each.low);
            if (each.high) found.insert(*each.high);
          }
        }
        EXPECT_EQ(found, expected);
        EXPECT_EQ(found.size(), 32 * registers_per_thread(form, repeat) * (packed ? 2 : 1));
      }
    }
  }
}

// PTX ISA, tcgen05.ld: registers and, from the shape, columns.
TEST(TensorAccess, CountsRegistersAndColumns) {
  struct row {
    shape form;
    unsigned repeat, registers, columns;
  };
  for (const row& r :
       {row{shape::lanes32_bits32, 128, 128, 128}, row{shape::lanes16_bits64, 4, 4, 8}, row{shape::lanes16_bits128, 64, 128, 256},
        row{shape::lanes16_bits256, 32, 128, 256}, row{shape::lanes16_bits32x2, 8, 8, 8}}) {
    SCOPED_TRACE(name(r.form));
    EXPECT_EQ(registers_per_thread(r.form, r.repeat), r.registers);
    EXPECT_EQ(columns({r.form, r.repeat, false, {}, 0}).front().count, r.columns);
    EXPECT_EQ(find_tensor_access_shape(name(r.form)), r.form);
    EXPECT_THROW(registers_per_thread(r.form, 2 * max_repeat(r.form)), std::invalid_argument);
    EXPECT_THROW(registers_per_thread(r.form, 3), std::invalid_argument);
  }
  EXPECT_EQ(find_tensor_access_shape("32x64b"), std::nullopt);
}

TEST(TensorAccess, StaysInTheLanesOfItsWarpAndInTensorMemory) {
  const auto mistake = [](tensor_access access, unsigned warp) { return tensor_access_mistake(access, warp); };
  EXPECT_EQ(mistake({shape::lanes32_bits32, 128, false, {96, 384}, 0}, 7), "");
  EXPECT_EQ(mistake({shape::lanes16_bits64, 1, false, {48, 0}, 0}, 1), "");
  EXPECT_TRUE(holds(mistake({shape::lanes32_bits32, 1, false, {64, 0}, 0}, 1), "lane of .32x32b by warp 1 must be 32, not 64"));
  EXPECT_TRUE(holds(mistake({shape::lanes32_bits32, 1, false, {48, 0}, 0}, 1), "must be 32, not 48"));
  EXPECT_TRUE(holds(mistake({shape::lanes16_bits256, 1, false, {40, 0}, 0}, 1), "must be 32 or 48, not 40"));
  EXPECT_TRUE(holds(mistake({shape::lanes32_bits32, 128, false, {0, 385}, 0}, 0), "columns 385 to 512"));
  EXPECT_TRUE(holds(mistake({shape::lanes32_bits32, 128, true, {0, 257}, 0}, 0), "columns 257 to 512"));
  EXPECT_TRUE(holds(mistake({shape::lanes16_bits32x2, 1, false, {0, 500}, 12}, 0), "columns 512 to 512"));
  EXPECT_TRUE(holds(mistake({shape::lanes16_bits128, 128, false, {}, 0}, 0), "x1 to x64, not x128"));
  EXPECT_TRUE(holds(mistake({shape::lanes16_bits128, 1, false, {}, 8}, 0), "only .16x32bx2"));
}

using copy = tensor_copy_shape;
using multicast = tensor_copy_multicast;
using lane_list = std::vector<unsigned>;

TEST(TensorCopy, PutsRowsWhereThePtxIsaSays) {
  EXPECT_EQ(destination_lanes(copy::rows32_bits128, multicast::warps_4, 5, 0), (lane_list{5, 37, 69, 101}));
  EXPECT_EQ(destination_lanes(copy::rows64_bits128, multicast::warps_02_13, 5, 0), (lane_list{5, 69}));
  EXPECT_EQ(destination_lanes(copy::rows64_bits128, multicast::warps_02_13, 40, 0), (lane_list{40, 104}));
  EXPECT_EQ(destination_lanes(copy::rows64_bits128, multicast::warps_01_23, 5, 0), (lane_list{5, 37}));
  EXPECT_EQ(destination_lanes(copy::rows64_bits128, multicast::warps_01_23, 40, 0), (lane_list{72, 104}));
  EXPECT_EQ(destination_lanes(copy::rows128_bits256, multicast::none, 77, 0), (lane_list{77}));
  for (unsigned row = 0; row < 4; ++row) {
    EXPECT_EQ(destination_lanes(copy::rows4_bits256, multicast::none, row, 31), (lane_list{31 + 32 * row}));
  }
  EXPECT_THROW(destination_lanes(copy::rows4_bits256, multicast::none, 4, 31), std::invalid_argument);
}

TEST(TensorCopy, FillsEveryLaneOnce) {
  struct row {
    copy form;
    multicast cast;
    unsigned lanes, columns;
  };
  for (const row& r : {row{copy::rows128_bits256, multicast::none, 128, 8}, row{copy::rows128_bits128, multicast::none, 128, 4},
                       row{copy::rows4_bits256, multicast::none, 4, 8}, row{copy::rows64_bits128, multicast::warps_02_13, 128, 4},
                       row{copy::rows64_bits128, multicast::warps_01_23, 128, 4}, row{copy::rows32_bits128, multicast::warps_4, 128, 4}}) {
    SCOPED_TRACE(name(r.form));
    std::multiset<unsigned> filled;
    for (unsigned each = 0; each < rows(r.form); ++each) {
      for (const unsigned lane : destination_lanes(r.form, r.cast, each, 0)) filled.insert(lane);
    }
    EXPECT_EQ(filled.size(), r.lanes);
    EXPECT_EQ(std::set<unsigned>(filled.begin(), filled.end()).size(), r.lanes);
    EXPECT_EQ(columns(r.form), r.columns);
    EXPECT_EQ(find_tensor_copy_shape(name(r.form)), r.form);
    EXPECT_EQ(copy_destination_mistake(r.form, {0, 512 - r.columns}), "");
    EXPECT_TRUE(holds(copy_destination_mistake(r.form, {0, 513 - r.columns}), "to 512"));
  }
  EXPECT_EQ(find_tensor_copy_multicast("warpx2::01_23"), multicast::warps_01_23);
  EXPECT_EQ(find_tensor_copy_multicast(""), std::nullopt);
  EXPECT_TRUE(holds(tensor_copy_mistake(copy::rows64_bits128, multicast::warps_4), "needs .warpx2::02_13 or .warpx2::01_23"));
  EXPECT_TRUE(holds(tensor_copy_mistake(copy::rows32_bits128, multicast::none), "needs .warpx4"));
  EXPECT_TRUE(holds(tensor_copy_mistake(copy::rows4_bits256, multicast::warps_4), "takes no .warpx4"));
  EXPECT_TRUE(holds(copy_destination_mistake(copy::rows4_bits256, {32, 0}), "0 to 31, not 32"));
  EXPECT_TRUE(holds(copy_destination_mistake(copy::rows32_bits128, {16, 0}), "0, not 16"));
}

TEST(TensorCopy, DecompressesElementsIntoBytes) {
  using decompression = tensor_copy_decompression;
  const copy_unit nibbles{0x21, 0x43, 0x65, 0x87, 0xa9, 0xcb, 0xed, 0x0f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  const copy_unit spread = decompress(nibbles, decompression::b4x16_p64);
  for (unsigned element = 0; element < 16; ++element) EXPECT_EQ(spread.at(element), (element + 1) % 16 << 2) << element;

  copy_unit sixes{};
  for (unsigned group = 0; group < 4; ++group) {  // the elements 1, 2, 3, 63 again and again
    sixes.at(3 * group) = 0x81;
    sixes.at(3 * group + 1) = 0x30;
    sixes.at(3 * group + 2) = 0xfc;
  }
  sixes.at(12) = 0xff;
  const unsigned elements[] = {1, 2, 3, 63};
  for (const unsigned position : {0U, 1U}) {
    const copy_unit bytes = decompress(sixes, decompression::b6x16_p32, position);
    for (unsigned element = 0; element < 16; ++element) EXPECT_EQ(bytes.at(element), elements[element % 4] << position) << element;
  }
  EXPECT_EQ(decompress(nibbles, decompression::none), nibbles);
  EXPECT_EQ(bit_in_byte(element_type::e2m1), 2U);
  EXPECT_EQ(bit_in_byte(element_type::e2m3), 1U);
  EXPECT_EQ(bit_in_byte(element_type::e3m2, 0), 0U);
  EXPECT_EQ(bit_in_byte(element_type::e4m3), 0U);
}

}  // namespace
}  // namespace tc::isa::tensor_access_test
