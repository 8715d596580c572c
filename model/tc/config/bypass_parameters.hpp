// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include <boost/describe/class.hpp>

#include <tc/config/parameter_type.hpp>

namespace tc::config {

/// How results of fixed latency reach their consumers: what compiled code allows for beside the latencies of the pipes. Results of queued
/// units go to the register file, and their consumers wait for a dependence counter.
struct bypass_parameters {
  unsigned other_pipe_cycles = 0;
  unsigned guard_lead_cycles = 0;
  unsigned wide_lead_cycles = 0;
  unsigned wide_addend_cycles = 0;
  unsigned store_data_cycles = 0;
  unsigned double_conversion_cycles = 0;
  bool fp64_is_fixed = false;
};
BOOST_DESCRIBE_STRUCT(bypass_parameters, (),
                      (other_pipe_cycles, guard_lead_cycles, wide_lead_cycles, wide_addend_cycles, store_data_cycles,
                       double_conversion_cycles, fp64_is_fixed))

inline constexpr auto describe_parameters(const bypass_parameters*) {
  return std::array{
      parameter_note{
          "other_pipe_cycles", "cycles",
          "by which a result of the integer, FP32 or FP64 unit comes later to another of them, or to an address, than to its own",
          "compiled code; measured on an H100 with stall counts overwritten"},
      parameter_note{"guard_lead_cycles", "cycles", "by which a guard must be there before its instruction issues",
                     "compiled code; measured on an H100 with stall counts overwritten"},
      parameter_note{"wide_lead_cycles", "cycles", "by which the lower half of a .WIDE result is there before the upper one",
                     "compiled code of sm_90: IADD3 3 cycles behind IMAD.WIDE, of the upper half 5"},
      parameter_note{"wide_addend_cycles", "cycles",
                     "by which IMAD.WIDE and .HI read the upper half of their addend behind their other operands",
                     "compiled code of sm_90: IMAD.WIDE 2 cycles behind IMAD, of the other operands 4"},
      parameter_note{"store_data_cycles", "cycles", "by which a store reads its data behind its address",
                     "compiled code of sm_90: STG 7 cycles behind DFMA, other consumers 8"},
      parameter_note{"double_conversion_cycles", "cycles", "by which a conversion from f64 reads its operand behind those of fixed latency",
                     "compiled code of sm_90: F2F and F2I 6 cycles behind DFMA, other consumers 8"},
      parameter_note{"fp64_is_fixed", "", "whether FP64 has a fixed latency; false: its results are announced, and wait for a write port",
                     "compiled code: FP64 of sm_90 and sm_100 names no dependence counter, before it did"},
  };
}

void validate(const bypass_parameters& parameters, const std::string& path);

}  // namespace tc::config
