// SPDX-License-Identifier: Apache-2.0
#include "tensor_mma_parser.hpp"

#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tc/isa/ptx_statement.hpp>
#include <tc/isa/tcgen05/tcgen05_qualifiers.hpp>

namespace tc::isa {
namespace {

using sort = tcgen05_qualifier;

constexpr std::string_view kind_prefix = "kind::", collector_prefix = "collector::";
constexpr std::uint64_t any_32_bits = std::numeric_limits<std::uint32_t>::max(), any_64_bits = std::numeric_limits<std::uint64_t>::max();
constexpr unsigned lanes_of_word = 32;
constexpr std::uint64_t max_scale_input_d = 15;

/// "fill", "use", "lastuse" or "discard".
collector_use use_of(std::string_view text) {
  if (text == "fill") return collector_use::fill;
  if (text == "use") return collector_use::use;
  return text == "lastuse" ? collector_use::last_use : collector_use::discard;
}

/// What may say how many scales a row has: ".scale_vec::1X or .block32".
std::string scale_qualifiers(mma_kind kind) {
  std::string text;
  for (const std::string_view each : {"scale_vec::1X", "scale_vec::2X", "scale_vec::4X", "block16", "block32"}) {
    if (find_scale_vector(kind, each)) text += (text.empty() ? "." : " or .") + std::string(each);
  }
  return text;
}

/// Reads one instruction from left to right.
class tensor_mma_reader {
 public:
  explicit tensor_mma_reader(ptx_statement& statement)
      : source_(statement.source), name_(take_name(statement)), qualifiers_(take_qualifiers(statement)), text_(statement.operands) {}

  tensor_mma_operation read() {
    read_kind();
    read_scales();
    read_collector();
    ptx_operand_list operands(text_, form(), source_);
    read_matrices(operands);
    read_shift();
    if (is_scaled()) read_scale_addresses(operands);
    if (operands.peek() == '{') read_disabled_lanes(operands);
    result_.enable_input_d = operands.number("enable-input-d", 0, 1) == 1;
    if (!operands.at_end()) read_last(operands);
    operands.finish();
    return std::move(result_);
  }

 private:
  /// .ws is a part of the name: nothing comes before it.
  std::string take_name(ptx_statement& statement) {
    result_.form.weight_stationary = statement.qualifiers.take("ws");
    return std::string(info(statement.op).mnemonic) + (is_stationary() ? ".ws" : "");
  }

  tcgen05_qualifiers take_qualifiers(ptx_statement& statement) const {
    if (is_stationary()) return {statement, name_, {sort::cta_group, sort::kind}, {sort::sparse, sort::collector_b}};
    return {statement,
            name_,
            {sort::cta_group, sort::kind},
            {sort::sparse, sort::block_scale, sort::scale_vector, sort::shift_a, sort::collector_a}};
  }

  bool is_stationary() const { return result_.form.weight_stationary; }
  bool is_scaled() const { return is_block_scaled(result_.form.kind); }
  std::string kind_text() const { return fmt::format(".{}{}", kind_prefix, name(result_.form.kind)); }

  void read_kind() {
    const std::string_view group = qualifiers_[sort::cta_group], kind = qualifiers_[sort::kind];
    result_.form.group = qualifiers_.group();
    result_.form.sparse = qualifiers_.has(sort::sparse);
    result_.form.kind = find_mma_kind(kind.substr(kind_prefix.size())).value();
    if (!is_stationary()) return;
    if (result_.form.group == cta_group::two) source_.fail(group, name_ + " is an instruction of one CTA: write .cta_group::1");
    if (is_scaled()) {
      source_.fail(kind, fmt::format("{} has no block scales: its kinds are .kind::f16, ::tf32, ::f8f6f4 and ::i8", name_));
    }
  }

  void read_scales() {
    const std::string_view block_scale = qualifiers_[sort::block_scale], vector = qualifiers_[sort::scale_vector];
    const mma_kind kind = result_.form.kind;
    if (!is_scaled()) {
      const std::string_view wrong = block_scale.empty() ? vector : block_scale;
      if (wrong.empty()) return;
      source_.fail(wrong, fmt::format(".{} is for .kind::mxf8f6f4, ::mxf4 and ::mxf4nvf4, not for {}", wrong, kind_text()));
    }
    if (block_scale.empty()) source_.fail(qualifiers_[sort::kind], kind_text() + " needs .block_scale");
    const auto scales = vector.empty() ? default_scale_vector(kind) : find_scale_vector(kind, vector);
    if (!scales && vector.empty()) {
      source_.fail(qualifiers_[sort::kind], fmt::format("{} needs {}", kind_text(), scale_qualifiers(kind)));
    }
    if (!scales) source_.fail(vector, fmt::format("{} has {}, not .{}", kind_text(), scale_qualifiers(kind), vector));
    result_.form.scales = *scales;
  }

  void read_collector() {
    const std::string_view collector = qualifiers_[is_stationary() ? sort::collector_b : sort::collector_a];
    if (collector.empty()) return;
    if (is_stationary()) result_.collector = static_cast<std::uint8_t>(collector[collector_prefix.size() + 1] - '0');
    result_.use = use_of(collector.substr(collector.rfind(':') + 1));
  }

  std::string form() const {
    std::string text = fmt::format("{}{}.cta_group::{}{} [d], a descriptor or [a], b descriptor, ", name_, result_.form.sparse ? ".sp" : "",
                                   ctas(result_.form.group), kind_text());
    if (result_.form.sparse) text += "[metadata], ";
    text += "instruction descriptor, ";
    if (is_scaled()) return text + "[scale-a], [scale-b], enable-input-d";
    if (is_stationary()) return text + "enable-input-d [, zero-column mask]";
    text += fmt::format("[{{{} words of disabled lanes}},] enable-input-d", lane_words());
    return text + (takes_input_scale() ? " [, scale-input-d]" : "");
  }

  void read_matrices(ptx_operand_list& operands) {
    result_.d = operands.tensor_address("the address of D");
    result_.a_in_tensor_memory = operands.peek() == '[';
    if (result_.a_in_tensor_memory) {
      result_.a_address = operands.tensor_address("the address of A");
    } else {
      result_.a_descriptor = operands.number("the matrix descriptor of A", 0, any_64_bits);
    }
    result_.b_descriptor = operands.number("the matrix descriptor of B", 0, any_64_bits);
    if (result_.form.sparse) result_.metadata = operands.tensor_address("the address of the sparsity metadata");
    result_.descriptor = static_cast<std::uint32_t>(operands.number("the instruction descriptor", 0, any_32_bits));
  }

  /// .ashift moves the rows of A in tensor memory, behind the multiplication.
  void read_shift() {
    const std::string_view shift = qualifiers_[sort::shift_a], collector = qualifiers_[sort::collector_a];
    if (shift.empty()) return;
    if (is_scaled()) {
      source_.fail(shift, fmt::format(".ashift is for .kind::f16, ::tf32, ::f8f6f4 and ::i8, not for {}", kind_text()));
    }
    if (result_.use == collector_use::fill || result_.use == collector_use::use) {
      source_.fail(collector,
                   fmt::format(".{} cannot stand with .ashift, which changes A; .collector::a::lastuse and ::discard can", collector));
    }
    if (!result_.a_in_tensor_memory) source_.fail(shift, ".ashift needs A in tensor memory: [address] instead of a matrix descriptor");
    result_.shift_a = true;
  }

  void read_scale_addresses(ptx_operand_list& operands) {
    refuse_disabled_lanes(operands);
    result_.scale_a = operands.tensor_address("the address of the scales of A");
    result_.scale_b = operands.tensor_address("the address of the scales of B");
  }

  std::size_t lane_words() const { return std::size_t{ctas(result_.form.group)} * tensor_lanes / lanes_of_word; }

  void refuse_disabled_lanes(ptx_operand_list& operands) const {
    if (operands.peek() != '{') return;
    operands.next("a list");
    operands.fail(fmt::format("{} writes all lanes of D: no list of disabled lanes", is_stationary() ? name_ : kind_text()));
  }

  void read_disabled_lanes(ptx_operand_list& operands) {
    if (is_scaled() || is_stationary()) refuse_disabled_lanes(operands);
    ptx_operand_list words = operands.braced("the list of disabled lanes");
    result_.disabled_lanes.reserve(lane_words());
    while (!words.at_end()) {
      result_.disabled_lanes.push_back(static_cast<std::uint32_t>(words.number("a word of disabled lanes", 0, any_32_bits)));
    }
    if (result_.disabled_lanes.size() != lane_words()) {
      operands.fail(fmt::format("the disabled lanes of .cta_group::{} are a list of {} words, found {}", ctas(result_.form.group),
                                lane_words(), result_.disabled_lanes.size()));
    }
  }

  bool takes_input_scale() const { return result_.form.kind == mma_kind::f16 || result_.form.kind == mma_kind::tf32; }

  /// With .kind::i8 the assembler takes a scale-input-d of any value, and drops it (the code that it makes is the same); but not behind the
  /// disabled lanes of a sparse instruction.
  bool drops_input_scale() const { return result_.form.kind == mma_kind::i8 && !(result_.form.sparse && !result_.disabled_lanes.empty()); }

  /// The operand behind enable-input-d.
  void read_last(ptx_operand_list& operands) {
    constexpr std::string_view scale = "scale-input-d";
    if (is_stationary()) {
      result_.zero_column_mask = operands.number("the descriptor of the zero-column mask", 0, any_64_bits);
    } else if (takes_input_scale()) {
      result_.scale_input_d = static_cast<std::uint8_t>(operands.number(scale, 0, max_scale_input_d));
    } else if (drops_input_scale()) {
      operands.signed_number(scale, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
    } else {
      operands.next(scale);
      operands.fail(fmt::format("{} is for .kind::f16 and ::tf32, not for {}", scale, kind_text()));
    }
  }

  const source_text& source_;
  tensor_mma_operation result_;
  std::string name_;
  tcgen05_qualifiers qualifiers_;
  std::string_view text_;
};

}  // namespace

tensor_mma_operation parse_tensor_mma(ptx_statement& statement) { return tensor_mma_reader(statement).read(); }

}  // namespace tc::isa
