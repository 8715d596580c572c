// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <tc/numerics/number_format.hpp>

namespace tc::numerics {

/// The storage bits of an element, all digits: "0x3c00".
std::string hex_text(std::uint64_t bits, const number_format& format);

/// The shortest decimal that encode() rounds back to the same element: "1", "-0", "1e-45", "inf", "nan".
std::string decimal_text(std::uint64_t bits, const number_format& format);

/// Both: "0x3c00 (1)".
std::string value_text(std::uint64_t bits, const number_format& format);

}  // namespace tc::numerics
