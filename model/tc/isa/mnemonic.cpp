// SPDX-License-Identifier: Apache-2.0
#include "mnemonic.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <tc/isa/matrix_shapes.hpp>

namespace tc::isa {
namespace {

/// Reads the suffixes of one mnemonic from left to right.
class suffix_reader {
 public:
  suffix_reader(std::string_view suffixes, const source_text& source) : rest_(suffixes), source_(source) {}

  bool at_end() const { return rest_.empty(); }
  std::string_view position() const { return rest_; }
  std::string_view take() { return take_until(rest_, '.'); }

  /// Takes the next suffix if it names one of `types`.
  std::optional<element_type> take_type(const std::vector<element_type>& types) {
    std::string_view after = rest_;
    const std::string_view suffix = take_until(after, '.');
    for (const element_type type : types) {
      if (suffix != upper_case(name(type))) continue;
      rest_ = after;
      return type;
    }
    return std::nullopt;
  }

  /// The next suffix, which must name one of `types`.
  element_type require_type(const std::vector<element_type>& types, std::string_view role) {
    if (const auto type = take_type(types)) return *type;
    std::string expected;
    for (const element_type type : types) expected += (expected.empty() ? "." : ", .") + upper_case(name(type));
    fail("expected the element type of " + std::string(role) + ", one of " + expected);
  }

  /// Takes the next suffix if it is `word`.
  bool take_word(std::string_view word) {
    std::string_view after = rest_;
    if (take_until(after, '.') != word) return false;
    rest_ = after;
    return true;
  }

  void require_word(std::string_view word) {
    if (!take_word(word)) fail("expected ." + std::string(word));
  }

  [[noreturn]] void fail(const std::string& message) const {
    source_.fail(rest_, message + ", found " + (rest_.empty() ? "nothing" : tc::isa::quoted("." + std::string(rest_))));
  }

 private:
  static std::string upper_case(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](char c) { return 'a' <= c && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return result;
  }

  std::string_view rest_;
  const source_text& source_;
};

using type = element_type;

/// HMMA.884.F32.F32.STEP2, the rest behind the first accumulator type. C may be f16 where D is f32 (ptxas makes it of mma.sync.m8n8k4).
void read_volta_suffixes(suffix_reader& suffixes, mma_operation& mma) {
  mma.instances = 4;
  mma.b_column = false;
  mma.steps = mma.d == type::f32 ? 4 : 2;
  mma.c = mma.d == type::f32 ? suffixes.require_type(element_kind_of(mma.a).accumulators, "C")
                             : suffixes.require_type({type::f16}, "C, that of D");
  for (std::uint8_t step = 0; step < mma.steps; ++step) {
    if (!suffixes.take_word("STEP" + std::to_string(step))) continue;
    mma.step = step;
    return;
  }
  suffixes.fail("expected .STEP0 to .STEP" + std::to_string(mma.steps - 1));
}

void read_hmma_suffixes(suffix_reader& suffixes, std::string_view digits, mma_operation& mma) {
  mma.a = mma.b = type::f16;
  mma.c = mma.d = suffixes.require_type(element_kind_of(mma.a).accumulators, "D");
  if (digits == "884") return read_volta_suffixes(suffixes, mma);
  if (mma.d == type::f32) mma.a = mma.b = suffixes.take_type({type::bf16, type::tf32}).value_or(type::f16);
}

void read_imma_suffixes(suffix_reader& suffixes, mma_operation& mma) {
  mma.c = mma.d = type::s32;
  mma.a = suffixes.require_type({type::s8, type::u8, type::s4, type::u4}, "A");
  mma.b = suffixes.require_type(element_kind_of(mma.a).multiplicands, "B");
  mma.saturate = suffixes.take_word("SAT");
}

void read_bmma_suffixes(suffix_reader& suffixes, mma_operation& mma) {
  mma.c = mma.d = type::s32;
  mma.a = mma.b = type::b1;
  mma.combine = suffixes.take_word("XOR") ? bit_operation::exclusive_or : bit_operation::conjunction;
  if (mma.combine == bit_operation::conjunction && !suffixes.take_word("AND")) suffixes.fail("expected .XOR or .AND");
  suffixes.require_word("POPC");
}

void read_qmma_suffixes(suffix_reader& suffixes, mma_operation& mma) {
  const element_kind& kind = element_kind_of(type::e4m3);
  mma.c = mma.d = suffixes.require_type(kind.accumulators, "D");
  mma.a = suffixes.require_type(kind.multiplicands, "A");
  mma.b = suffixes.require_type(kind.multiplicands, "B");
}

/// Whether a row of the table is of an instruction's elements, and of how it combines them.
bool is_of_kind(const matrix_shape& row, opcode op, const mma_operation& mma) {
  return row.op == op && row.elements == element_kind_of(mma.a).multiplicands.front() && row.combine == mma.combine;
}

/// "; it has 1688, 16816": the shapes of the same elements, for messages. Empty if there are none.
std::string shapes_of(opcode op, const mma_operation& mma) {
  std::string text;
  std::string_view last;
  for (const matrix_shape& row : hardware_matrix_shapes()) {
    if (!is_of_kind(row, op, mma) || row.digits == last) continue;
    text += (text.empty() ? "; it has " : ", ") + std::string(row.digits);
    last = row.digits;
  }
  return text;
}

/// The table row of an operation whose shape is written `digits`.
const matrix_shape& find_shape(opcode op, std::string_view digits, const mma_operation& mma, architecture arch, const source_text& source) {
  std::string compact(digits);
  compact.erase(std::remove(compact.begin(), compact.end(), 'x'), compact.end());  // newer disassemblers write 8x8x4
  std::string elsewhere;
  const matrix_shape* found = nullptr;
  for (const matrix_shape& row : hardware_matrix_shapes()) {
    if (row.digits != compact || !is_of_kind(row, op, mma)) continue;
    if (row.architectures.contains(arch)) found = &row;
    elsewhere += (elsewhere.empty() ? "" : ", ") + describe(row.architectures);
  }
  const std::string mnemonic(info(op).mnemonic), kind = quoted(name(mma.a)) + " elements";
  if (elsewhere.empty()) source.fail(digits, mnemonic + " has no shape " + quoted(digits) + " of " + kind + shapes_of(op, mma));
  if (found == nullptr) {
    const std::string combined = mma.combine == bit_operation::exclusive_or  ? ".XOR"
                                 : mma.combine == bit_operation::conjunction ? ".AND"
                                                                             : "";
    source.fail(digits, mnemonic + "." + std::string(digits) + combined + " of " + kind + " does not exist on " + std::string(name(arch)) +
                            ": " + elsewhere);
  }
  return *found;
}

}  // namespace

mma_operation parse_mma_suffixes(opcode op, std::string_view suffixes, architecture arch, const source_text& source) {
  suffix_reader reader(suffixes, source);
  const std::string_view digits = reader.take();
  mma_operation mma;
  switch (op) {
    case opcode::hmma:
      read_hmma_suffixes(reader, digits, mma);
      break;
    case opcode::imma:
      read_imma_suffixes(reader, mma);
      break;
    case opcode::bmma:
      read_bmma_suffixes(reader, mma);
      break;
    case opcode::qmma:
      read_qmma_suffixes(reader, mma);
      break;
    case opcode::dmma:
      mma.a = mma.b = mma.c = mma.d = type::f64;
      break;
    default:
      break;  // it has no shape
  }
  if (!reader.at_end()) reader.fail(std::string(info(op).mnemonic) + " does not take this modifier");
  const matrix_shape& shape = find_shape(op, digits, mma, arch, source);
  mma.m = shape.m;
  mma.n = shape.n;
  mma.k = shape.k;
  return mma;
}

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

mnemonic parse_mnemonic(std::string_view text, architecture arch, const source_text& source, const matrix_shape_table& shapes) {
  std::string_view suffixes = text;
  const std::string_view base = take_until(suffixes, '.');
  mnemonic result;
  if (const mma_operation* const declared = shapes.find_declared(text)) {
    result.info = find_opcode(base);
    result.mma = *declared;
    return result;
  }
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

bool is_hardware_mnemonic(std::string_view text, architecture arch) {
  try {
    parse_mnemonic(text, arch, source_text(text, 1));
    return true;
  } catch (const syntax_error&) {
    return false;
  }
}

}  // namespace tc::isa
