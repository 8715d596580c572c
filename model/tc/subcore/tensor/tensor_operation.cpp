// SPDX-License-Identifier: Apache-2.0
#include "tensor_operation.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include <systemc>

#include <fmt/format.h>

#include <tc/config/make_dot_product.hpp>
#include <tc/config/product_rate.hpp>
#include <tc/isa/matrix_shapes.hpp>
#include <tc/isa/product_operation.hpp>

namespace tc::subcore {

namespace {

constexpr unsigned divide_up(unsigned value, unsigned divisor) { return value / divisor + (value % divisor != 0 ? 1 : 0); }

/// Cycles in which the dot-product units of a threadgroup start products.
unsigned dot_product_beats(const product_layout& layout, const config::tensor_core_parameters& parameters) {
  const isa::mma_operation& mma = layout.mma();
  const std::uint64_t per_cycle = std::uint64_t{parameters.dot_product_units} * config::product_rate_of(parameters.unit, mma.a).per_cycle;
  sc_assert(per_cycle > 0);
  const std::uint64_t work = std::uint64_t{layout.outputs_per_threadgroup()} * mma.k;
  return static_cast<unsigned>((work + per_cycle - 1) / per_cycle);
}

/// Fills in what the operand buses need.
void transfer_operands(const product_layout& layout, const config::tensor_core_parameters& parameters, tensor_demand& demand) {
  const config::operand_bus_parameters& bus = parameters.operand_bus;
  const isa::mma_operation& mma = layout.mma();
  const b_buffer_layout b_buffers(parameters);
  const unsigned a = mma.a_registers(), b = mma.b_registers();
  // Octets' own tiles come at once, each from its own lanes; all of B goes to one buffer after the other.
  const unsigned buffers = layout.shares_b() ? b_buffers.buffers() : 1;
  const unsigned b_rate = b_buffers.shape().registers_per_cycle;
  const unsigned ahead_of_b = bus.a_and_b_share ? a : 0;
  for (unsigned i = 0; i < demand.b_transfer.size(); ++i) demand.b_transfer[i] = (ahead_of_b + (i < buffers ? i : 0) * b) / b_rate;

  const unsigned a_and_b = std::max(divide_up(a, bus.a_registers_per_cycle), divide_up(ahead_of_b + buffers * b, b_rate));
  const unsigned c = divide_up(mma.c_registers(), bus.c_registers_per_cycle);
  demand.transfer = std::max({a_and_b, c, layout.streams_a() ? demand.beats : 0});
  demand.fill = std::max(a_and_b, c - std::min(c, parameters.multiply_stages));
}

void throttle(const config::tensor_core_parameters& parameters, tensor_demand& demand) {
  const unsigned interval = demand.beats * parameters.f32_accumulate_divider;
  demand.compute = demand.result;
  demand.busy = std::max(demand.compute, interval);
  demand.accumulate = std::max(demand.fill + demand.beats, interval * parameters.accumulator_buffer.depth_tiles);
}

/// Sums of f64 in chains of fused multiply-adds.
tensor_demand demand_of_chains(const product_layout& layout, const config::tensor_core_parameters& parameters) {
  constexpr unsigned ks_of_a_register = 4;
  const config::operand_bus_parameters& bus = parameters.operand_bus;
  const isa::mma_operation& mma = layout.mma();
  const unsigned a = mma.a_registers(), b = mma.b_registers(), c = mma.c_registers();
  const unsigned slices = mma.k / ks_of_a_register;
  tensor_demand demand;
  if (bus.a_and_b_share) {
    demand.transfer = divide_up(a + b + c, bus.a_registers_per_cycle);
    demand.fill = divide_up((a + b) / slices + c, bus.a_registers_per_cycle);
    demand.b_transfer.fill((a + c) / bus.a_registers_per_cycle);
  } else {
    const unsigned c_cycles = divide_up(c, bus.c_registers_per_cycle);
    const auto a_and_b = [&](unsigned parts) {
      return std::max(divide_up(a / parts, bus.a_registers_per_cycle), divide_up(b / parts, bus.b_registers_per_cycle));
    };
    demand.transfer = std::max(a_and_b(1), c_cycles);
    demand.fill = std::max(a_and_b(slices), c_cycles);
  }
  const unsigned starts = divide_up(layout.outputs_per_threadgroup(), parameters.f64_units);
  const unsigned stages = parameters.multiply_stages + parameters.adder_stages, step = std::max(starts, stages);
  demand.beats = mma.k * starts;
  demand.compute = demand.busy = mma.k * step;
  demand.accumulate = demand.fill + demand.compute;
  const unsigned last_start = (mma.k - 1) * step + starts - 1;
  demand.products = demand.fill + last_start + stages;
  demand.result = demand.products + parameters.f64_result_stages;
  return demand;
}

}  // namespace

tensor_demand demand_of(const product_layout& layout, const config::tensor_core_parameters& parameters) {
  const isa::mma_operation& mma = layout.mma();
  if (mma.a == isa::element_type::f64) return demand_of_chains(layout, parameters);
  tensor_demand demand;
  demand.beats = dot_product_beats(layout, parameters);
  transfer_operands(layout, parameters, demand);
  const unsigned sequencer = links::octets_per_warp / parameters.octets_per_cycle;
  const unsigned last_octet = sequencer - 1;
  const unsigned recovery = isa::bits(mma.a) < 8 ? parameters.unit.sub_byte_recovery_cycles : 0;
  demand.compute = demand.busy = std::max(demand.beats + recovery, sequencer);
  demand.products = demand.fill + last_octet + demand.beats + parameters.multiply_stages + layout.adder_passes() * parameters.adder_stages;
  demand.result = demand.products + parameters.result_stages;
  if (mma.d == isa::element_type::f16) demand.result += parameters.f16_result_stages;
  if (mma.d == isa::element_type::f32 && parameters.f32_accumulate_divider > 1)
    throttle(parameters, demand);
  else
    demand.accumulate = demand.fill + demand.compute;
  return demand;
}

operand_bits operand_bits_of(const product_layout& layout) {
  constexpr unsigned register_bits = isa::register_bits * warp::lanes_per_warp;
  const isa::mma_operation& mma = layout.mma();
  return {(mma.a_registers() + mma.b_registers() + mma.c_registers()) * register_bits, layout.operand_bits_used()};
}

namespace {

const isa::mma_operation& require_supported(const isa::mma_operation& mma, const config::tensor_core_parameters& parameters) {
  if (const std::string reason = unsupported_reason(mma, parameters); !reason.empty()) throw std::invalid_argument(reason);
  return mma;
}

unsigned b_buffer_registers_of(const product_layout& layout, const b_buffer_layout& buffers) {
  return divide_up(layout.b_words(buffers.served_by(0)), buffers.shape().lanes);
}

}  // namespace

std::string unsupported_reason(const isa::mma_operation& mma, const config::tensor_core_parameters& parameters, const std::string& path) {
  const bool is_octet_step = mma.instances != 1;
  if (std::string reason = is_octet_step ? "" : isa::unheld_reason(mma); !reason.empty()) return reason;
  if (mma.a == isa::element_type::f64)
    return parameters.f64_units == 0 ? fmt::format("the tensor cores do not multiply f64: {}.f64_units is 0", path) : "";
  if (std::string reason = unsupported_warpgroup_reason(mma, parameters, path); !reason.empty()) return reason;
  if (parameters.b_buffer.per_octet && product_layout::of(mma)->shares_b())
    return fmt::format("it needs all of B in every octet, and a B buffer holds a 4x4 tile: {}.b_buffer.per_octet is true", path);
  return {};
}

std::string unsupported_warpgroup_reason(const isa::mma_operation& mma, const config::tensor_core_parameters& parameters,
                                         const std::string& path) {
  const config::product_rate rate = config::product_rate_of(parameters.unit, mma.a);
  if (rate.key.empty()) return fmt::format("the tensor cores have no dot-product units for {}", isa::name(mma.a));
  if (rate.per_cycle == 0) return fmt::format("the tensor cores do not multiply {}: {}.unit.{} is 0", isa::name(mma.a), path, rate.key);
  return {};
}

numerics::dot_product dot_product_of(const isa::mma_operation& mma, const config::arithmetic_parameters& arithmetic,
                                     config::operand_source source) {
  return config::make_dot_product({isa::format_of(mma.a), isa::format_of(mma.b), isa::format_of(mma.d), isa::product_operation_of(mma)},
                                  arithmetic, source);
}

tensor_operation::tensor_operation(const isa::mma_operation& mma, const config::tensor_core_parameters& parameters)
    : layout_(product_layout::of(require_supported(mma, parameters))),
      shape_(layout_->shape_of({})),
      demand_(demand_of(*layout_, parameters)),
      bits_(operand_bits_of(*layout_)),
      a_registers_(mma.a_registers()),
      b_registers_(mma.b_registers()),
      accumulator_registers_(mma.d_registers()),
      b_buffer_registers_(b_buffer_registers_of(*layout_, b_buffer_layout(parameters))),
      multiply_accumulates_(std::uint64_t{links::threadgroups_per_warp} * layout_->outputs_per_threadgroup() * mma.k) {}

}  // namespace tc::subcore
