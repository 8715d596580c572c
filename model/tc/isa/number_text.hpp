// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tc::isa {

/// How numbers without 0x are written in the operands of an opcode. Packed halves come as two numbers, the high half first.
enum class number_style : std::uint8_t { integer, f32, f64, packed_f16, packed_bf16 };

/// The value of "0x1f" or "31"; nothing if the text is anything else or does not fit 32 bits.
std::optional<std::uint32_t> parse_unsigned(std::string_view text);
/// The same of 64 bits.
std::optional<std::uint64_t> parse_unsigned_64(std::string_view text);

/// The bits of an immediate without its sign, in the encoding of `style`: 0x patterns as they are, "1.5" or "INF" converted; of f64 the
/// upper 32 bits, of packed halves one 16-bit half. Nothing if the text is no number.
std::optional<std::uint32_t> parse_immediate(std::string_view text, number_style style);

/// `bits` with the sign changed, as the encoding of `style` does it.
std::uint32_t negate_immediate(std::uint32_t bits, number_style style);

}  // namespace tc::isa
