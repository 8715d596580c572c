// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace tc::listings {

/// The symbols that an instruction or a word of data names: k and .L_x_5 in "MOV R20, 32@lo((k + .L_x_5@srel))", vprintf in "vprintf".
std::vector<std::string_view> symbols_in_code(std::string_view text);
std::vector<std::string_view> symbols_in_data(std::string_view expression);

/// The address of a symbol; of one that is relative, the offset from the begin of its section. Nothing: it is not known.
using symbol_source = std::function<std::optional<std::uint64_t>(std::string_view name, bool is_relative)>;

/// The value of a sum of symbols and numbers: "table", "(k + .L_x_5@srel)", "(table + 0x10)". What is marked @srel, or is not the first of
/// them, is relative. Nothing if a symbol is not known, or for anything else.
std::optional<std::uint64_t> value_of_sum(std::string_view expression, const symbol_source& symbols);

}  // namespace tc::listings
