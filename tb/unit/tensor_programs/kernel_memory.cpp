// SPDX-License-Identifier: Apache-2.0
#include "kernel_memory.hpp"

#include <cstring>

#include <fmt/format.h>

#include "random_operations.hpp"
#include "tensor_arrays.hpp"

namespace tc::tensor_programs {

namespace {

constexpr std::uint64_t inputs_address = 0x100000, results_address = 0x200000;
constexpr std::size_t most_result_bytes = 0x80000;  // the same in all programs, which share the machine

struct pool_row {
  unsigned begin, bytes;
};
constexpr std::array<pool_row, 3> pools{{{0, 16384}, {16384, 2048}, {18432, 2048}}};

const pool_row& row_of(kernel_memory::pool from) { return pools.at(static_cast<std::size_t>(from)); }

/// Bits that are numbers of like size in most formats, so that many of the terms of a sum count; or any bits.
std::uint8_t random_byte(random_numbers& random, unsigned style) {
  const unsigned any = random.below(256);
  if (style < 60) return static_cast<std::uint8_t>((any & 0x87) | 0x38);
  return static_cast<std::uint8_t>(style < 92 ? any & 0xbf : any);
}

void fill_words(random_numbers& random, std::uint8_t* to, unsigned bytes) {
  for (unsigned byte = 0, style = 0; byte < bytes; ++byte) {
    if (byte % word_bytes == 0) style = random.below(100);
    to[byte] = random_byte(random, style);
  }
}

/// Near one as ue8m0, large but not NaN as ue4m3; a few others.
void fill_scales(random_numbers& random, std::uint8_t* to, unsigned bytes) {
  for (unsigned byte = 0; byte < bytes; ++byte)
    to[byte] = static_cast<std::uint8_t>(random.chance(2) ? random.below(256) : random.between(0x74, 0x7e));
}

template <std::size_t Count>
void fill_codes(random_numbers& random, std::uint8_t* to, unsigned bytes, const std::array<unsigned, Count>& codes) {
  for (unsigned byte = 0; byte < bytes; ++byte) to[byte] = static_cast<std::uint8_t>(random.pick(codes) | random.pick(codes) << 4);
}

std::string hex_digits(const std::vector<std::uint8_t>& bytes, std::size_t begin, std::size_t end) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * (end - begin));
  for (std::size_t i = begin; i < end; ++i) {
    text += digits[bytes[i] >> 4];
    text += digits[bytes[i] & 0xf];
  }
  return text;
}

}  // namespace

kernel_memory::kernel_memory(random_numbers& random) : inputs_(pools.back().begin + pools.back().bytes), shared_(tile_window.end) {
  const auto part = [this](pool of) { return &inputs_[row_of(of).begin]; };
  fill_words(random, part(pool::any), row_of(pool::any).bytes);
  fill_codes<7>(random, part(pool::codes_of_four), row_of(pool::codes_of_four).bytes, {0x4, 0x8, 0xc, 0x9, 0xd, 0x6, 0xe});
  fill_codes<2>(random, part(pool::codes_of_two), row_of(pool::codes_of_two).bytes, {0x4, 0xe});
  fill_words(random, &shared_[tile_window.begin], tile_window.end - tile_window.begin);
  fill_scales(random, &shared_[scale_window.begin], scale_window.end - scale_window.begin);
}

std::uint64_t kernel_memory::random_address(random_numbers& random, pool from, unsigned words) const {
  constexpr unsigned alignment = 16;
  const pool_row& row = row_of(from);
  return inputs_address + row.begin + random.below((row.bytes - warp_threads * words * word_bytes) / alignment + 1) * alignment;
}

std::uint32_t kernel_memory::word(std::uint64_t address) const {
  std::uint32_t word = 0;
  std::memcpy(&word, &inputs_.at(address - inputs_address), sizeof word);
  return word;
}

std::uint64_t kernel_memory::expect(const warp_registers& registers, unsigned first, unsigned words) {
  const std::uint64_t address = results_address + results_.size();
  for (unsigned thread = 0; thread < warp_threads; ++thread)
    for (unsigned number = first; number < first + words; ++number)
      for (unsigned byte = 0; byte < word_bytes; ++byte)
        results_.push_back(static_cast<std::uint8_t>(registers.at(number).at(thread) >> 8 * byte));
  return address;
}

std::string kernel_memory::text() const {
  const std::size_t begin = scale_window.begin;
  return fmt::format("shared {}\nshared-memory {:#x} {} hex {}\nmemory {:#x} {} hex {}\nmemory {:#x} {} zero\nexpect {:#x} {} hex {}\n",
                     shared_.size(), begin, shared_.size() - begin, hex_digits(shared_, begin, shared_.size()), inputs_address,
                     inputs_.size(), hex_digits(inputs_, 0, inputs_.size()), results_address, most_result_bytes, results_address,
                     results_.size(), hex_digits(results_, 0, results_.size()));
}

}  // namespace tc::tensor_programs
