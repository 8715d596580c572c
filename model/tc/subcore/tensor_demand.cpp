#include <algorithm>
#include <cstdint>

#include <systemc>

#include <tc/isa/hmma_884_work.hpp>
#include <tc/subcore/tensor_demand.hpp>

namespace tc::subcore {

namespace {

constexpr unsigned divide_up(unsigned value, unsigned divisor) { return value / divisor + (value % divisor != 0 ? 1 : 0); }

/// Elements of D that a warp computes.
unsigned outputs(const isa::mma_operation& mma) { return unsigned{mma.m} * mma.n * mma.instances / mma.steps; }

/// Cycles in which the dot-product units of a threadgroup start products.
unsigned dot_product_beats(const isa::mma_operation& mma, const config::tensor_core_parameters& parameters) {
  const std::uint64_t per_cycle = std::uint64_t{parameters.dot_product_units} * multiply_accumulates_per_cycle(parameters.unit, mma.a);
  sc_assert(per_cycle > 0);
  const std::uint64_t work = std::uint64_t{outputs(mma)} / threadgroups_per_warp * mma.k;
  return static_cast<unsigned>((work + per_cycle - 1) / per_cycle);
}

/// Fills in what the operand buses need.
void transfer_operands(const isa::mma_operation& mma, const config::tensor_core_parameters& parameters, tensor_demand& demand) {
  const config::operand_bus_parameters& bus = parameters.operand_bus;
  const unsigned a = mma.a_registers(), b = mma.b_registers();
  // Each octet's tile of a step comes from its own lanes; all of B goes to one buffer after the other.
  const unsigned buffers = is_octet_step(mma) ? 1 : b_buffer_count(parameters);
  const unsigned b_rate = bus.a_and_b_share ? bus.a_registers_per_cycle : bus.b_registers_per_cycle;
  const unsigned ahead_of_b = bus.a_and_b_share ? a : 0;
  for (unsigned i = 0; i < demand.b_transfer.size(); ++i) demand.b_transfer[i] = (ahead_of_b + (i < buffers ? i : 0) * b) / b_rate;

  const unsigned a_and_b = std::max(divide_up(a, bus.a_registers_per_cycle), divide_up(ahead_of_b + buffers * b, b_rate));
  const unsigned c = divide_up(mma.c_registers(), bus.c_registers_per_cycle);
  demand.transfer = std::max({a_and_b, c, is_octet_step(mma) ? demand.beats : 0});
  demand.fill = std::max(a_and_b, c - std::min(c, parameters.multiply_stages));
}

void throttle(const config::tensor_core_parameters& parameters, tensor_demand& demand) {
  const unsigned interval = demand.beats * parameters.f32_accumulate_divider;
  demand.compute = demand.result;
  demand.accumulate = std::max(demand.fill + demand.beats, interval * parameters.accumulator_buffer.depth_tiles);
}

/// Sums of f64 in chains of fused multiply-adds.
tensor_demand demand_of_chains(const isa::mma_operation& mma, const config::tensor_core_parameters& parameters) {
  constexpr unsigned ks_of_a_register = 4;
  const config::operand_bus_parameters& bus = parameters.operand_bus;
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
  const unsigned starts = divide_up(outputs(mma) / threadgroups_per_warp, parameters.f64_units);
  const unsigned stages = parameters.multiply_stages + parameters.adder_stages, step = std::max(starts, stages);
  demand.beats = mma.k * starts;
  demand.compute = mma.k * step;
  demand.accumulate = demand.fill + demand.compute;
  const unsigned last_start = (mma.k - 1) * step + starts - 1;
  demand.products = demand.fill + last_start + stages;
  demand.result = demand.products + parameters.f64_result_stages;
  return demand;
}

}  // namespace

unsigned multiply_accumulates_per_cycle(const config::dot_product_unit_parameters& unit, isa::element_type type) {
  switch (type) {
    case isa::element_type::f16:
      return unit.f16_per_cycle;
    case isa::element_type::bf16:
      return unit.bf16_per_cycle;
    case isa::element_type::tf32:
      return unit.tf32_per_cycle;
    case isa::element_type::s8:
    case isa::element_type::u8:
      return unit.s8_per_cycle;
    case isa::element_type::s4:
    case isa::element_type::u4:
      return unit.s4_per_cycle;
    case isa::element_type::b1:
      return unit.b1_per_cycle;
    default:
      return 0;
  }
}

tensor_demand demand_of(const isa::mma_operation& mma, const config::tensor_core_parameters& parameters) {
  if (mma.a == isa::element_type::f64) return demand_of_chains(mma, parameters);
  tensor_demand demand;
  demand.beats = dot_product_beats(mma, parameters);
  transfer_operands(mma, parameters, demand);
  const unsigned sequencer = octets_per_warp / parameters.octets_per_cycle;
  const unsigned last_octet = sequencer - 1;
  const unsigned passes = is_octet_step(mma) ? 1 : mma.b_registers();
  const unsigned recovery = isa::bits(mma.a) < 8 ? parameters.unit.sub_byte_recovery_cycles : 0;
  demand.compute = std::max(demand.beats + recovery, sequencer);
  demand.products = demand.fill + last_octet + demand.beats + parameters.multiply_stages + passes * parameters.adder_stages;
  demand.result = demand.products + parameters.result_stages;
  if (mma.d == isa::element_type::f16) demand.result += parameters.f16_result_stages;
  if (mma.d == isa::element_type::f32 && parameters.f32_accumulate_divider > 1)
    throttle(parameters, demand);
  else
    demand.accumulate = demand.fill + demand.compute;
  return demand;
}

operand_bits operand_bits_of(const isa::mma_operation& mma) {
  constexpr unsigned register_bits = 32 * lanes_per_warp;
  operand_bits bits;
  bits.carried = (mma.a_registers() + mma.b_registers() + mma.c_registers()) * register_bits;
  bits.used = bits.carried;
  if (is_octet_step(mma)) {
    const isa::hmma_884_work work = isa::work_of_hmma_884(mma.d, 0, mma.step, 0);
    const unsigned rows = work.rows * threadgroups_per_warp, columns = work.columns * octets_per_warp;
    bits.used = (rows + columns) * work.ks * isa::bits(mma.a) + outputs(mma) * isa::bits(mma.c);
  }
  return bits;
}

}  // namespace tc::subcore
