// SPDX-License-Identifier: Apache-2.0
#include "mnemonic.hpp"

#include <tc/isa/mma_suffixes.hpp>

namespace tc::isa {
namespace {

/// Reports a suffix without which the opcode has no meaning.
void check_required_modifiers(const mnemonic& parsed, std::string_view text, const source_text& source) {
  const modifiers& mods = parsed.mods;
  const auto has = [&](modifier_group group) { return (parsed.info->modifier_groups & modifier_set(group)) != 0; };
  const std::string name(parsed.info->mnemonic);
  if (has(modifier_group::comparison) && mods.compare == comparison::none) source.fail(text, name + " needs a comparison, such as .LT");
  if (has(modifier_group::shift_direction) && mods.shift == shift_direction::none) source.fail(text, name + " needs a direction, .L or .R");
  if (has(modifier_group::shuffle) && mods.shuffle == shuffle_mode::none) source.fail(text, name + " needs .IDX, .UP, .DOWN or .BFLY");
  if (has(modifier_group::load_matrix) && mods.matrices == 0) source.fail(text, name + " needs .M88 or .MT88");
  const bool must_transpose = has(modifier_group::matrix_transpose) && !has(modifier_group::load_matrix);
  if (must_transpose && !mods.transpose) source.fail(text, name + " exists as " + name + ".16.MT88");
}

}  // namespace

mnemonic parse_mnemonic(std::string_view text, architecture arch, const source_text& source) {
  std::string_view suffixes = text;
  const std::string_view base = take_until(suffixes, '.');
  mnemonic result;
  result.info = find_opcode(base);
  if (result.info == nullptr) source.fail(base, "unknown opcode " + quoted(base));
  if (!result.info->architectures.contains(arch)) {
    source.fail(base, std::string(base) + " does not exist on " + std::string(name(arch)) + ": " + describe(result.info->architectures));
  }
  if (is_mma(result.info->op)) {
    result.mma = parse_mma_suffixes(result.info->op, suffixes, arch, source);
    return result;
  }
  while (!suffixes.empty()) {
    const std::string_view suffix = take_until(suffixes, '.');
    if (!apply_modifier(suffix, result.info->modifier_groups, result.mods)) {
      source.fail(suffix, std::string(base) + " has no modifier ." + std::string(suffix) + "; it takes " +
                              modifier_names(result.info->modifier_groups));
    }
  }
  if (text.back() == '.') source.fail(text.substr(text.size() - 1), "a modifier must follow the dot");
  check_required_modifiers(result, text, source);
  return result;
}

}  // namespace tc::isa
