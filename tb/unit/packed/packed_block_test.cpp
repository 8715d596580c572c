// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>
#include <new>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include <tc/packed/packed_format.hpp>

namespace tc::packed::packed_block_test {
namespace {

constexpr std::uint32_t plain_bytes = 4096;

/// What packs well.
std::vector<std::uint8_t> plain_content() {
  std::vector<std::uint8_t> plain(plain_bytes);
  for (std::size_t i = 0; i < plain.size(); ++i) plain[i] = static_cast<std::uint8_t>(i % 7);
  return plain;
}

std::vector<std::uint8_t> packed(const std::vector<std::uint8_t>& plain) {
  std::vector<std::uint8_t> block;
  packed::append_block(plain.data(), plain.size(), block);
  return block;
}

/// A block with another count of unpacked bytes and the checksum that goes with it.
std::vector<std::uint8_t> with_count(const std::vector<std::uint8_t>& block, std::uint32_t count) {
  packed::byte_writer content;
  content.append(block.data() + 4, block.data() + 8);
  content.fixed<4>(count);
  content.append(block.data() + packed::block_head::bytes, block.data() + block.size());
  packed::byte_writer whole;
  whole.fixed<4>(packed::checksum_of(content.bytes().data(), content.bytes().size()));
  whole.append(content.bytes().data(), content.bytes().data() + content.bytes().size());
  return whole.bytes();
}

TEST(packed_block, is_unpacked_as_it_was) {
  const std::vector<std::uint8_t> plain = plain_content(), block = packed(plain);
  EXPECT_LT(block.size(), plain.size() / 10);
  std::vector<std::uint8_t> unpacked;
  EXPECT_TRUE(packed::block_unpacker().unpack(block.data(), unpacked));
  EXPECT_EQ(unpacked, plain);
}

TEST(packed_block, is_refused_if_it_holds_more_or_less_than_it_says) {
  const std::vector<std::uint8_t> block = packed(plain_content());
  packed::block_unpacker unpacker;
  std::vector<std::uint8_t> unpacked;
  for (const std::uint32_t count : {plain_bytes - 1, plain_bytes + 1})
    EXPECT_FALSE(unpacker.unpack(with_count(block, count).data(), unpacked)) << count;
  EXPECT_TRUE(unpacker.unpack(block.data(), unpacked)) << "after blocks that were refused";
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool memory_has_a_limit = false;  // the sanitizer needs an address space without one
#elif defined(__has_feature)
constexpr bool memory_has_a_limit = !__has_feature(address_sanitizer);
#else
constexpr bool memory_has_a_limit = true;
#endif

/// Leaves the process without memory but for `bytes` of it in one piece.
void exhaust_memory(std::size_t bytes) {
  const rlimit none{0, 0};
  void* const left = std::malloc(bytes);
  ::setrlimit(RLIMIT_AS, &none);
  for (std::size_t piece = std::size_t{1} << 20; piece >= sizeof(void*); piece /= 2)
    while (void* const taken = std::malloc(piece)) *static_cast<void**>(taken) = nullptr;
  std::free(left);
}

/// Ends the process with status 0 if a call runs out of memory, and says so.
template <class Call>
[[noreturn]] void expect_bad_alloc(Call call) {
  try {
    call();
  } catch (const std::bad_alloc&) {
    ::_exit(0);
  } catch (...) {
    ::_exit(2);
  }
  ::_exit(1);
}

constexpr std::size_t little_memory = std::size_t{1} << 16;  // enough for the bytes, too little to pack or unpack them

TEST(packed_block_death_test, is_not_taken_for_damaged_where_memory_is_short) {
  if (!memory_has_a_limit) GTEST_SKIP() << "the sanitizer needs memory";
  const std::vector<std::uint8_t> block = packed(plain_content());
  EXPECT_EXIT(
      {
        exhaust_memory(little_memory);
        expect_bad_alloc([&block] {
          std::vector<std::uint8_t> unpacked;
          packed::block_unpacker().unpack(block.data(), unpacked);
        });
      },
      testing::ExitedWithCode(0), "");
}

TEST(packed_block_death_test, is_not_packed_where_memory_is_short) {
  if (!memory_has_a_limit) GTEST_SKIP() << "the sanitizer needs memory";
  const std::vector<std::uint8_t> plain = plain_content();
  EXPECT_EXIT(
      {
        exhaust_memory(little_memory);
        expect_bad_alloc([&plain] { packed(plain); });
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace tc::packed::packed_block_test
