#include <algorithm>
#include <cstdint>

#include <systemc>

#include <tc/subcore/tensor_demand.hpp>

namespace tc::subcore {

namespace {

constexpr unsigned octets = 4;

constexpr unsigned divide_up(unsigned value, unsigned divisor) { return value / divisor + (value % divisor != 0 ? 1 : 0); }

/// Cycles in which the dot-product units of a threadgroup start products.
unsigned dot_product_beats(const isa::mma_operation& mma, const config::tensor_core_parameters& parameters) {
  const std::uint64_t per_cycle = std::uint64_t{parameters.dot_product_units} * multiply_accumulates_per_cycle(parameters.unit, mma.a);
  sc_assert(per_cycle > 0);
  const std::uint64_t work = std::uint64_t{mma.m} * mma.n / threadgroups_per_warp * mma.k;
  const auto beats = static_cast<unsigned>((work + per_cycle - 1) / per_cycle);
  return mma.c == isa::element_type::f32 ? beats * parameters.f32_accumulate_divider : beats;
}

/// Fills in what the operand buses need.
void transfer_operands(const isa::mma_operation& mma, const config::tensor_core_parameters& parameters, tensor_demand& demand) {
  const config::operand_bus_parameters& bus = parameters.operand_bus;
  const unsigned a = mma.a_registers(), b = mma.b_registers(), buffers = b_buffer_count(parameters);
  const unsigned b_rate = bus.a_and_b_share ? bus.a_registers_per_cycle : bus.b_registers_per_cycle;
  const unsigned ahead_of_b = bus.a_and_b_share ? a : 0;
  for (unsigned i = 0; i < buffers; ++i) demand.b_transfer[i] = (ahead_of_b + i * b) / b_rate;

  const unsigned a_and_b = std::max(divide_up(a, bus.a_registers_per_cycle), divide_up(ahead_of_b + buffers * b, b_rate));
  const unsigned c = divide_up(mma.c_registers(), bus.c_registers_per_cycle);
  demand.transfer = std::max(a_and_b, c);
  demand.fill = std::max(a_and_b, c - std::min(c, parameters.multiply_stages));
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
  tensor_demand demand;
  transfer_operands(mma, parameters, demand);
  const unsigned sequencer = octets / parameters.octets_per_cycle;
  const unsigned last_octet = sequencer - 1;
  const unsigned passes = mma.b_registers();
  demand.beats = dot_product_beats(mma, parameters);
  demand.compute = std::max(demand.beats, sequencer);
  demand.products = demand.fill + last_octet + demand.beats + parameters.multiply_stages + passes * parameters.adder_stages;
  demand.result = demand.products + parameters.result_stages;
  return demand;
}

}  // namespace tc::subcore
