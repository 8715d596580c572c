// SPDX-License-Identifier: Apache-2.0
#include "least_latencies.hpp"

#include <algorithm>

namespace tc::subcore {

namespace {

/// Products pass the multipliers and the adders at least once.
fabric::cycle_t least_latency_of(const isa::instruction& code, const config::tensor_core_parameters& tensor_core) {
  const bool is_f64 = code.mma && code.mma->a == isa::element_type::f64;
  return tensor_core.multiply_stages + tensor_core.adder_stages + (is_f64 ? tensor_core.f64_result_stages : tensor_core.result_stages);
}

/// That of the path from the memory; of those that may come from either, the shorter one.
fabric::cycle_t least_latency_of(const isa::instruction& code, const config::load_store_parameters& load_store) {
  const isa::memory_space space = isa::info(code.op).memory.space;
  if (space == isa::memory_space::global) return load_store.global_pipeline_cycles;
  if (space == isa::memory_space::shared) return load_store.shared_pipeline_cycles;
  return std::min(load_store.shared_pipeline_cycles, load_store.global_pipeline_cycles);
}

std::map<links::unit_port, config::opcode_latencies> latencies_of(const config::pipes_parameters& pipes) {
  using config::opcode_latencies;
  using links::unit_port;
  return {{unit_port::fp32, opcode_latencies(pipes.fp32)},
          {unit_port::integer, opcode_latencies(pipes.integer)},
          {unit_port::half, opcode_latencies(pipes.half)},
          {unit_port::fp64, opcode_latencies(pipes.fp64)},
          {unit_port::special_function, opcode_latencies(pipes.special_function)},
          {unit_port::uniform, opcode_latencies(pipes.uniform)},
          {unit_port::constant, opcode_latencies(pipes.constant)},
          {unit_port::system, opcode_latencies(pipes.system)}};
}

}  // namespace

least_latencies::least_latencies(const config::sub_core_parameters& machine)
    : pipes_(latencies_of(machine.pipes)),
      tensor_core_(machine.tensor_core),
      load_store_(machine.load_store),
      lower_half_lead_(machine.bypass.wide_lead_cycles) {}

fabric::cycle_t least_latencies::cycles(const isa::instruction& code) const {
  const links::unit_port port = links::port_of(code.op);
  if (port == links::unit_port::tensor) return least_latency_of(code, tensor_core_);
  if (port == links::unit_port::load_store) return least_latency_of(code, load_store_);
  const auto pipe = pipes_.find(port);
  if (pipe == pipes_.end()) return 0;
  const fabric::cycle_t latency = pipe->second.cycles(code);
  return code.mods.wide ? latency - std::min(latency, lower_half_lead_) : latency;
}

}  // namespace tc::subcore
