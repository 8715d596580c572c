// SPDX-License-Identifier: Apache-2.0
#include "launch_content.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include <tc/numerics/number_format.hpp>
#include <tc/numerics/rounded_arithmetic.hpp>
#include <tc/study/compressed_file.hpp>

namespace tc::launches {

namespace {

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
std::uint64_t mixed(std::uint64_t state) {
  state = (state ^ state >> 30U) * 0xbf58476d1ce4e5b9U;
  state = (state ^ state >> 27U) * 0x94d049bb133111ebU;
  return state ^ state >> 31U;
}

/// 52 bits as a number in [-1, 1).
std::uint64_t random_number(std::uint64_t bits, const numerics::number_format& format) {
  const double value = static_cast<double>(static_cast<std::int64_t>(bits) >> 11) * 0x1p-52;
  std::uint64_t pattern;
  std::memcpy(&pattern, &value, sizeof pattern);
  if (format == numerics::f64) return pattern;
  const numerics::rounded_arithmetic rounded(format, {numerics::rounding_mode::to_nearest_even, format.fraction_bits});
  return rounded.round(numerics::exact_value(pattern, numerics::f64));
}

void write_random(const random_content& content, std::uint8_t* to, std::uint64_t bytes) {
  constexpr std::uint64_t step = 0x9e3779b97f4a7c15U;
  const numerics::number_format& format = isa::format_of(content.type);
  const std::uint64_t element_bytes = format.storage_bits / 8;
  std::uint64_t state = content.seed;
  for (std::uint64_t i = 0; i < bytes; i += element_bytes) {
    state += step;
    const std::uint64_t bits = mixed(state);
    const std::uint64_t element = format.is_floating_point() ? random_number(bits, format) : bits;
    for (std::uint64_t byte = 0; byte < element_bytes && i + byte < bytes; ++byte)
      to[i + byte] = static_cast<std::uint8_t>(element >> 8 * byte);
  }
}

void read_file(const std::filesystem::path& file, std::uint8_t* to, std::uint64_t bytes) {
  study::compressed_input in(file);
  const std::size_t read = in.read(reinterpret_cast<char*>(to), bytes);
  char further = 0;
  if (read != bytes) throw study::vector_error(file.string(), fmt::format("it ends after {} bytes; the allocation has {}", read, bytes));
  if (in.read(&further, 1) != 0)
    throw study::vector_error(file.string(), fmt::format("it has more than the {} bytes of the allocation", bytes));
}

}  // namespace

bool has_random_numbers(isa::element_type type) {
  using isa::element_type;
  constexpr element_type types[] = {element_type::f64,  element_type::f32, element_type::f16, element_type::bf16, element_type::e4m3,
                                    element_type::e5m2, element_type::s32, element_type::s8,  element_type::u8};
  return std::find(std::begin(types), std::end(types), type) != std::end(types);
}

void write_content(const launch_content& content, std::uint8_t* to, std::uint64_t bytes) {
  if (const auto* random = std::get_if<random_content>(&content)) return write_random(*random, to, bytes);
  if (const auto* file = std::get_if<std::filesystem::path>(&content)) return read_file(*file, to, bytes);
  if (const auto* literal = std::get_if<std::vector<std::uint8_t>>(&content)) std::copy(literal->begin(), literal->end(), to);
}

std::vector<std::uint8_t> content_bytes(const launch_content& content, std::uint64_t bytes) {
  std::vector<std::uint8_t> result(bytes);
  write_content(content, result.data(), bytes);
  return result;
}

std::vector<std::uint8_t> read_content_file(const std::filesystem::path& file, std::uint64_t bytes) {
  std::vector<std::uint8_t> content(bytes);
  read_file(file, content.data(), bytes);
  return content;
}

}  // namespace tc::launches
