// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/isa/matrix_descriptor.hpp>
#include <tc/isa/shared_matrix.hpp>

namespace tc::isa::shared_matrix_test {
namespace {

constexpr auto hopper = architecture::sm_90, blackwell = architecture::sm_100;
constexpr swizzle_mode all_modes[] = {swizzle_mode::none, swizzle_mode::bytes_32, swizzle_mode::bytes_64, swizzle_mode::bytes_128};
constexpr auto none = swizzle_mode::none, b32 = swizzle_mode::bytes_32, b64 = swizzle_mode::bytes_64, b128 = swizzle_mode::bytes_128;
constexpr auto b128_pairs = swizzle_mode::bytes_128_atom_32;

// The codes of the PTX ISA's examples and of CUTLASS.
TEST(MatrixDescriptor, HasTheBitsOfThePublishedExamples) {
  struct example {
    matrix_descriptor fields;
    std::uint64_t bits;
  };
  const example examples[] = {
      {{0x4000, 16, 1024, 0, b128}, 0x4000404000010400}, {{0x4020, 16, 1024, 0, b128}, 0x4000404000010402},
      {{0x400, 256, 128, 0, none}, 0x0000400800100040},  {{0x8000, 16, 512, 0, b64}, 0x8000402000010800},
      {{0x8000, 16, 256, 0, b32}, 0xC000401000010800},   {{0x1000, 16, 128, 0, none}, 0x0000400800010100},
      {{0x1180, 16, 1024, 3, b128}, 0x4006404000010118},
  };
  constexpr std::uint64_t version = std::uint64_t{1} << 46;
  for (const example& e : examples) {
    SCOPED_TRACE(e.bits);
    EXPECT_EQ(encode(e.fields, blackwell), e.bits);
    EXPECT_EQ(encode(e.fields, hopper), e.bits & ~version);
    EXPECT_EQ(decode_matrix_descriptor(e.bits, blackwell), e.fields);
    EXPECT_EQ(decode_matrix_descriptor(e.bits, hopper), e.fields) << "wgmma takes 0b001 in bits 46 to 48 too";
    EXPECT_EQ(decode_matrix_descriptor(e.bits & ~version, hopper), e.fields);
  }
}

TEST(MatrixDescriptor, SaysWhatIsWrongWithOthers) {
  constexpr std::uint64_t good = 0x4000404000010400;
  const auto mistake = [](std::uint64_t bits, architecture arch = hopper) { return descriptor_mistake(bits, arch); };
  const auto holds = [](const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; };
  EXPECT_EQ(mistake(good), "");
  for (const unsigned bit : {14U, 15U}) EXPECT_TRUE(holds(mistake(good | std::uint64_t{1} << bit), "bits 14 to 15"));
  for (const unsigned bit : {30U, 31U}) EXPECT_TRUE(holds(mistake(good | std::uint64_t{1} << bit), "bits 30 to 31"));
  for (const unsigned bit : {52U, 60U}) EXPECT_TRUE(holds(mistake(good | std::uint64_t{1} << bit), "bits 52 to 60"));
  EXPECT_TRUE(holds(mistake(good | std::uint64_t{1} << 47), "0 or 0b001, not 0b011"));
  EXPECT_TRUE(holds(mistake(good & ~(std::uint64_t{1} << 46), blackwell), "must be 0b001, not 0b000"));
  for (const std::uint64_t code : {3U, 5U, 7U}) {
    EXPECT_TRUE(holds(mistake((good & ~(std::uint64_t{7} << 61)) | code << 61, blackwell), "must be 1, 0, 2, 4 or 6 on sm_100"));
  }
  constexpr std::uint64_t atom_32 = 0x2000404000010400;
  EXPECT_TRUE(holds(mistake(atom_32), "must be 0, 2, 4 or 6 on sm_90, not 1"));
  EXPECT_EQ(mistake(atom_32, blackwell), "");
  EXPECT_TRUE(holds(mistake(0x0002404000010400), "base offset"));
  EXPECT_THROW(decode_matrix_descriptor(atom_32, hopper), std::invalid_argument);
  EXPECT_THROW(encode({0x408, 16, 16, 0, none}, hopper), std::invalid_argument);
  EXPECT_THROW(encode({0x40000, 16, 16, 0, none}, hopper), std::invalid_argument);
  EXPECT_THROW(encode({0x400, 16, 16, 8, b128}, hopper), std::invalid_argument);
}

TEST(Swizzle, MovesUnitsAsPublishedAndBack) {
  EXPECT_EQ(swizzle_address(464, b128), 480U);  // row 3, unit 5
  EXPECT_EQ(swizzle_address(896, b128), 1008U);
  EXPECT_EQ(swizzle_address(1008, b128), 896U);
  EXPECT_EQ(swizzle_address(336, b64), 368U);
  EXPECT_EQ(swizzle_address(176, b32), 160U);
  EXPECT_EQ(swizzle_address(416, swizzle_mode::bytes_128_atom_32), 448U);
  EXPECT_EQ(swizzle_address(640, swizzle_mode::bytes_128_atom_32), 672U);
  EXPECT_EQ(swizzle_address(464, none), 464U);
  EXPECT_EQ(swizzle_address(0x1180, b128, 3), 0x1180U) << "the first row of a pattern that begins there";
  EXPECT_EQ(swizzle_address(0x1200, b128, 3), 0x1210U) << "the second one";
  for (const swizzle_mode mode : all_modes) {
    for (unsigned base_offset = 0; base_offset < 8; ++base_offset) {
      std::set<std::uint32_t> seen;
      for (std::uint32_t address = 0; address < 2048; ++address) {
        const std::uint32_t moved = swizzle_address(address, mode, base_offset);
        ASSERT_EQ(swizzle_address(moved, mode, base_offset), address);
        ASSERT_EQ(moved / 128, address / 128);
        seen.insert(moved);
      }
      EXPECT_EQ(seen.size(), 2048U);
    }
  }
}

/// Bank groups of 16 bytes, of the eight that deliver 128 bytes at once, that addresses lie in.
unsigned bank_groups(const std::vector<std::uint32_t>& addresses) {
  std::set<std::uint32_t> groups;
  for (const std::uint32_t address : addresses) groups.insert(address / 16 % 8);
  return static_cast<unsigned>(groups.size());
}

TEST(Swizzle, SpreadsAColumnOverTheBanksOnlyInRowsOfItsOwnWidth) {
  const auto column = [](unsigned row_bytes, swizzle_mode mode) {
    std::vector<std::uint32_t> addresses;
    for (std::uint32_t row = 0; row < 8; ++row) addresses.push_back(swizzle_address(row * row_bytes, mode));
    return bank_groups(addresses);
  };
  EXPECT_EQ(column(128, none), 1U);
  EXPECT_EQ(column(64, none), 2U);
  EXPECT_EQ(column(128, b32), 2U);
  EXPECT_EQ(column(128, b64), 4U);
  EXPECT_EQ(column(128, b128), 8U);
  EXPECT_EQ(column(64, b64), 8U);
  EXPECT_EQ(column(32, b32), 8U);
}

// PTX ISA, "Strides": which offset leads where, by hand.
TEST(SharedMatrix, FollowsTheStridesOfTheCanonicalLayouts) {
  const auto at = [](swizzle_mode mode, matrix_major major, matrix_place place) {
    return shared_matrix({0x4000, 0x8000, 0x10000, 0, mode}, major, 16, 128, 16).address(place) - 0x4000;
  };
  constexpr auto k = matrix_major::k, mn = matrix_major::mn;
  constexpr std::uint32_t leading = 0x8000, stride = 0x10000;
  EXPECT_EQ(at(none, k, {1, 0}), 16U);
  EXPECT_EQ(at(none, k, {8, 0}), stride);
  EXPECT_EQ(at(none, k, {0, 8}), leading);
  EXPECT_EQ(at(b128, k, {3, 1}), 384U + 48 + 2) << "row 3: unit 0 is in place 3";
  EXPECT_EQ(at(b128, k, {3, 8}), 384U + 32) << "the leading offset counts for nothing";
  EXPECT_EQ(at(b64, k, {2, 0}), 128U + 16);
  EXPECT_EQ(at(b32, k, {4, 0}), 128U + 16);
  EXPECT_EQ(at(b32, k, {8, 0}), stride);
  EXPECT_EQ(at(none, mn, {1, 0}), 2U);
  EXPECT_EQ(at(none, mn, {0, 1}), 16U);
  EXPECT_EQ(at(none, mn, {8, 0}), stride);
  EXPECT_EQ(at(none, mn, {0, 8}), leading);
  EXPECT_EQ(at(b128, mn, {9, 3}), 384U + 32 + 2) << "k 3: unit 1 is in place 2";
  EXPECT_EQ(at(b128, mn, {64, 0}), leading);
  EXPECT_EQ(at(b32, mn, {16, 0}), leading);
  EXPECT_EQ(at(b64, mn, {0, 8}), stride);
  EXPECT_EQ(at(b128_pairs, mn, {17, 1}), 128U + 2) << "k 1: the second pair of units is in place of the first";
  EXPECT_EQ(at(b128_pairs, mn, {8, 1}), 128U + 32 + 16);
  EXPECT_EQ(at(b128_pairs, mn, {0, 4}), stride);
  EXPECT_EQ(at(b128_pairs, mn, {64, 0}), leading);
}

/// A matrix whose parts follow each other without gaps, in a layout.
shared_matrix dense(swizzle_mode mode, matrix_major major, unsigned element_bits, unsigned rows, unsigned k) {
  const std::uint32_t group = 8 * row_bytes(mode), swizzled_block = k / 8 * group;  // MN-major: a row of units wide, all of K
  const bool k_major = major == matrix_major::k, swizzled = mode != none;
  const std::uint32_t leading = k_major ? rows / 8 * group : swizzled ? swizzled_block : group;
  const std::uint32_t stride = k_major || swizzled ? group : swizzled_block;
  return {{0x4000, leading, stride, 0, mode}, major, element_bits, rows, k};
}

/// Every byte belongs to its element and no other, also as the tensor core reads it.
void check_every_element(const shared_matrix& matrix, matrix_major major) {
  const byte_range footprint = matrix.footprint();
  std::set<std::uint32_t> seen;
  for (unsigned row = 0; row < matrix.rows(); ++row) {
    for (unsigned k = 0; k < matrix.k(); ++k) {
      const std::uint32_t address = matrix.address({row, k});
      ASSERT_EQ(matrix.find(address + matrix.element_bytes() - 1), (matrix_place{row, k}));
      ASSERT_TRUE(footprint.begin <= address && address + matrix.element_bytes() <= footprint.end);
      seen.insert(address);
    }
  }
  EXPECT_EQ(seen.size(), matrix.rows() * matrix.k());
  EXPECT_EQ(matrix.core_matrices() * 128, seen.size() * matrix.element_bytes());
  for (unsigned core = 0; core < matrix.core_matrices(); ++core) {
    std::vector<std::uint32_t> units;
    for (unsigned line = 0; line < shared_matrix::core_lines; ++line) {
      units.push_back(matrix.unit_address(core, line));
      matrix_place last = matrix.unit_place(core, line);
      ASSERT_EQ(matrix.address(last), units.back());
      (major == matrix_major::k ? last.k : last.row) += 16 / matrix.element_bytes() - 1;
      ASSERT_EQ(matrix.address(last), units.back() + 16 - matrix.element_bytes());
    }
    EXPECT_EQ(bank_groups(units), 8U) << "core matrix " << core;
  }
  EXPECT_EQ(matrix.find(footprint.begin - 1), std::nullopt);
  EXPECT_EQ(matrix.find(footprint.end), std::nullopt);
}

TEST(SharedMatrix, HoldsEveryElementOnceAndReadsCoreMatricesWithoutConflicts) {
  for (const swizzle_mode mode : all_modes) {
    for (const unsigned element_bits : {8U, 16U, 32U}) {
      SCOPED_TRACE(std::string(name(mode)) + ", bits " + std::to_string(element_bits));
      const unsigned k = 256 / element_bits, row = 8 * row_bytes(mode) / element_bits;
      check_every_element(dense(mode, matrix_major::k, element_bits, 24, k), matrix_major::k);
      check_every_element(dense(mode, matrix_major::mn, element_bits, 2 * row, k), matrix_major::mn);
    }
  }
  for (const unsigned element_bits : {8U, 16U, 32U}) {
    const unsigned k = 256 / element_bits, row = 1024 / element_bits;
    check_every_element({{0x4000, k / 4 * 512, 512, 0, b128_pairs}, matrix_major::mn, element_bits, 2 * row, k}, matrix_major::mn);
  }
}

TEST(SharedMatrix, IsReadByRowsOrByUnitsOfRows) {
  const shared_matrix k_major = dense(none, matrix_major::k, 16, 64, 16);
  EXPECT_EQ(k_major.unit_place(0, 1), (matrix_place{1, 0}));
  EXPECT_EQ(k_major.unit_place(1, 0), (matrix_place{0, 8}));
  EXPECT_EQ(k_major.unit_place(2, 0), (matrix_place{8, 0}));
  const shared_matrix mn_major = dense(b128, matrix_major::mn, 16, 64, 16);
  EXPECT_EQ(mn_major.unit_place(0, 1), (matrix_place{0, 1}));
  EXPECT_EQ(mn_major.unit_place(1, 0), (matrix_place{0, 8}));
  EXPECT_EQ(mn_major.unit_place(2, 0), (matrix_place{8, 0}));
}

TEST(SharedMatrix, OfAStepInsideAWideRowEndsWithItsLastUnit) {
  // The second 32 bytes of K of a tile with rows of 128 bytes: its last row, 63, has them at places 5 and 4.
  const shared_matrix step({0x4020, 16, 1024, 0, b128}, matrix_major::k, 16, 64, 16);
  EXPECT_EQ(step.address({0, 0}), 0x4020U);
  EXPECT_EQ(step.address({63, 0}), 0x4000U + 8192 - 128 + 80);
  EXPECT_EQ(step.footprint().begin, 0x4020U);
  EXPECT_EQ(step.footprint().end, 0x4000U + 8192 - 128 + 96);
}

TEST(SharedMatrix, IsMadeOfWholeCoreMatrices) {
  const matrix_descriptor d{0, 16, 128, 0, none};
  EXPECT_THROW(shared_matrix(d, matrix_major::k, 16, 12, 16), std::invalid_argument);
  EXPECT_THROW(shared_matrix(d, matrix_major::k, 16, 8, 12), std::invalid_argument);
  EXPECT_THROW(shared_matrix(d, matrix_major::mn, 8, 8, 32), std::invalid_argument);
  EXPECT_THROW(shared_matrix(d, matrix_major::k, 4, 8, 64), std::invalid_argument);
  EXPECT_THROW(shared_matrix({0, 16, 128, 0, b128_pairs}, matrix_major::k, 32, 8, 8), std::invalid_argument);
  EXPECT_THROW(shared_matrix({0, 16, 128, 0, b128_pairs}, matrix_major::mn, 16, 8, 16), std::invalid_argument);
  EXPECT_THROW(shared_matrix({0, 16, 128, 0, b128_pairs}, matrix_major::mn, 32, 8, 6), std::invalid_argument);
}

}  // namespace
}  // namespace tc::isa::shared_matrix_test
