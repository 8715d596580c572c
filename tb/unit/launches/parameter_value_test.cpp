// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include <tc/launches/parameter_value.hpp>

namespace tc::launches::parameter_value_test {

using bytes = std::vector<std::uint8_t>;

TEST(parameter_value, has_the_bytes_of_its_type) {
  EXPECT_EQ(parameter_bytes("f32 1.0"), (bytes{0, 0, 0x80, 0x3f}));
  EXPECT_EQ(parameter_bytes("f32 -2.5e0"), (bytes{0, 0, 0x20, 0xc0}));
  EXPECT_EQ(parameter_bytes("f16 1"), (bytes{0, 0x3c}));
  EXPECT_EQ(parameter_bytes("bf16 1"), (bytes{0x80, 0x3f}));
  EXPECT_EQ(parameter_bytes("f64 1"), (bytes{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}));
  EXPECT_EQ(parameter_bytes("s32 -3"), (bytes{0xfd, 0xff, 0xff, 0xff}));
  EXPECT_EQ(parameter_bytes("s8 -128"), (bytes{0x80}));
  EXPECT_EQ(parameter_bytes("u16 0xffff"), (bytes{0xff, 0xff}));
  EXPECT_EQ(parameter_bytes("pointer 0x10000"), (bytes{0, 0, 1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(parameter_bytes("hex 0a0B"), (bytes{0x0a, 0x0b}));
  EXPECT_EQ(parameter_bytes("struct u8 1, s32 -3, u16 2"), (bytes{1, 0, 0, 0, 0xfd, 0xff, 0xff, 0xff, 2, 0, 0, 0}));
}

TEST(parameter_value, refuses_what_does_not_fit_its_type) {
  for (const char* text : {"", "f32", "f32 x", "f32 1.0f", "u8 256", "u8 -1", "s8 128", "s8 -129", "hex", "hex 0", "hex 0g", "struct",
                           "struct f32", "struct u8 1,, u8 2", "float 1", "s32 1.5"})
    EXPECT_THROW(parameter_bytes(text), std::invalid_argument) << text;
}

}  // namespace tc::launches::parameter_value_test
