// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace tc::machine_code {

/// "0x1f" behind a text.
void add_hexadecimal(std::string& text, std::uint64_t value);
/// "-0x1f" for negative numbers.
void add_signed(std::string& text, std::int64_t value);

/// Numbers of floating point as nvdisasm writes them: "1.4426950216293334961", "2.14748364800000000000e+09", "+INF ". A number that is none
/// says its sign: "-QNAN ".
void add_f32(std::string& text, std::uint32_t bits);
/// The upper half of an f64; the lower is zero.
void add_f64(std::string& text, std::uint32_t upper_bits);
void add_f16(std::string& text, std::uint16_t bits);
void add_bf16(std::string& text, std::uint16_t bits);

}  // namespace tc::machine_code
