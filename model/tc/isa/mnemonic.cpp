// SPDX-License-Identifier: Apache-2.0
#include "mnemonic.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace tc::isa {
namespace {

/// A shape that the hardware has, for element types of one width and kind.
struct mma_shape {
  opcode op;
  std::string_view digits;  ///< as the mnemonic spells m, n and k
  std::uint16_t m, n, k;
  element_type elements;  ///< one of the element types of A and B, see kind_of
  architecture_range architectures;
  bit_operation combine = bit_operation::none;
};

/// From assembling every mma.sync of the PTX ISA with ptxas for each architecture. Hopper and later have no 4-bit integers and no XOR. A
/// shape of architectures that do not follow each other has rows that do.
constexpr mma_shape shapes[] = {
    {opcode::hmma, "884", 8, 8, 4, element_type::f16, until_turing},
    {opcode::hmma, "1688", 16, 8, 8, element_type::f16, turing_on},
    {opcode::hmma, "1688", 16, 8, 8, element_type::bf16, ampere_on},
    {opcode::hmma, "1688", 16, 8, 8, element_type::tf32, ampere_on},
    {opcode::hmma, "1684", 16, 8, 4, element_type::tf32, ampere_on},
    {opcode::hmma, "16816", 16, 8, 16, element_type::f16, ampere_on},
    {opcode::hmma, "16816", 16, 8, 16, element_type::bf16, ampere_on},
    {opcode::imma, "8816", 8, 8, 16, element_type::s8, turing_on},
    {opcode::imma, "16816", 16, 8, 16, element_type::s8, ampere_on},
    {opcode::imma, "16832", 16, 8, 32, element_type::s8, ampere_on},
    {opcode::imma, "8832", 8, 8, 32, element_type::s4, turing_to_ada},
    {opcode::imma, "16832", 16, 8, 32, element_type::s4, ampere_to_ada},
    {opcode::imma, "16864", 16, 8, 64, element_type::s4, ampere_to_ada},
    {opcode::bmma, "88128", 8, 8, 128, element_type::b1, turing_to_ada, bit_operation::exclusive_or},
    {opcode::bmma, "88128", 8, 8, 128, element_type::b1, ampere_on, bit_operation::conjunction},
    {opcode::bmma, "168128", 16, 8, 128, element_type::b1, ampere_to_ada, bit_operation::exclusive_or},
    {opcode::bmma, "168128", 16, 8, 128, element_type::b1, ampere_on, bit_operation::conjunction},
    {opcode::bmma, "168256", 16, 8, 256, element_type::b1, ampere_to_ada, bit_operation::exclusive_or},
    {opcode::bmma, "168256", 16, 8, 256, element_type::b1, ampere_on, bit_operation::conjunction},
    {opcode::dmma, "884", 8, 8, 4, element_type::f64, ampere_on},
    {opcode::dmma, "1684", 16, 8, 4, element_type::f64, hopper_on},
    {opcode::dmma, "1688", 16, 8, 8, element_type::f64, hopper_on},
    {opcode::dmma, "16816", 16, 8, 16, element_type::f64, hopper_on},
    {opcode::qmma, "16816", 16, 8, 16, element_type::e4m3, ada_only},
    {opcode::qmma, "16816", 16, 8, 16, element_type::e4m3, geforce_blackwell_only},
    {opcode::qmma, "16832", 16, 8, 32, element_type::e4m3, ada_only},
    {opcode::qmma, "16832", 16, 8, 32, element_type::e4m3, geforce_blackwell_only},
};

/// The element type that stands in the table for all of its width and kind.
element_type kind_of(element_type type) {
  if (type == element_type::u8) return element_type::s8;
  if (type == element_type::u4) return element_type::s4;
  return type == element_type::e5m2 ? element_type::e4m3 : type;
}

/// Reads the suffixes of one mnemonic from left to right.
class suffix_reader {
 public:
  suffix_reader(std::string_view suffixes, const source_text& source) : rest_(suffixes), source_(source) {}

  bool at_end() const { return rest_.empty(); }
  std::string_view position() const { return rest_; }
  std::string_view take() { return take_until(rest_, '.'); }

  /// Takes the next suffix if it names one of `types`.
  std::optional<element_type> take_type(std::initializer_list<element_type> types) {
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
  element_type require_type(std::initializer_list<element_type> types, std::string_view role) {
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
  mma.c = mma.d == type::f32 ? suffixes.require_type({type::f32, type::f16}, "C") : suffixes.require_type({type::f16}, "C, that of D");
  for (std::uint8_t step = 0; step < mma.steps; ++step) {
    if (!suffixes.take_word("STEP" + std::to_string(step))) continue;
    mma.step = step;
    return;
  }
  suffixes.fail("expected .STEP0 to .STEP" + std::to_string(mma.steps - 1));
}

void read_hmma_suffixes(suffix_reader& suffixes, std::string_view digits, mma_operation& mma) {
  mma.c = mma.d = suffixes.require_type({type::f32, type::f16}, "D");
  mma.a = mma.b = type::f16;
  if (digits == "884") return read_volta_suffixes(suffixes, mma);
  if (mma.d == type::f32) mma.a = mma.b = suffixes.take_type({type::bf16, type::tf32}).value_or(type::f16);
}

void read_imma_suffixes(suffix_reader& suffixes, mma_operation& mma) {
  mma.c = mma.d = type::s32;
  mma.a = suffixes.require_type({type::s8, type::u8, type::s4, type::u4}, "A");
  mma.b = bits(mma.a) == 8 ? suffixes.require_type({type::s8, type::u8}, "B") : suffixes.require_type({type::s4, type::u4}, "B");
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
  mma.c = mma.d = suffixes.require_type({type::f32, type::f16}, "D");
  mma.a = suffixes.require_type({type::e4m3, type::e5m2}, "A");
  mma.b = suffixes.require_type({type::e4m3, type::e5m2}, "B");
}

/// "; it has 1688, 16816": the shapes of the same elements, for messages. Empty if there are none.
std::string shapes_of(opcode op, const mma_operation& mma) {
  std::string text;
  std::string_view last;
  for (const mma_shape& row : shapes) {
    if (row.op != op || row.elements != kind_of(mma.a) || row.combine != mma.combine || row.digits == last) continue;
    text += (text.empty() ? "; it has " : ", ") + std::string(row.digits);
    last = row.digits;
  }
  return text;
}

/// The table row of an operation whose shape is written `digits`.
const mma_shape& find_shape(opcode op, std::string_view digits, const mma_operation& mma, architecture arch, const source_text& source) {
  std::string compact(digits);
  compact.erase(std::remove(compact.begin(), compact.end(), 'x'), compact.end());  // newer disassemblers write 8x8x4
  std::string elsewhere;
  const mma_shape* found = nullptr;
  for (const mma_shape& row : shapes) {
    if (row.op != op || row.digits != compact || row.elements != kind_of(mma.a) || row.combine != mma.combine) continue;
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

bool has_mma(architecture arch, element_type elements, unsigned m, unsigned n, unsigned k, bit_operation combine) {
  return std::any_of(std::begin(shapes), std::end(shapes), [&](const mma_shape& row) {
    return row.elements == kind_of(elements) && row.m == m && row.n == n && row.k == k && row.combine == combine &&
           row.architectures.contains(arch);
  });
}

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
  const mma_shape& shape = find_shape(op, digits, mma, arch, source);
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
