// SPDX-License-Identifier: Apache-2.0
#include "wmma_name.hpp"

#include <algorithm>
#include <vector>

#include <tc/isa/ptx_mma_name.hpp>
#include <tc/isa/ptx_shapes.hpp>
#include <tc/isa/wmma_layout.hpp>

namespace tc::kernels {
namespace {

using isa::fragment;
using isa::quoted;

/// "wmma.load.a.sync.aligned.row.m16n16k16.global.f16" from left to right.
class transfer_name_parser {
 public:
  transfer_name_parser(const isa::source_text& name, isa::architecture arch) : source_(name), arch_(arch), rest_(name.view()) {}

  wmma_instruction parse() {
    take_word("wmma");
    result_.action = take_one({"load", "store"}) == "load" ? wmma_action::load : wmma_action::store;
    take_fragment();
    take_word("sync");
    take_word("aligned");
    result_.matrix.by_columns = take_one({"row", "col"}) == "col";
    shape_text_ = take();
    take_space();
    type_text_ = take();
    if (!rest_.empty()) source_.fail(rest_, "the element type is the last part of the name, found " + quoted(rest_));
    find_operation();
    return result_;
  }

 private:
  std::string_view take() { return isa::take_until(rest_, '.'); }

  void take_word(std::string_view word) { take_one({word}); }

  std::string_view take_one(const std::vector<std::string_view>& words) {
    const std::string_view part = take();
    if (std::find(words.begin(), words.end(), part) != words.end()) return part;
    std::string expected;
    for (const std::string_view word : words) expected += (expected.empty() ? "" : " or ") + quoted(word);
    source_.fail(part,
                 "expected " + expected + ", found " + quoted(part) + "; the form is wmma.load.a.sync.aligned.row.m16n16k16.global.f16");
  }

  void take_fragment() {
    if (result_.action == wmma_action::store) {
      take_word("d");
      result_.which = fragment::d;
      return;
    }
    const std::string_view letter = take_one({"a", "b", "c"});
    result_.which = letter == "a" ? fragment::a : letter == "b" ? fragment::b : fragment::c;
  }

  void take_space() {
    std::string_view after = rest_;
    const std::string_view part = isa::take_until(after, '.');
    const std::string_view space = part.substr(0, part.find(':'));
    if (space == "global") {
      result_.matrix.space = isa::memory_space::global;
    } else if (part == "shared" || part == "shared::cta") {
      result_.matrix.space = isa::memory_space::shared;
    } else {
      return;
    }
    rest_ = after;
  }

  bool is_accumulator() const { return result_.which == fragment::c || result_.which == fragment::d; }

  /// The elements that the fragment may have in a shape.
  const std::vector<isa::element_type>& types_of(const isa::ptx_shape& shape) const {
    return is_accumulator() ? shape.accumulators : shape.multiplicands;
  }

  bool has_shape(const isa::ptx_shape& shape) const {
    return shape.instruction == isa::ptx_instruction::wmma && isa::shape_name(shape.m, shape.n, shape.k) == shape_text_;
  }

  /// An operation that has a fragment of this shape and type.
  void find_operation() {
    const isa::ptx_shape* known = nullptr;
    for (const isa::ptx_shape& shape : isa::ptx_shapes()) {
      if (!has_shape(shape)) continue;
      for (const isa::element_type type : types_of(shape)) {
        if (isa::name(type) != type_text_) continue;
        known = &shape;
        if (shape.architectures.contains(arch_)) return take_operation(shape, type);
      }
    }
    fail_unknown(known);
  }

  void take_operation(const isa::ptx_shape& shape, isa::element_type type) {
    isa::mma_operation& mma = result_.mma;
    mma.m = shape.m;
    mma.n = shape.n;
    mma.k = shape.k;
    mma.a = mma.b = is_accumulator() ? shape.multiplicands.front() : type;
    mma.c = mma.d = is_accumulator() ? type : shape.accumulators.front();
    mma.combine = shape.combine;
    if (result_.which == fragment::a) mma.a_column = result_.matrix.by_columns;
    if (result_.which == fragment::b) mma.b_column = result_.matrix.by_columns;
    check_order(shape);
    if (!isa::wmma_layout(mma, result_.which, arch_))
      source_.fail(shape_text_, "the layout of " + std::string(shape_text_) + " on " + std::string(isa::name(arch_)) + " is not known");
  }

  void check_order(const isa::ptx_shape& shape) const {
    if (is_accumulator() || shape.has_orders) return;
    const bool wanted = result_.which == fragment::b;
    if (result_.matrix.by_columns == wanted) return;
    source_.fail(shape_text_, std::string(wanted ? "B" : "A") + " of " + std::string(shape_text_) + " of " + std::string(type_text_) +
                                  " is always ." + (wanted ? "col" : "row"));
  }

  [[noreturn]] void fail_unknown(const isa::ptx_shape* known) const {
    const std::string subject = "wmma " + std::string(shape_text_) + " of " + std::string(type_text_);
    if (known != nullptr) {
      source_.fail(shape_text_, subject + " does not exist on " + std::string(isa::name(arch_)) + ": " + describe(known->architectures));
    }
    std::vector<std::string> shapes, types;
    const auto add = [](std::vector<std::string>& list, std::string_view name) {
      if (std::find(list.begin(), list.end(), name) == list.end()) list.emplace_back(name);
    };
    for (const isa::ptx_shape& shape : isa::ptx_shapes()) {
      if (shape.instruction != isa::ptx_instruction::wmma || !shape.architectures.contains(arch_)) continue;
      add(shapes, isa::shape_name(shape.m, shape.n, shape.k));
      if (!has_shape(shape)) continue;
      for (const isa::element_type type : types_of(shape)) add(types, isa::name(type));
    }
    if (types.empty()) {
      source_.fail(shape_text_,
                   "wmma has no shape " + quoted(shape_text_) + " on " + std::string(isa::name(arch_)) + "; it has " + joined(shapes));
    }
    source_.fail(type_text_, "this fragment of " + std::string(shape_text_) + " has no elements of " + quoted(type_text_) +
                                 "; they may be " + joined(types));
  }

  static std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
  }

  const isa::source_text& source_;
  isa::architecture arch_;
  std::string_view rest_, shape_text_, type_text_;
  wmma_instruction result_;
};

wmma_instruction parse_multiply_name(const isa::source_text& name, isa::architecture arch) {
  if (name.view().find(".sync.aligned") == std::string_view::npos)
    name.fail(name.view(), "wmma.mma is always .sync.aligned; the form is wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32");
  wmma_instruction result;
  result.action = wmma_action::multiply;
  result.mma = isa::parse_ptx_mma(arch, name).mma;
  const isa::mma_operation& mma = result.mma;
  const bool names_order = name.view().find(".row") != std::string_view::npos || name.view().find(".col") != std::string_view::npos;
  if (!names_order) name.fail(name.view(), "the name lacks the orders of A and B, such as .row.col");
  if (mma.a == isa::element_type::b1 && mma.combine == isa::bit_operation::none)
    name.fail(name.view(), "the name lacks how bits are multiplied: .xor.popc or .and.popc");
  if (!isa::wmma_layout(mma, fragment::a, arch)) {
    const std::string shape = isa::shape_name(mma.m, mma.n, mma.k);
    name.fail(name.view().substr(name.view().find(shape)),
              "the layout of " + shape + " on " + std::string(isa::name(arch)) + " is not known");
  }
  return result;
}

}  // namespace

wmma_instruction parse_wmma_name(const isa::source_text& name, isa::architecture arch) {
  if (name.view().substr(0, 9) == "wmma.mma.") return parse_multiply_name(name, arch);
  return transfer_name_parser(name, arch).parse();
}

}  // namespace tc::kernels
