// SPDX-License-Identifier: Apache-2.0
#include "probe_targets.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include <tc/config/make_dot_product.hpp>
#include <tc/config/spelling.hpp>

#include "exit_status.hpp"

namespace tcsim {

namespace {

using namespace tc::numerics;
using tc::config::operand_source;
using op = dot_product_operation;

/// One kind of operands, whether a machine has it or not.
struct operand_kind {
  std::string name;
  dot_product_types types;
  std::string note;  ///< behind the formats in a label
};

std::vector<operand_kind> operand_kinds() {
  std::vector<operand_kind> kinds;
  for (const number_format& format : {f16, bf16, tf32, e4m3, e5m2, e3m2, e2m3, e2m1})
    for (const number_format& accumulator : {f32, f16})
      if (accumulator == f32 || (format != bf16 && format != tf32))
        kinds.push_back({std::string(format.name), {format, format, accumulator}, ""});
  const auto scaled = [&](const char* name, const number_format& format, const number_format& scale, unsigned block) {
    kinds.push_back(
        {name, {format, format, f32, op::float_sum, block_scaling{scale, block}}, fmt::format(", {} scales of {}", scale.name, block)});
  };
  scaled("mxf8f6f4", e4m3, ue8m0, 32);
  scaled("mxf4", e2m1, ue8m0, 32);
  scaled("mxf4nvf4", e2m1, ue4m3, 16);
  kinds.push_back({"f64", {f64, f64, f64}, ""});
  for (const number_format& format : {s8, u8, s4, u4})
    for (const op operation : {op::integer_wrap, op::integer_saturate})
      kinds.push_back({std::string(format.name), {format, format, s32, operation}, operation == op::integer_wrap ? "" : ", .satfinite"});
  kinds.push_back({"b1", {b1, b1, s32, op::binary_xor}, ", .xor.popc"});
  kinds.push_back({"b1", {b1, b1, s32, op::binary_and}, ", .and.popc"});
  return kinds;
}

std::optional<dot_product> find_unit(const dot_product_types& types, const tc::config::arithmetic_parameters& arithmetic,
                                     operand_source source) {
  try {
    return tc::config::make_dot_product(types, arithmetic, source);
  } catch (const std::invalid_argument&) {
    return std::nullopt;  // the machine has no such operation
  }
}

bool is_same_datapath(const dot_product& x, const dot_product& y) {
  const dot_product_parameters &p = x.parameters(), &q = y.parameters();
  return p.group_length == q.group_length && p.alignment_fraction_bits == q.alignment_fraction_bits &&
         p.alignment_floor == q.alignment_floor && p.addend == q.addend && p.order == q.order && p.multiply_as_f16 == q.multiply_as_f16 &&
         p.output_rounding.kept_fraction_bits == q.output_rounding.kept_fraction_bits;
}

/// Whether the dot-product units have multipliers for integers of this size; floating point is the business of make_dot_product.
bool multiplies(const tc::config::dot_product_unit_parameters& unit, const dot_product_types& types) {
  if (types.a.is_floating_point()) return true;
  return (types.a.storage_bits == 8 ? unit.s8_per_cycle : types.a.storage_bits == 4 ? unit.s4_per_cycle : unit.b1_per_cycle) > 0;
}

/// Elements in 256 bits of a row, small floating-point formats taking a byte each: k of the usual instruction, four times.
unsigned default_k(const dot_product_types& types) {
  const bool fills_a_byte = types.a.is_floating_point() && !types.scaling;
  const unsigned bits = fills_a_byte ? std::max(types.a.storage_bits, 8u) : types.a.storage_bits;
  return 4 * 256 / bits;
}

}  // namespace

std::vector<std::string> probe_inputs() {
  std::vector<std::string> names;
  for (const operand_kind& kind : operand_kinds())
    if (names.empty() || names.back() != kind.name) names.push_back(kind.name);
  return names;
}

std::vector<probe_target> probe_targets(const tc::config::tensor_core_parameters& cores, const std::string& input,
                                        const std::string& output) {
  std::vector<probe_target> targets;
  for (const operand_kind& kind : operand_kinds()) {
    if (!multiplies(cores.unit, kind.types)) continue;
    if ((input != "all" && input != kind.name) || (output != "all" && output != kind.types.accumulator.name)) continue;
    const std::string label = fmt::format("{} x {} + {}{}", kind.types.a.name, kind.types.b.name, kind.types.accumulator.name, kind.note);
    const auto in_registers = find_unit(kind.types, cores.arithmetic, operand_source::registers),
               in_memory = find_unit(kind.types, cores.arithmetic, operand_source::shared_memory);
    const bool differ = in_registers && in_memory && !is_same_datapath(*in_registers, *in_memory);
    const unsigned k = default_k(kind.types);
    if (in_registers) targets.push_back({kind.name, label + (differ ? ", A in registers" : ""), *in_registers, k});
    if (in_memory && (differ || !in_registers))
      targets.push_back({kind.name, label + (differ ? ", A in shared memory" : ""), *in_memory, k});
  }
  if (!targets.empty()) return targets;
  throw usage_error(fmt::format("the tensor cores of this configuration have nothing for --input {} --output {}; inputs are {}", input,
                                output, tc::config::joined(probe_inputs())));
}

}  // namespace tcsim
