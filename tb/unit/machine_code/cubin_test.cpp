// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tc/machine_code/code_error.hpp>
#include <tc/machine_code/cubin.hpp>

#include "kernel_files.hpp"

namespace cubin_test {

using namespace tc;
using machine_code::cubin;

std::string message_of(std::string bytes) {
  try {
    const cubin code("it.cubin", std::move(bytes));
  } catch (const machine_code::code_error& error) {
    return error.what();
  }
  return {};
}

TEST(cubin, says_of_a_kernel_what_its_attributes_say) {
  const cubin code("it.cubin", test::cubin_bytes("sm_90a"));
  EXPECT_EQ(code.target(), "sm_90a");
  EXPECT_EQ(code.arch(), isa::architecture::sm_90);
  const auto* floats = code.find("floats");
  ASSERT_NE(floats, nullptr);
  EXPECT_TRUE(floats->is_entry);
  EXPECT_EQ(floats->words.size() % 8, 0U) << "padded to 128 bytes";
  EXPECT_GE(floats->registers.value_or(0), 8U);
  EXPECT_EQ(floats->parameter_offset, 0x210U);
  EXPECT_EQ(floats->parameter_bytes, 24U);
  ASSERT_EQ(floats->parameters.size(), 4U);
  const std::uint32_t offsets[] = {0, 8, 16, 20}, sizes[] = {8, 8, 4, 4};
  for (std::uint32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(floats->parameters[i].ordinal, i);
    EXPECT_EQ(floats->parameters[i].offset, offsets[i]);
    EXPECT_EQ(floats->parameters[i].bytes, sizes[i]);
  }
  EXPECT_EQ(code.find("memories")->shared_bytes, 0x800U);
  EXPECT_GT(code.find("memories")->frame_bytes, 0U) << "a local array";
  EXPECT_EQ(code.find("nothing"), nullptr);
}

TEST(cubin, says_for_which_blocks_and_clusters_a_kernel_is) {
  using extents = std::array<std::uint32_t, 3>;
  const cubin code("it.cubin", test::bounds_bytes());
  EXPECT_EQ(code.find("up_to_128")->most_threads, 128U);
  EXPECT_EQ(code.find("up_to_128")->block, std::nullopt);
  EXPECT_EQ(code.find("clusters_of_4")->cluster, (extents{2, 2, 1}));
  EXPECT_EQ(code.find("blocks_of_128")->block, (extents{64, 2, 1}));
}

TEST(cubin, has_the_data_of_the_module) {
  const cubin code("it.cubin", test::cubin_bytes("sm_80"));
  ASSERT_GE(code.constants().size(), 1U);
  EXPECT_EQ(code.constants()[0].bank, 3U);
  EXPECT_EQ(code.constants()[0].content.size(), 256U);
  ASSERT_FALSE(code.find("flows")->constants.empty());
  EXPECT_EQ(code.zeroed().bytes, 128U);
  bool has_counter = false;
  for (const auto& symbol : code.initialized().symbols)
    if (symbol.name == "counter") {
      has_counter = true;
      EXPECT_EQ(symbol.bytes, 8U);
      EXPECT_EQ(machine_code::little_endian(code.initialized().content, symbol.offset, 8), 7U);
    }
  EXPECT_TRUE(has_counter);
}

TEST(cubin, names_functions_within_a_kernel) {
  const cubin code("it.cubin", test::cubin_bytes("sm_75"));
  bool has_recursive = false;
  for (const auto& symbol : code.find("flows")->functions) has_recursive |= symbol.name.find("recursive") != std::string::npos;
  EXPECT_TRUE(has_recursive);
}

TEST(cubin, is_refused_where_it_is_cut) {
  const std::string whole = test::cubin_bytes("sm_75");
  EXPECT_EQ(message_of(whole), "");
  EXPECT_EQ(message_of(""), "it.cubin: byte 0x0: not an ELF file; a cubin begins with the bytes 7f 45 4c 46");
  EXPECT_EQ(message_of(whole.substr(0, 40)), "it.cubin: byte 0x28: the file ends within its header of 64 bytes");
  EXPECT_NE(message_of(whole.substr(0, whole.size() / 2)).find("go beyond the end of the file"), std::string::npos);
  constexpr std::size_t behind_sections = 1024;  // program headers, which are not needed
  for (std::size_t size = 0; size < whole.size() - behind_sections; size += 997) EXPECT_NE(message_of(whole.substr(0, size)), "") << size;
}

TEST(cubin, is_refused_for_another_machine_or_architecture) {
  std::string bytes = test::cubin_bytes("sm_75");
  std::string other = bytes;
  other[18] = 62;
  EXPECT_EQ(message_of(other), "it.cubin: byte 0x12: the ELF file is for machine 62; a cubin is for 190, NVIDIA CUDA");
  other = bytes;
  other[49] = 33;
  EXPECT_NE(message_of(other).find("byte 0x30: the cubin is for sm_33; known are "), std::string::npos) << message_of(other);
}

TEST(cubin, survives_any_changed_byte) {
  const std::string whole = test::cubin_bytes("sm_90a");
  for (std::size_t at = 0; at < whole.size(); at += 41)
    for (const int value : {0x00, 0x7f, 0xff}) {
      std::string changed = whole;
      changed[at] = static_cast<char>(value);
      message_of(changed);
    }
}

TEST(cubin, that_cannot_be_opened_is_an_error_of_its_file) {
  EXPECT_THROW(cubin::read("/nonexistent/it.cubin"), machine_code::code_error);
  EXPECT_THROW(cubin::read("/"), machine_code::code_error);
}

}  // namespace cubin_test
