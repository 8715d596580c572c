// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <variant>
#include <vector>

#include <tc/isa/element_type.hpp>

namespace tc::launches {

/// Numbers that follow from a seed: those of a floating-point type uniform in [-1, 1), rounded to nearest; integers uniform over all of
/// their type. Element i is made of the i-th output of SplitMix64 that begins with the seed, so that all platforms have the same.
struct random_content {
  isa::element_type type = isa::element_type::f32;
  std::uint64_t seed = 0;
};

struct zero_content {};

/// What an allocation holds before a launch: zeros, generated numbers, a file, which may be compressed, or the bytes themselves.
using launch_content = std::variant<zero_content, random_content, std::filesystem::path, std::vector<std::uint8_t>>;

/// Whether random_content has numbers of a type: f64, f32, f16, bf16, e4m3, e5m2, s32, s8, u8.
bool has_random_numbers(isa::element_type type);

/// Writes the content to `bytes` bytes that are zero. Throws study::vector_error if a file cannot be read or has another size.
void write_content(const launch_content& content, std::uint8_t* to, std::uint64_t bytes);

/// The bytes that the content has in memory of some size.
std::vector<std::uint8_t> content_bytes(const launch_content& content, std::uint64_t bytes);

/// The bytes of a file, which may be compressed. Throws study::vector_error if it cannot be read or has another number of bytes.
std::vector<std::uint8_t> read_content_file(const std::filesystem::path& file, std::uint64_t bytes);

}  // namespace tc::launches
