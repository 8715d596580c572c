// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include <systemc>

#include <gtest/gtest.h>

#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/isa/fragment_layout.hpp>
#include <tc/numerics/number_format.hpp>
#include <tc/subcore/tensor/tensor_pipe.hpp>

#include "statistics_map.hpp"
#include "tensor_machines.hpp"

namespace tc::subcore::test {

/// The registers of one operand, or of D.
using registers = std::vector<warp::lane_vector>;

/// A matrix of element bits, row by row.
struct matrix {
  unsigned rows = 0, columns = 0;
  std::vector<std::uint64_t> elements;
  std::uint64_t& at(unsigned row, unsigned column) { return elements[row * columns + column]; }
};

inline registers random_registers(unsigned count, std::mt19937& random, std::uint32_t mask) {
  registers values(count);
  for (warp::lane_vector& value : values) {
    for (std::uint32_t& lane : value) lane = static_cast<std::uint32_t>(random()) & mask;
  }
  return values;
}

inline matrix matrix_of(const registers& values, const isa::mma_operation& mma, isa::fragment which,
                        const numerics::number_format& format) {
  const isa::fragment_layout layout(mma, which);
  matrix result{layout.rows(), layout.columns(), std::vector<std::uint64_t>(layout.rows() * layout.columns())};
  for (unsigned row = 0; row < result.rows; ++row) {
    for (unsigned column = 0; column < result.columns; ++column) {
      const isa::fragment_element at = *layout.holder(row, column);
      std::uint64_t& element = result.at(row, column);
      if (format == numerics::f64)
        element = values[at.reg][at.lane] | std::uint64_t{values[at.reg + 1][at.lane]} << 32;
      else
        element = numerics::packed_element(&values[at.reg][at.lane], at.element, format);
    }
  }
  return result;
}

/// D = A x B + C, element by element.
inline matrix multiply(const isa::mma_operation& mma, const config::arithmetic_parameters& arithmetic, const registers& a,
                       const registers& b, const registers& c) {
  const numerics::number_format &format = isa::format_of(mma.a), &sums = isa::format_of(mma.c);
  matrix left = matrix_of(a, mma, isa::fragment::a, format), right = matrix_of(b, mma, isa::fragment::b, isa::format_of(mma.b));
  matrix result = matrix_of(c, mma, isa::fragment::c, sums);
  const numerics::dot_product dot = dot_product_of(mma, arithmetic);
  for (unsigned row = 0; row < mma.m; ++row) {
    for (unsigned column = 0; column < mma.n; ++column) {
      std::array<std::uint32_t, 32> x{}, y{};
      for (unsigned k = 0; k < mma.k; ++k) {
        numerics::set_packed_element(x.data(), k, format, left.at(row, k));
        numerics::set_packed_element(y.data(), k, format, right.at(k, column));
      }
      result.at(row, column) = dot(x.data(), y.data(), mma.k, result.at(row, column));
    }
  }
  return result;
}

/// A tensor pipe between an operand fetch that sends when it is told to, and a write-back that remembers what arrived.
class tensor_bench final : public sc_core::sc_module {
 public:
  tensor_bench(const sc_core::sc_module_name& module_name, const config::tensor_core_parameters& parameters, links::link_binder& binder,
               bool data = true, const links::unit_source& units = {})
      : sc_module(module_name), pipe("pipe", parameters, data, clock, binder, nullptr, units) {
    results_.register_nb_transport_fw(this, &tensor_bench::arrived);
    binder.bind("dispatch", dispatch_, pipe.dispatch);
    binder.bind("result", pipe.result, results_);
  }

  struct operands {
    registers a, b, c;
  };

  /// Operands of random bits where `mask` has ones.
  static operands random_operands(const isa::mma_operation& mma, std::mt19937& random, std::uint32_t mask = 0xffffffff) {
    return {random_registers(mma.a_registers(), random, mask), random_registers(mma.b_registers(), random, mask),
            random_registers(mma.c_registers(), random, mask)};
  }

  /// Announces an instruction as early as it is taken; returns it with its times set.
  links::warp_instruction& announce(const isa::instruction& code, const operands& values) {
    if (!sc_core::sc_start_of_simulation_invoked()) sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaborates
    links::warp_instruction& instruction = instructions_.emplace_back();
    instruction.step.code = &code;
    unsigned position = 0;  // registers of an operand in descending order, as nothing says that they ascend
    unsigned source = 0;
    for (const registers* each : {&values.a, &values.b, &values.c}) {
      links::source_value& value = instruction.sources[source++];
      value.count = static_cast<std::uint8_t>(each->size());
      for (unsigned i = 0; i < value.count; ++i) {
        value.position[i] = static_cast<std::uint8_t>(position + value.count - 1 - i);
        instruction.room_at(value.position[i]) = (*each)[i];
      }
      position += value.count;
    }
    const cycle_t dispatch = earliest_dispatch(code, clock.cycle() + 1).cycle;
    instruction.dispatch = dispatch;
    send(instruction, tlm::BEGIN_REQ);
    EXPECT_EQ(instruction.dispatch, dispatch);
    return instruction;
  }

  /// Lets the operands of an announced instruction arrive in their cycle.
  void deliver(links::warp_instruction& instruction) {
    const sc_core::sc_time delay = clock.delay_to(instruction.dispatch);
    if (delay != sc_core::SC_ZERO_TIME) sc_core::sc_start(delay);  // a start for no time is warned of
    send(instruction, links::OPERANDS_READY);
  }

  links::warp_instruction& run(const isa::instruction& code, const operands& values) {
    links::warp_instruction& instruction = announce(code, values);
    deliver(instruction);
    return instruction;
  }

  static registers result_of(const links::warp_instruction& instruction) {
    const auto* first = instruction.result_registers.data();
    return {first, first + instruction.code().mma->d_registers()};
  }

  struct arrival {
    const links::warp_instruction* instruction;
    cycle_t cycle;
  };
  std::vector<arrival> arrivals;
  fabric::clock_domain clock{"clock", sc_core::sc_time(1, sc_core::SC_NS)};
  tensor_pipe pipe;

  links::availability earliest_dispatch(const isa::instruction& code, cycle_t dispatch) const {
    return pipe.status->earliest_dispatch(code, dispatch);
  }

 private:
  void send(links::warp_instruction& instruction, tlm::tlm_phase phase) {
    sc_core::sc_time delay;
    EXPECT_EQ(dispatch_->nb_transport_fw(instruction, phase, delay), tlm::TLM_COMPLETED);
    EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
  }

  tlm::tlm_sync_enum arrived(links::warp_instruction& instruction, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    EXPECT_EQ(phase, tlm::BEGIN_REQ);
    EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
    arrivals.push_back({&instruction, instruction.result});
    return tlm::TLM_COMPLETED;
  }

  links::instruction_initiator<tensor_bench> dispatch_{"dispatch"};
  links::instruction_target<tensor_bench> results_{"results"};
  std::deque<links::warp_instruction> instructions_;
};

}  // namespace tc::subcore::test
