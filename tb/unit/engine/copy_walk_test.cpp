// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <tc/engine/copy_walk.hpp>

namespace tc::engine::copy_walk_test {
namespace {

constexpr std::uint64_t outside = ~std::uint64_t{0};

/// By byte of shared memory, before swizzling: its address in global memory, or `outside`.
using byte_map = std::map<std::uint64_t, std::uint64_t>;

byte_map walked(const isa::bulk_copy_operation& copy, const isa::tensor_map* map, std::uint32_t line_bytes = 128) {
  byte_map bytes;
  copy_walk walk(copy, map, line_bytes);
  for (copy_piece piece; walk.next(piece);) {
    EXPECT_GT(piece.bytes, 0U);
    EXPECT_LE(piece.bytes, line_bytes);
    if (piece.inside) {
      EXPECT_EQ(piece.global / line_bytes, (piece.global + piece.bytes - 1) / line_bytes) << "one line";
    }
    for (std::uint32_t i = 0; i < piece.bytes; ++i)
      EXPECT_TRUE(bytes.emplace(piece.shared + i, piece.inside ? piece.global + i : outside).second) << "copied twice";
  }
  return bytes;
}

std::uint64_t address_of(const isa::tensor_map& map, const std::array<std::int64_t, 5>& element) {
  std::uint64_t address = map.base;
  for (unsigned d = 0; d < map.rank; ++d) {
    if (element[d] < 0 || element[d] >= map.sizes[d]) return outside;
    address += static_cast<std::uint64_t>(element[d]) * (d == 0 ? map.element_bytes : map.strides_bytes[d]);
  }
  return address;
}

void add_element(byte_map& bytes, std::uint64_t shared, const isa::tensor_map& map, const std::array<std::int64_t, 5>& element) {
  const std::uint64_t address = address_of(map, element);
  for (unsigned i = 0; i < map.element_bytes; ++i) bytes[shared + i] = address == outside ? outside : address + i;
}

/// A tiled copy as five nested loops.
byte_map tile(const isa::bulk_copy_operation& copy, const isa::tensor_map& map) {
  const auto steps = [&map](unsigned d) {
    return d >= map.rank ? 1U : d == 0 ? map.box[0] : (map.box[d] - 1) / map.element_strides[d] + 1;
  };
  byte_map bytes;
  std::uint64_t shared = 0;
  std::array<std::uint32_t, 5> i{};
  for (i[4] = 0; i[4] < steps(4); ++i[4])
    for (i[3] = 0; i[3] < steps(3); ++i[3])
      for (i[2] = 0; i[2] < steps(2); ++i[2])
        for (i[1] = 0; i[1] < steps(1); ++i[1])
          for (i[0] = 0; i[0] < steps(0); ++i[0], shared += map.element_bytes) {
            std::array<std::int64_t, 5> element{};
            for (unsigned d = 0; d < map.rank; ++d)
              element[d] = copy.coordinates[d] + std::int64_t{i[d]} * (d == 0 ? 1 : map.element_strides[d]);
            add_element(bytes, shared, map, element);
          }
  return bytes;
}

/// An im2col copy by its definition: the pixels of the window, listed image by image, from the given one on.
byte_map columns(const isa::bulk_copy_operation& copy, const isa::tensor_map& map) {
  const unsigned spatial = map.rank - 2;
  const auto positions = [&map, spatial](unsigned d) {  // of the window, in dimension W, H or D
    std::vector<std::int64_t> all;
    if (d >= spatial) return std::vector<std::int64_t>{0};
    for (std::int64_t p = map.lower_corner[d]; p <= std::int64_t{map.sizes[d + 1]} - 1 + map.upper_corner[d];
         p += map.element_strides[d + 1])
      all.push_back(p);
    return all;
  };
  byte_map bytes;
  std::uint32_t taken = 0;
  bool begun = false;
  for (std::int64_t n = copy.coordinates[map.rank - 1]; taken < map.pixels; ++n)
    for (const std::int64_t depth : positions(2))
      for (const std::int64_t h : positions(1))
        for (const std::int64_t w : positions(0)) {
          const std::array<std::int64_t, 3> pixel{w, h, depth};
          bool is_first = true;
          for (unsigned d = 0; d < spatial; ++d) is_first = is_first && pixel[d] == copy.coordinates[d + 1];
          begun = begun || is_first;
          if (!begun || taken == map.pixels) continue;
          for (std::uint32_t c = 0; c < map.channels; ++c) {
            std::array<std::int64_t, 5> element{copy.coordinates[0] + std::int64_t{c}};
            for (unsigned d = 0; d < spatial; ++d) element[d + 1] = pixel[d] + copy.im2col_offsets[d];
            element[map.rank - 1] = n;
            add_element(bytes, (std::uint64_t{taken} * map.channels + c) * map.element_bytes, map, element);
          }
          ++taken;
        }
  return bytes;
}

class random_numbers {
 public:
  explicit random_numbers(unsigned seed) : engine_(seed) {}
  std::uint32_t upto(std::uint32_t last) { return static_cast<std::uint32_t>(from(0, static_cast<int>(last))); }
  int from(int first, int last) { return std::uniform_int_distribution<int>(first, last)(engine_); }

 private:
  std::mt19937 engine_;
};

isa::tensor_map random_tensor(random_numbers& random, unsigned rank) {
  isa::tensor_map map;
  map.rank = rank;
  map.element_bytes = 1U << random.upto(3);
  map.base = 0x10000 + 16 * random.upto(100);
  std::uint64_t stride = map.element_bytes;
  for (unsigned d = 0; d < rank; ++d) {
    map.sizes[d] = 1 + random.upto(d == 0 ? 40 : 7);
    map.strides_bytes[d] = stride;
    stride = (stride * map.sizes[d] + 15) / 16 * 16 + 16 * random.upto(1);
  }
  return map;
}

class random_box : public testing::TestWithParam<unsigned> {};

TEST_P(random_box, is_that_of_plain_loops) {
  random_numbers random(GetParam());
  for (unsigned repetition = 0; repetition < 20; ++repetition) {
    isa::tensor_map map = random_tensor(random, GetParam());
    isa::bulk_copy_operation copy;
    for (unsigned d = 0; d < map.rank; ++d) {
      map.box[d] = 1 + random.upto(d == 0 ? 31 : 5);
      map.element_strides[d] = 1 + random.upto(2);
      copy.coordinates[d] = random.from(-6, static_cast<int>(map.sizes[d]) + 2);
    }
    const byte_map bytes = walked(copy, &map, repetition % 2 == 0 ? 32 : 128);
    EXPECT_EQ(bytes, tile(copy, map));
    EXPECT_EQ(copy_walk::counted_bytes(copy, &map), bytes.size());
    EXPECT_EQ(copy_walk::shared_bytes(copy, &map), bytes.size());
  }
}

INSTANTIATE_TEST_SUITE_P(of_rank, random_box, testing::Range(1U, 6U));

class random_columns : public testing::TestWithParam<unsigned> {};

TEST_P(random_columns, are_those_of_their_definition) {
  random_numbers random(GetParam());
  for (unsigned repetition = 0; repetition < 20; ++repetition) {
    isa::tensor_map map = random_tensor(random, GetParam());
    map.im2col = true;
    map.channels = 1 + random.upto(20);
    map.pixels = 1 + random.upto(60);
    isa::bulk_copy_operation copy;
    copy.im2col = true;
    copy.coordinates[0] = random.from(0, 30);
    copy.coordinates[map.rank - 1] = random.from(0, 2);
    for (unsigned d = 0; d + 2 < map.rank; ++d) {
      map.element_strides[d + 1] = 1 + random.upto(1);
      map.lower_corner[d] = random.from(-2, 0);
      map.upper_corner[d] = random.from(std::max(-2, map.lower_corner[d] - static_cast<int>(map.sizes[d + 1]) + 1), 1);
      copy.im2col_offsets[d] = static_cast<std::uint16_t>(random.upto(3));
      const int window = static_cast<int>(map.sizes[d + 1]) + map.upper_corner[d] - map.lower_corner[d];
      const int stride = static_cast<int>(map.element_strides[d + 1]);
      copy.coordinates[d + 1] = map.lower_corner[d] + stride * random.from(0, (window - 1) / stride);
    }
    EXPECT_EQ(walked(copy, &map), columns(copy, map));
  }
}

INSTANTIATE_TEST_SUITE_P(of_rank, random_columns, testing::Range(3U, 6U));

/// The number of the first element of each row in global memory, -1 outside the tensor; of tensors of two-byte elements.
std::vector<int> first_elements(const isa::tensor_map& map, const isa::bulk_copy_operation& copy) {
  std::vector<int> elements;
  box_walk walk(map, copy);
  for (box_row row; walk.next(row);) elements.push_back(row.inside_bytes == 0 ? -1 : static_cast<int>((row.global - map.base) / 2));
  return elements;
}

/// What an H200 copies for filter position (1, 2) of an image of 5 x 4 pixels with 8 channels, from pixel (1, 1) on, with steps of 1 and 2.
TEST(box_walk, takes_the_pixels_that_an_h200_takes) {
  isa::tensor_map map;
  map.im2col = true;
  map.rank = 4;
  map.element_bytes = 2;
  map.sizes = {8, 5, 4, 2};
  map.strides_bytes = {2, 16, 80, 320};
  map.lower_corner = map.upper_corner = {-1, -1};
  map.channels = 8;
  map.pixels = 24;
  isa::bulk_copy_operation copy;
  copy.coordinates = {0, 1, 1, 0};
  copy.im2col_offsets = {1, 2};
  EXPECT_EQ(first_elements(map, copy), (std::vector<int>{0x88, 0x90, 0x98, -1,    -1,    -1,    -1,    -1,    0xc8,  0xd0,  0xd8,  0xe0,
                                                         0xe8, 0xf0, 0xf8, 0x100, 0x108, 0x110, 0x118, 0x120, 0x128, 0x130, 0x138, -1}));
  map.element_strides = {1, 2, 2, 1};
  map.pixels = 10;
  EXPECT_EQ(first_elements(map, copy), (std::vector<int>{0x88, 0x98, 0xc8, 0xd8, 0xe8, 0x118, 0x128, 0x138, -1, -1}));
}

/// What an H200 copies of a tensor of 8 x 16 elements: every second row of six, the first one outside.
TEST(box_walk, takes_the_rows_that_an_h200_takes) {
  isa::tensor_map map;
  map.rank = 2;
  map.element_bytes = 2;
  map.sizes = {8, 16};
  map.strides_bytes = {2, 16};
  map.box = {8, 6};
  map.element_strides = {1, 2};
  isa::bulk_copy_operation copy;
  copy.coordinates = {0, -1};
  EXPECT_EQ(first_elements(map, copy), (std::vector<int>{-1, 8, 24}));
}

TEST(copy_walk, divides_a_linear_copy_at_lines_of_global_memory) {
  isa::bulk_copy_operation copy;
  copy.global = 0x1070;
  copy.bytes = 160;
  copy_walk walk(copy, nullptr, 128);
  std::vector<std::array<std::uint64_t, 3>> pieces;
  for (copy_piece piece; walk.next(piece);) pieces.push_back({piece.shared, piece.global, piece.bytes});
  EXPECT_EQ(pieces, (std::vector<std::array<std::uint64_t, 3>>{{0, 0x1070, 16}, {16, 0x1080, 128}, {144, 0x1100, 16}}));
}

TEST(copy_walk, gives_swizzled_rows_the_width_of_the_swizzle) {
  isa::tensor_map map;
  map.rank = 2;
  map.element_bytes = 2;
  map.sizes = {24, 4};
  map.strides_bytes = {2, 48};
  map.box = {24, 2};
  map.swizzle = isa::swizzle_mode::bytes_64;
  const isa::bulk_copy_operation copy;
  const byte_map bytes = walked(copy, &map);
  EXPECT_EQ(bytes.count(48), 0U) << "behind the first row";
  EXPECT_EQ(bytes.at(64), 48U) << "the second one";
  EXPECT_EQ(copy_walk::counted_bytes(copy, &map), 96U);
  EXPECT_EQ(copy_walk::shared_bytes(copy, &map), 128U);
}

}  // namespace
}  // namespace tc::engine::copy_walk_test
