// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tc/kernels/gemm_address.hpp>

namespace gemm_address_test {

using tc::kernels::linear_address;

TEST(gemm_address, adds_what_the_bits_of_the_thread_say) {
  linear_address address(0x1000, 0x100, 0x10000);
  address.add_bits(2, 16);   // threads 0 to 3: pieces of a row
  address.add_bits(3, 512);  // then rows
  EXPECT_EQ(address.at(0, 0, 0), 0x1000u);
  EXPECT_EQ(address.at(3, 0, 0), 0x1030u);
  EXPECT_EQ(address.at(4, 0, 0), 0x1200u);
  EXPECT_EQ(address.at(31, 2, 1), 0x1000u + 0x30 + 7 * 512 + 2 * 0x100 + 0x10000);
}

TEST(gemm_address, joins_neighbouring_bits_whose_strides_double) {
  linear_address address;
  address.add_bits(1, 8);
  address.add_bits(1, 16);
  address.add_bits(1, 0);
  address.add_bits(1, 32);
  ASSERT_EQ(address.fields().size(), 2u);
  EXPECT_EQ(address.fields()[0].bits, 2u);
  EXPECT_EQ(address.fields()[1].first_bit, 3u);
  EXPECT_EQ(address.at(15, 0, 0), 8u + 16u + 32u) << "bit 2 adds nothing";
}

}  // namespace gemm_address_test
