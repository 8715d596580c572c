// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <tc/machine_code/form.hpp>

namespace tc::machine_code {

/// What tables have defined by name.
struct table_names {
  std::map<std::string, std::vector<std::string>> tables;
  std::map<std::string, std::string> macros;
};

/// The words of a line, which spaces part.
std::vector<std::string> words_of(std::string_view line);

/// A line with `&name` replaced by what the macro says. Throws std::invalid_argument if there is none.
std::string with_macros(std::string_view line, const table_names& names);

/// "12", "0x1f". Throws std::invalid_argument.
std::uint64_t number_of(std::string_view text);

/// "72" (one bit), "72+3" (three), "72+3/80" (these, then one more significant). Throws std::invalid_argument.
bit_field field_of(std::string_view text);

/// The texts of a table's words: "-" is none, "7=SHARED" is that of value 7, others count on. With the point in front.
std::vector<std::string> texts_of(const std::vector<std::string>& words);

/// ".FTZ@80" (if the bit is set), ".~SX@80" (if it is not), ".(|RM|RP|RZ)@78", ".$compare@76+4", ".!SAT" (always). Throws
/// std::invalid_argument.
choice choice_of(std::string_view word, const table_names& names);

}  // namespace tc::machine_code
