// SPDX-License-Identifier: Apache-2.0
#include "operand_parser.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

#include <tc/isa/instruction.hpp>
#include <tc/isa/number_text.hpp>
#include <tc/isa/register_name.hpp>
#include <tc/isa/source_text.hpp>
#include <tc/isa/special_register.hpp>

namespace tc::isa {

namespace {

/// Adds the term of a vector register, such as R2.64 or R8.X16.
void add_base(memory_reference& memory, register_name base, std::string_view suffix, const source_text& source) {
  memory.base = base.index;
  memory.base_count = 1;
  if (suffix.empty() || suffix == "U32") return;
  if (suffix == "64") {
    memory.base_count = 2;
  } else if (suffix == "X4" || suffix == "X8" || suffix == "X16") {
    memory.scale = static_cast<std::uint8_t>(*parse_unsigned(suffix.substr(1)));
  } else {
    source.fail(suffix, "a base register takes .64, .U32, .X4, .X8 or .X16, found ." + std::string(suffix));
  }
}

void add_uniform(memory_reference& memory, register_name uniform, std::string_view suffix, const source_text& source) {
  if (!suffix.empty() && suffix != "64") source.fail(suffix, "a uniform register of an address takes .64 only");
  memory.uniform = uniform.index;
  memory.uniform_count = suffix == "64" ? 2 : 1;
}

void add_offset(memory_reference& memory, std::string_view term, const source_text& source) {
  const bool negative = term.substr(0, 1) == "-";
  const auto magnitude = parse_unsigned(negative ? term.substr(1) : term);
  if (!magnitude || *magnitude > std::numeric_limits<std::int32_t>::max()) {
    source.fail(term, "expected a register or an offset such as 0x10 or -0x10, found " + quoted(term));
  }
  const auto offset = static_cast<std::int32_t>(*magnitude);
  memory.offset = negative ? -offset : offset;
}

/// Reads what stands between the brackets of an address: "R2.64+UR4+0x10", "R8.X16+-0x20", "UR4", "0x200". The base has one register
/// unless written with .64. Throws syntax_error.
memory_reference parse_memory_reference(std::string_view text, const source_text& source) {
  memory_reference memory;
  if (text.empty()) source.fail(text, "an address must not be empty");
  bool base_seen = false, uniform_seen = false, offset_seen = false;
  const auto only_once = [&](bool& seen, std::string_view term, std::string_view what) {
    if (seen) source.fail(term, "an address has at most one " + std::string(what));
    seen = true;
  };
  std::string_view rest = text;
  do {
    const std::string_view term = take_until(rest, '+');
    std::string_view suffix = term;
    const register_name name = parse_register_name(take_until(suffix, '.'), source);
    if (name.file == register_file::vector) {
      only_once(base_seen, term, "base register");
      add_base(memory, name, suffix, source);
    } else if (name.file == register_file::uniform) {
      only_once(uniform_seen, term, "uniform register");
      add_uniform(memory, name, suffix, source);
    } else {
      only_once(offset_seen, term, "offset");
      add_offset(memory, term, source);
    }
  } while (!rest.empty());
  if (text.back() == '+') source.fail(text.substr(text.size() - 1), "a term must follow the plus sign");
  return memory;
}

using kind = operand::kind;

bool is_packed(number_style style) { return style == number_style::packed_f16 || style == number_style::packed_bf16; }

/// Reads one operand.
class operand_parser {
 public:
  operand_parser(std::string_view token, number_style style, const source_text& source) : rest_(token), style_(style), source_(source) {
    result_.text = token;
  }

  parsed_operand parse() {
    if (rest_.empty()) source_.fail(rest_, "an operand is missing");
    take_prefixes();
    if (rest_.empty()) source_.fail(rest_, "the operand is missing behind " + quoted(result_.text));
    if (!parse_label() && !parse_barrier_set() && !parse_bracketed() && !parse_special() && !parse_register()) parse_number();
    take_suffixes();
    if (!rest_.empty()) source_.fail(rest_, "unexpected " + quoted(rest_) + " in the operand " + quoted(result_.text));
    return result_;
  }

 private:
  bool take(std::string_view text) {
    if (rest_.substr(0, text.size()) != text) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  bool take_in_front_of_bracket(std::string_view name) { return rest_.size() > name.size() && rest_[name.size()] == '[' && take(name); }

  void take_prefixes() {
    while (!rest_.empty()) {
      if (take("-")) {
        result_.value.negated = true;
      } else if (take("~") || take("!")) {
        result_.value.inverted = true;
      } else if (take("|")) {
        result_.value.absolute = true;
      } else {
        break;
      }
    }
  }

  /// `(.L_x_4)
  bool parse_label() {
    if (rest_.substr(0, 2) != "`(") return false;
    if (rest_.back() != ')') source_.fail(rest_, "a label must end in ')'");
    rest_.remove_prefix(rest_.size());
    result_.value.what = kind::label;
    return true;
  }

  /// {3,2}: a set of dependence counters, kept as a bit mask.
  bool parse_barrier_set() {
    if (rest_.front() != '{') return false;
    std::string_view numbers = take_bracket('{', '}');
    while (!numbers.empty()) {
      const std::string_view number = trim(take_until(numbers, ','));
      const auto barrier = parse_unsigned(number);
      if (!barrier || *barrier >= control_code::barriers)
        source_.fail(number, "expected a barrier number, 0 to 5, found " + quoted(number));
      result_.value.value |= 1U << *barrier;
    }
    result_.value.what = kind::immediate;
    return true;
  }

  /// The text between brackets at the front.
  std::string_view take_bracket(char open, char close) {
    if (rest_.empty() || rest_.front() != open) source_.fail(rest_, std::string("expected '") + open + "'");
    const auto end = rest_.find(close);
    if (end == std::string_view::npos) source_.fail(rest_, std::string("there is no closing '") + close + "'");
    const std::string_view inside = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return inside;
  }

  /// [address], desc[UR4][address], c[bank][address], cx[UR4][address]
  bool parse_bracketed() {
    if (rest_.front() == '[') {
      result_.value.what = kind::memory;
      result_.value.memory = parse_memory_reference(take_bracket('[', ']'), source_);
      return true;
    }
    const bool descriptor = take_in_front_of_bracket("desc"), bindless = !descriptor && take_in_front_of_bracket("cx");
    if (!descriptor && !bindless && !take_in_front_of_bracket("c")) return false;
    const std::string_view selector = take_bracket('[', ']');
    std::uint8_t uniform = zero_uniform_register;
    if (descriptor || bindless) {
      uniform = parse_descriptor(selector);
    } else {
      result_.value.bank = parse_bank(selector);
    }
    result_.value.what = descriptor ? kind::memory : kind::constant;
    result_.value.memory = parse_memory_reference(take_bracket('[', ']'), source_);
    result_.value.memory.descriptor = uniform;
    if (!descriptor) result_.value.value = static_cast<std::uint32_t>(result_.value.memory.offset);
    return true;
  }

  std::uint8_t parse_descriptor(std::string_view text) const {
    const register_name name = parse_register_name(text, source_);
    if (name.file != register_file::uniform) source_.fail(text, "a descriptor is a uniform register pair, found " + quoted(text));
    return name.index;
  }

  std::uint8_t parse_bank(std::string_view text) const {
    constexpr unsigned banks = 32;
    const auto bank = parse_unsigned(text);
    if (!bank || *bank >= banks) source_.fail(text, "a constant bank is 0x0 to 0x1f, found " + quoted(text));
    return static_cast<std::uint8_t>(*bank);
  }

  bool parse_special() {
    if (rest_.substr(0, 2) != "SR") return false;
    const auto special = find_special_register(rest_);
    if (!special) source_.fail(rest_, "unknown special register " + quoted(rest_));
    result_.value.what = kind::special;
    result_.value.index = static_cast<std::uint8_t>(*special);
    rest_.remove_prefix(rest_.size());
    return true;
  }

  bool parse_register() {
    const std::string_view text = rest_.substr(0, rest_.find_first_of(".|"));
    const register_name name = parse_register_name(text, source_);
    if (name.file == register_file::none) return false;
    result_.value.what = kind::reg;
    result_.value.file = name.file;
    result_.value.index = name.index;
    result_.value.count = text == "PR" || text == "UPR" ? true_predicate : 1;
    rest_.remove_prefix(text.size());
    return true;
  }

  void parse_number() {
    take("+");
    const auto bits = parse_immediate(rest_, style_);
    if (!bits) source_.fail(result_.text, "expected a register, a constant, an address or a number, found " + quoted(result_.text));
    result_.value.what = kind::immediate;
    result_.value.value = result_.value.negated ? negate_immediate(*bits, style_) : *bits;
    result_.value.negated = false;
    rest_.remove_prefix(rest_.size());
  }

  void take_suffixes() {
    while (!rest_.empty()) {
      const std::string_view suffix = rest_.substr(0, rest_.find_first_of(".|", 1));
      if (suffix != "|" && !take_suffix(suffix)) source_.fail(suffix, "unknown operand modifier " + quoted(suffix));
      rest_.remove_prefix(suffix.size());
    }
  }

  bool take_suffix(std::string_view suffix) {
    operand& value = result_.value;
    const bool is_vector = value.is_register(register_file::vector);
    if (suffix == ".reuse") {
      if (!is_vector) source_.fail(suffix, ".reuse applies to vector registers, not to " + quoted(result_.text));
      value.reuse = true;
      return true;
    }
    if (suffix == ".ROW" || suffix == ".COL" || suffix == ".T") {
      result_.layout = suffix == ".ROW" ? lane_layout::row : lane_layout::column;
      return is_vector;
    }
    if (suffix == ".F32" || suffix == ".H1_H0") return true;
    const auto part = find_part(suffix);
    if (part) value.part = *part;
    return part.has_value();
  }

  static std::optional<register_part> find_part(std::string_view suffix) {
    struct row {
      std::string_view name;
      register_part part;
    };
    static constexpr row parts[] = {
        {".H0_H0", register_part::low_half}, {".H1_H1", register_part::high_half}, {".H0", register_part::low_half},
        {".H1", register_part::high_half},   {".B0", register_part::byte_0},       {".B1", register_part::byte_1},
        {".B2", register_part::byte_2},      {".B3", register_part::byte_3},
    };
    const auto* found = std::find_if(std::begin(parts), std::end(parts), [&](const row& r) { return r.name == suffix; });
    if (found == std::end(parts)) return std::nullopt;
    return found->part;
  }

  std::string_view rest_;
  number_style style_;
  const source_text& source_;
  parsed_operand result_;
};

/// Whether a place in code begins: a label, or a number.
bool begins_place(std::string_view text) { return text.substr(0, 1) == "`" || text.substr(0, 2) == "0x" || text.substr(0, 3) == "-0x"; }

/// Length of the first operand: up to a comma outside brackets, or up to the blank in front of a place in code, as in "R4 `(.L_x_1)" or
/// "R4 -0x1b0".
std::size_t operand_length(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '[' || c == '{' || c == '(') ++depth;
    if (c == ']' || c == '}' || c == ')') --depth;
    if (depth == 0 && (c == ',' || (c == ' ' && begins_place(text.substr(i + 1)) && !trim(text.substr(0, i)).empty()))) return i;
  }
  return text.size();
}

/// Joins the two numbers of a packed immediate into one operand.
void join_packed_halves(std::vector<parsed_operand>& operands, number_style style, const source_text& source) {
  const auto is_half = [&](const parsed_operand& o) {
    return o.value.what == kind::immediate && o.text.find("0x") == std::string_view::npos;
  };
  const auto first = std::find_if(operands.begin(), operands.end(), is_half);
  if (!is_packed(style) || first == operands.end()) return;
  const auto second = first + 1;
  if (second == operands.end() || !is_half(*second)) source.fail(first->text, "a packed immediate is two numbers, high half first");
  first->value.value = first->value.value << 16 | second->value.value;
  operands.erase(second);
}

}  // namespace

std::vector<parsed_operand> parse_operands(std::string_view text, number_style style, const source_text& source) {
  std::vector<parsed_operand> operands;
  std::string_view rest = trim(text);
  if (rest.empty()) return operands;
  operands.reserve(8);
  for (;;) {
    const std::size_t length = operand_length(rest);
    operands.push_back(operand_parser(trim(rest.substr(0, length)), style, source).parse());
    if (length == rest.size()) break;
    rest.remove_prefix(length + 1);
  }
  join_packed_halves(operands, style, source);
  return operands;
}

guard_predicate parse_guard(std::string_view text, const source_text& source) {
  std::string_view name = text.substr(1);
  const bool inverted = name.substr(0, 1) == "!";
  if (inverted) name.remove_prefix(1);
  const register_name reg = parse_register_name(name, source);
  if (reg.file != register_file::predicate && reg.file != register_file::uniform_predicate) {
    source.fail(text, "a guard is a predicate such as @P0 or @!UP1, found " + quoted(text));
  }
  return {reg.file, reg.index, inverted};
}

}  // namespace tc::isa
