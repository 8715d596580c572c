// SPDX-License-Identifier: Apache-2.0
#include "register_name.hpp"

#include <algorithm>

#include <tc/isa/control_code.hpp>
#include <tc/isa/number_text.hpp>

namespace tc::isa {
namespace {

/// One register file as the disassembler names it.
struct file_names {
  std::string_view prefix, constant;  ///< "R", "RZ"
  register_file file;
  unsigned registers;  ///< without the constant one
  unsigned constant_index;
};

constexpr file_names files[] = {
    {"R", "RZ", register_file::vector, zero_register, zero_register},
    {"UR", "URZ", register_file::uniform, zero_uniform_register, zero_uniform_register},
    {"P", "PT", register_file::predicate, true_predicate, true_predicate},
    {"UP", "UPT", register_file::uniform_predicate, true_predicate, true_predicate},
    {"PR", "PR", register_file::predicate, 0, 0},
    {"UPR", "UPR", register_file::uniform_predicate, 0, 0},
    {"B", "", register_file::barrier, 16, 0},
    {"SB", "", register_file::scoreboard, control_code::barriers, 0},
};

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return '0' <= c && c <= '9'; });
}

}  // namespace

register_name parse_register_name(std::string_view text, const source_text& source) {
  for (const file_names& names : files) {
    if (text == names.constant) return {names.file, static_cast<std::uint8_t>(names.constant_index)};
    if (text.substr(0, names.prefix.size()) != names.prefix) continue;
    const std::string_view number = text.substr(names.prefix.size());
    if (!is_number(number)) continue;
    const auto index = parse_unsigned(number);
    if (!index || *index >= names.registers) {
      source.fail(text, "there is no register " + std::string(text) + ": " + std::string(names.prefix) + "0 to " +
                            std::string(names.prefix) + std::to_string(names.registers - 1) +
                            (names.constant.empty() ? "" : " and " + std::string(names.constant)) + " exist");
    }
    return {names.file, static_cast<std::uint8_t>(*index)};
  }
  return {};
}

}  // namespace tc::isa
