// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include <tc/config/opcode_latencies.hpp>
#include <tc/config/sub_core_parameters.hpp>
#include <tc/fabric/clocked.hpp>
#include <tc/isa/instruction.hpp>
#include <tc/links/unit_port.hpp>

namespace tc::subcore {

/// The fewest cycles from the operands of an instruction to its result, whatever its unit waits for. The scoreboard keeps results in order
/// by them.
class least_latencies {
 public:
  /// The pipes may give their results at once, the tensor cores and memories as soon as a usual machine does.
  least_latencies() = default;
  explicit least_latencies(const config::sub_core_parameters& machine);

  fabric::cycle_t cycles(const isa::instruction& code) const;

 private:
  std::map<links::unit_port, config::opcode_latencies> pipes_;
  config::tensor_core_parameters tensor_core_{};
  config::load_store_parameters load_store_{};
  fabric::cycle_t lower_half_lead_ = 0;
};

}  // namespace tc::subcore
