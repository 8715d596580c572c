// SPDX-License-Identifier: Apache-2.0
#include "wgmma_parser.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tc/isa/ptx_shapes.hpp>
#include <tc/isa/ptx_statement.hpp>

namespace tc::isa {
namespace {

using type = element_type;

/// The multiplicands of one kind, which may be mixed, and what goes with them (PTX ISA, wgmma.mma_async).
struct multiplicand_kind {
  std::vector<element_type> multiplicands, accumulators;
  bool transposes = false;  ///< A and B in shared memory may be MN-major
};

const std::array<multiplicand_kind, 5>& kinds() {
  static const std::array<multiplicand_kind, 5> rows{{
      {{type::f16}, {type::f16, type::f32}, true},
      {{type::bf16}, {type::f32}, true},
      {{type::tf32}, {type::f32}},
      {{type::e4m3, type::e5m2}, {type::f16, type::f32}},
      {{type::s8, type::u8}, {type::s32}},
  }};
  return rows;
}

bool contains(const std::vector<element_type>& types, element_type wanted) {
  return std::find(types.begin(), types.end(), wanted) != types.end();
}

/// "s8 or u8"
std::string names_of(const std::vector<element_type>& types) {
  std::string text;
  for (const element_type each : types) text += (text.empty() ? "" : " or ") + std::string(name(each));
  return text;
}

constexpr unsigned warpgroup_rows = 64, k_bytes = 32, warpgroup_lanes = 128, max_n = 256, a_register_count = 4;

/// Reads one instruction from left to right.
class wgmma_reader {
 public:
  explicit wgmma_reader(ptx_statement& statement)
      : qualifiers_(statement.qualifiers), text_(statement.operands), source_(statement.source), arch_(statement.arch) {}

  wgmma_operation read() {
    read_name();
    ptx_operand_list operands(text_, form(), source_);
    read_matrices(operands);
    result_.accumulate = operands.number("scale-d", 0, 1) == 1;
    if (!is_integer()) read_scales(operands);
    if (kind_->transposes) read_transpositions(operands);
    operands.finish();
    return std::move(result_);
  }

 private:
  bool is_integer() const { return result_.mma.d == type::s32; }

  void read_name() {
    qualifiers_.require({"sync"});
    qualifiers_.require({"aligned"});
    const std::string_view shape = qualifiers_.next("a shape such as .m64n8k16");
    result_.mma.saturate = qualifiers_.take("satfinite");
    const std::string_view d = qualifiers_.next("the element type of D, such as .f32");
    const std::string_view a = qualifiers_.next("the element type of A, such as .f16");
    const std::string_view b = qualifiers_.next("the element type of B, such as .f16");
    const std::string_view saturate_behind = result_.mma.saturate ? "" : qualifiers_.take({"satfinite"});
    qualifiers_.finish();
    result_.mma.saturate |= !saturate_behind.empty();
    take_types(d, a, b);
    take_shape(shape);
    if (result_.mma.saturate && !is_integer()) {
      source_.fail(saturate_behind.empty() ? shape : saturate_behind, ".satfinite is for sums of 8-bit integers");
    }
  }

  void take_types(std::string_view d, std::string_view a, std::string_view b) {
    const auto found = std::find_if(kinds().begin(), kinds().end(),
                                    [&](const multiplicand_kind& each) { return contains(each.multiplicands, type_of(a)); });
    if (found == kinds().end()) {
      source_.fail(a, fmt::format("A must be of f16, bf16, tf32, e4m3, e5m2, s8 or u8, found '{}'", a));
    }
    kind_ = &*found;
    if (!contains(kind_->multiplicands, type_of(b))) {
      source_.fail(b, fmt::format("B must be of {} where A is of {}, found '{}'", names_of(kind_->multiplicands), a, b));
    }
    if (!contains(kind_->accumulators, type_of(d))) {
      source_.fail(d, fmt::format("D must be of {} where A is of {}, found '{}'", names_of(kind_->accumulators), a, d));
    }
    result_.mma.a = type_of(a);
    result_.mma.b = type_of(b);
    result_.mma.c = result_.mma.d = type_of(d);
  }

  static element_type type_of(std::string_view text) { return find_element_type(text).value_or(type::none); }

  void take_shape(std::string_view text) {
    const unsigned k = k_bytes * 8 / bits(result_.mma.a);
    const auto shape = parse_shape(text);
    if (!shape || shape->m != warpgroup_rows || shape->k != k) {
      source_.fail(text, fmt::format("the shape of {} must be m64nNk{}, found '{}'", name(result_.mma.a), k, text));
    }
    // Of integers, PTX lists every multiple of 8 up to 32, of 16 above.
    const unsigned step = is_integer() && shape->n > 24 ? 16 : 8;
    if (shape->n == 0 || shape->n > max_n || shape->n % step != 0) {
      source_.fail(text, fmt::format("N of {} must be {} up to 256, found {}", name(result_.mma.a),
                                     is_integer() ? "8, 16, 24, or a multiple of 16" : "a multiple of 8", shape->n));
    }
    result_.mma.m = warpgroup_rows;
    result_.mma.n = static_cast<std::uint16_t>(shape->n);
    result_.mma.k = static_cast<std::uint16_t>(k);
  }

  std::string form() const {
    std::string matrices = fmt::format("wgmma.mma_async.sync.aligned.m64n{}k{}.{}.{}.{} {{D registers}}, A, B, scale-d", result_.mma.n,
                                       result_.mma.k, name(result_.mma.d), name(result_.mma.a), name(result_.mma.b));
    if (is_integer()) return matrices;
    return matrices + ", scale-a, scale-b" + (kind_->transposes ? ", [transpose-a,] transpose-b" : "");
  }

  void read_matrices(ptx_operand_list& operands) {
    const std::size_t accumulators = std::size_t{result_.mma.n} * warpgroup_rows * bits(result_.mma.d) / (32 * warpgroup_lanes);
    result_.accumulators = operands.registers("D", accumulators, false);
    std::vector<std::uint8_t> sorted = result_.accumulators;
    std::sort(sorted.begin(), sorted.end());
    if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end()) {
      operands.fail(fmt::format("D names R{} twice", *twice));
    }
    result_.a_in_registers = operands.peek() == '{';
    if (result_.a_in_registers) {
      result_.a_registers = operands.registers("A", a_register_count, true);
    } else {
      result_.a = read_descriptor(operands, "A");
    }
    result_.b = read_descriptor(operands, "B");
  }

  matrix_descriptor read_descriptor(ptx_operand_list& operands, std::string_view matrix) const {
    const std::uint64_t bits = operands.number(fmt::format("the matrix descriptor of {}", matrix), 0, ~std::uint64_t{0});
    if (const std::string mistake = descriptor_mistake(bits, arch_); !mistake.empty()) operands.fail(mistake);
    return decode_matrix_descriptor(bits, arch_);
  }

  void read_scales(ptx_operand_list& operands) {
    if (operands.at_end()) return;
    result_.negate_a = read_scale(operands, "scale-a");
    result_.negate_b = read_scale(operands, "scale-b");
  }

  static bool read_scale(ptx_operand_list& operands, std::string_view what) {
    const std::int64_t scale = operands.signed_number(what, -1, 1);
    if (scale == 0) operands.fail(fmt::format("{} must be 1 or -1", what));
    return scale < 0;
  }

  void read_transpositions(ptx_operand_list& operands) {
    if (operands.at_end()) return;
    if (!result_.a_in_registers) result_.a_major = read_major(operands, "transpose-a");
    result_.b_major = read_major(operands, "transpose-b");
  }

  static matrix_major read_major(ptx_operand_list& operands, std::string_view what) {
    return operands.number(what, 0, 1) == 1 ? matrix_major::mn : matrix_major::k;
  }

  qualifier_list& qualifiers_;
  std::string_view text_;
  const source_text& source_;
  architecture arch_;
  const multiplicand_kind* kind_ = nullptr;
  wgmma_operation result_;
};

}  // namespace

wgmma_operation parse_wgmma(ptx_statement& statement) { return wgmma_reader(statement).read(); }

}  // namespace tc::isa
