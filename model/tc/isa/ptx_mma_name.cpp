// SPDX-License-Identifier: Apache-2.0
#include "ptx_mma_name.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace tc::isa {
namespace {

constexpr std::array all_types{element_type::f64,  element_type::f32,  element_type::tf32, element_type::f16, element_type::bf16,
                               element_type::e4m3, element_type::e5m2, element_type::s32,  element_type::s8,  element_type::u8,
                               element_type::s4,   element_type::u4,   element_type::b1};

/// Names separated by commas, each once.
class name_list {
 public:
  void add(std::string_view name) {
    const std::string next(name);
    if (std::find(names_.begin(), names_.end(), next) == names_.end()) names_.push_back(next);
  }
  std::string text() const {
    std::string result;
    for (const std::string& name : names_) result += (result.empty() ? "" : ", ") + name;
    return result;
  }

 private:
  std::vector<std::string> names_;
};

std::string listed_names_of(const std::vector<element_type>& types) {
  name_list names;
  for (const element_type each : types) names.add(name(each));
  return names.text();
}

/// A part of a name with what it says.
struct typed_part {
  std::string_view text;
  element_type type;
};

/// The dotted parts of a name, sorted by what they are. PTX puts the parts of wmma and of mma in different orders; here any order will do.
class name_parts {
 public:
  explicit name_parts(const source_text& source) : source_(source) {
    std::string_view rest = source.view();
    take_instruction(rest);
    if (rest.empty()) source_.fail(rest, "expected a shape, such as m16n8k16");
    while (!rest.empty()) take(take_until(rest, '.'));
    if (source.view().back() == '.') source_.fail(rest, "a part of the name must follow the dot");
    if (shape.empty()) source_.fail(source_.view().substr(source_.view().size()), "the name has no shape, such as m16n8k16");
  }

  ptx_instruction instruction = ptx_instruction::mma_sync;
  bool in_full = false;  ///< "wmma.mma" and not "wmma" alone
  std::string_view shape;
  std::vector<typed_part> types;
  std::vector<std::string_view> orders;
  std::string_view saturate, combine;

 private:
  void take_instruction(std::string_view& rest) {
    std::string_view after = rest;
    const std::string_view first = take_until(after, '.');
    if (first == "wgmma" || first == "tcgen05") {
      source_.fail(first, quoted(first) + " takes operands from shared or tensor memory; operations on registers are mma.sync and wmma");
    }
    if (first != "mma" && first != "wmma") return;
    rest = after;
    if (first == "mma") return;
    instruction = ptx_instruction::wmma;
    in_full = take_until(after, '.') == "mma";
    if (in_full) rest = after;
  }

  void take(std::string_view part) {
    if (part == "sync" || part == "aligned" || part == "popc") return;
    if (part == "row" || part == "col") return orders.push_back(part);
    if (part == "satfinite") return take_once(saturate, part);
    if (part == "xor" || part == "and") return take_once(combine, part);
    if (parse_shape(part)) return take_once(shape, part);
    if (const auto type = find_element_type(part)) return types.push_back({part, *type});
    name_list known;
    for (const element_type each : all_types) known.add(name(each));
    source_.fail(part, quoted(part) + " is no part of an operation's name: expected mma.sync or wmma in front, a shape such as m16n8k16, " +
                           "row, col, satfinite, xor, and, or an element type of " + known.text());
  }

  void take_once(std::string_view& place, std::string_view part) {
    if (!place.empty()) source_.fail(part, quoted(part) + " after " + quoted(place) + ": a name has only one of them");
    place = part;
  }

  const source_text& source_;
};

/// Makes an operation of the parts of its name and checks that it exists.
class operation_maker {
 public:
  operation_maker(const name_parts& parts, architecture arch, const source_text& source)
      : parts_(parts), arch_(arch), source_(source), numbers_(*parse_shape(parts.shape)) {}

  ptx_mma make() {
    check_shape();
    take_types();
    const ptx_shape& shape = find_shape();
    mma_.m = shape.m;
    mma_.n = shape.n;
    mma_.k = shape.k;
    mma_.combine = parts_.combine.empty() ? bit_operation::none : shape.combine;
    if (shape.instruction == ptx_instruction::mma_sync && mma_.k == 4 && mma_.a == element_type::f16) mma_.instances = 4;
    check_multiplicands(shape);
    check_accumulators(shape);
    take_orders(shape);
    take_modifiers();
    return {parts_.instruction, mma_};
  }

 private:
  std::string subject() const { return std::string(name(parts_.instruction)) + "." + std::string(parts_.shape); }
  std::string_view end() const { return source_.view().substr(source_.view().size()); }
  bool is_wmma() const { return parts_.instruction == ptx_instruction::wmma; }

  void take_types() {
    const auto& types = parts_.types;
    if (types.size() == 4) {
      mma_.d = types[0].type;
      mma_.a = types[1].type;
      mma_.b = types[2].type;
      mma_.c = types[3].type;
    } else if (is_wmma() && types.size() == 2) {
      mma_.a = mma_.b = parts_.in_full ? element_type::f16 : types[0].type;
      mma_.d = parts_.in_full ? types[0].type : types[1].type;
      mma_.c = types[1].type;
    } else {
      const std::string two = !is_wmma()       ? ""
                              : parts_.in_full ? ", or those of D and C for f16"
                                               : ", or those of A and D, such as .f16.f32";
      source_.fail(types.empty() ? end() : types.front().text, "expected the element types of D, A, B and C, such as .f32.f16.f16.f32" +
                                                                   two + "; found " + std::to_string(types.size()));
    }
  }

  /// Where the element type of A stands.
  std::string_view multiplicand_text() const {
    const auto& types = parts_.types;
    return types.size() == 4 ? types[1].text : parts_.in_full ? parts_.shape : types[0].text;
  }

  bool is_of_this_shape(const ptx_shape& each) const { return each.m == numbers_.m && each.n == numbers_.n && each.k == numbers_.k; }

  void check_shape() const {
    name_list shapes;
    for (const ptx_shape& each : ptx_shapes()) {
      if (each.instruction != parts_.instruction) continue;
      if (is_of_this_shape(each)) return;
      shapes.add(shape_name(each.m, each.n, each.k));
    }
    source_.fail(parts_.shape, std::string(name(parts_.instruction)) + " has no shape " + quoted(parts_.shape) + "; it has " +
                                   shapes.text() + where_else());
  }

  const ptx_shape& find_shape() const {
    const bit_operation wanted = parts_.combine == "and"   ? bit_operation::conjunction
                                 : parts_.combine == "xor" ? bit_operation::exclusive_or
                                                           : bit_operation::none;
    name_list types;
    for (const ptx_shape& each : ptx_shapes()) {
      if (each.instruction != parts_.instruction || !is_of_this_shape(each)) continue;
      for (const element_type type : each.multiplicands) types.add(name(type));
      const bool combines = each.combine == wanted || each.combine == bit_operation::none || wanted == bit_operation::none;
      if (each.takes(mma_.a) && combines) return checked(each);
    }
    source_.fail(multiplicand_text(), subject() + " has no elements of " + quoted(name(mma_.a)) + "; A and B may be " + types.text());
  }

  /// Names the other instruction if that has the shape.
  std::string where_else() const {
    for (const ptx_shape& each : ptx_shapes()) {
      if (!is_of_this_shape(each)) continue;
      return "; " + std::string(name(each.instruction)) + " has this shape, write " + std::string(name(each.instruction)) + "." +
             std::string(parts_.shape);
    }
    return "";
  }

  const ptx_shape& checked(const ptx_shape& shape) const {
    if (!shape.architectures.contains(arch_)) {
      const std::string combine = parts_.combine.empty() ? "" : "." + std::string(parts_.combine);
      source_.fail(parts_.shape, subject() + combine + " of " + std::string(name(mma_.a)) + " does not exist on " +
                                     std::string(name(arch_)) + ": " + describe(shape.architectures));
    }
    return shape;
  }

  void check_multiplicands(const ptx_shape& shape) const {
    if (!shape.takes(mma_.b)) {
      source_.fail(parts_.types[2].text, "A of " + std::string(name(mma_.a)) + " goes with B of " + listed_names_of(shape.multiplicands) +
                                             ", found " + quoted(name(mma_.b)));
    }
    if (is_wmma() && mma_.a != mma_.b) source_.fail(parts_.types[2].text, "A and B of wmma have the same element type");
  }

  void check_accumulators(const ptx_shape& shape) const {
    const auto& types = parts_.types;
    const bool short_form = types.size() == 2 && !parts_.in_full;
    const std::string_view d = short_form ? types[1].text : types[0].text, c = types.back().text;
    for (const auto& [text, type] : {std::pair{d, mma_.d}, std::pair{c, mma_.c}}) {
      if (std::find(shape.accumulators.begin(), shape.accumulators.end(), type) != shape.accumulators.end()) continue;
      source_.fail(text, subject() + " of " + std::string(name(mma_.a)) + " accumulates in " + listed_names_of(shape.accumulators) +
                             ", found " + quoted(name(type)));
    }
    // PTX ISA, section on mma, "Specific shapes have type restrictions".
    if (is_wmma() || mma_.c == mma_.d) return;
    if (mma_.instances == 1) source_.fail(c, "C and D of " + subject() + " have the same element type");
    if (mma_.d == element_type::f16) source_.fail(d, "D of " + subject() + " is f32 if C is f32");
  }

  void take_orders(const ptx_shape& shape) {
    if (parts_.orders.empty()) return;
    if (parts_.orders.size() != 2) source_.fail(parts_.orders.front(), "expected the orders of A and of B, such as .row.col, or neither");
    mma_.a_column = parts_.orders[0] == "col";
    mma_.b_column = parts_.orders[1] == "col";
    if (shape.has_orders) return;
    if (mma_.a_column) source_.fail(parts_.orders[0], "A of " + subject() + " of " + std::string(name(mma_.a)) + " is always .row");
    if (!mma_.b_column) source_.fail(parts_.orders[1], "B of " + subject() + " of " + std::string(name(mma_.a)) + " is always .col");
  }

  void take_modifiers() {
    const bool is_binary = mma_.a == element_type::b1;
    if (!parts_.saturate.empty() && (mma_.d != element_type::s32 || is_binary)) {
      source_.fail(parts_.saturate, "'satfinite' is for sums of 4-bit and 8-bit integers");
    }
    if (!parts_.combine.empty() && !is_binary) source_.fail(parts_.combine, quoted(parts_.combine) + " is for elements of b1");
    mma_.saturate = !parts_.saturate.empty();
  }

  const name_parts& parts_;
  architecture arch_;
  const source_text& source_;
  shape_numbers numbers_;
  mma_operation mma_;
};

}  // namespace

ptx_mma parse_ptx_mma(architecture arch, const source_text& source) {
  if (source.view().empty()) source.fail(source.view(), "expected an operation, such as mma.sync.m16n8k16.f32.f16.f16.f32");
  const name_parts parts(source);
  return operation_maker(parts, arch, source).make();
}

std::string name(const ptx_mma& operation) {
  const mma_operation& mma = operation.mma;
  std::string text = std::string(name(operation.instruction)) + "." + shape_name(mma.m, mma.n, mma.k);
  text += mma.a_column ? ".col" : ".row";
  text += mma.b_column ? ".col" : ".row";
  if (mma.saturate) text += ".satfinite";
  for (const element_type type : {mma.d, mma.a, mma.b, mma.c}) text += "." + std::string(name(type));
  if (mma.combine == bit_operation::exclusive_or) text += ".xor.popc";
  if (mma.combine == bit_operation::conjunction) text += ".and.popc";
  return text;
}

}  // namespace tc::isa
