// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tc::launches {

/// The bytes of a parameter that is written as a type and a value: "f32 1.0", "s32 -3", "u64 0x10000", "pointer 0x7f0000000000", or, for a
/// structure, "struct f32 1.0, s32 -3" or "hex 0a0b0c0d". Members of a structure lie at multiples of their sizes. Types are u8, u16, u32,
/// u64, s8, s16, s32, s64, f16, bf16, f32, f64, pointer. Numbers are rounded to the nearest one of the type. Throws std::invalid_argument,
/// which says what would be right.
std::vector<std::uint8_t> parameter_bytes(std::string_view text);

}  // namespace tc::launches
