// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <string>

#include <boost/describe/class.hpp>

#include <tc/config/parameter_type.hpp>

namespace tc::config {

/// What each event of a run costs, in picojoules. docs/energy.md says which counter each one multiplies. What is left at 0 costs nothing.
struct energy_parameters {
  double instruction = 0;
  double register_read = 0;
  double register_write = 0;
  double reuse_hit = 0;
  double a_fill_byte = 0;
  double b_fill_byte = 0;
  double accumulator_fill_byte = 0;
  std::map<std::string, double> multiply_accumulate{};
  double shared_memory_byte = 0;
  double global_memory_byte = 0;
  double l1_byte = 0;
  double l2_byte = 0;
  double dram_byte = 0;
  double tensor_memory_byte = 0;
  double constant_pass = 0;
  double sm_cycle = 0;
};
BOOST_DESCRIBE_STRUCT(energy_parameters, (),
                      (instruction, register_read, register_write, reuse_hit, a_fill_byte, b_fill_byte, accumulator_fill_byte,
                       multiply_accumulate, shared_memory_byte, global_memory_byte, l1_byte, l2_byte, dram_byte, tensor_memory_byte,
                       constant_pass, sm_cycle))

inline constexpr auto describe_parameters(const energy_parameters*) {
  constexpr const char* source = "design: nobody publishes it for a GPU";
  return std::array{
      parameter_note{"instruction", "pJ", "a warp instruction that issues: fetched, decoded, scheduled", source},
      parameter_note{"register_read", "pJ", "a register of 32 lanes, 128 bytes, read from its bank", source},
      parameter_note{"register_write", "pJ", "a register of 32 lanes, 128 bytes, written to its bank", source},
      parameter_note{"reuse_hit", "pJ", "a register of 32 lanes taken from the reuse cache", source},
      parameter_note{"a_fill_byte", "pJ", "a byte of A that a tensor core takes into its A buffer", source},
      parameter_note{"b_fill_byte", "pJ", "a byte of B written to a B buffer", source},
      parameter_note{"accumulator_fill_byte", "pJ", "a byte of accumulators that a tensor core takes into its accumulator buffer", source},
      parameter_note{"multiply_accumulate", "pJ",
                     "one product and its addition, by the element type of A: f64, tf32, f16, bf16, e4m3, e5m2, e3m2, e2m3, e2m1, s8 (and "
                     "u8), s4 (and u4), b1",
                     source},
      parameter_note{"shared_memory_byte", "pJ", "a byte that the banks of shared memory read or write", source},
      parameter_note{"global_memory_byte", "pJ", "a byte of global memory read or written, if global_memory.hierarchy is not enabled",
                     source},
      parameter_note{"l1_byte", "pJ", "a byte of a sector that the L1 cache had", source},
      parameter_note{"l2_byte", "pJ", "a byte that the L2 cache had", source},
      parameter_note{"dram_byte", "pJ", "a byte that the L2 cache did not have", source},
      parameter_note{"tensor_memory_byte", "pJ", "a byte of tensor memory read or written", source},
      parameter_note{"constant_pass", "pJ", "a distinct address of a constant load", source},
      parameter_note{"sm_cycle", "pJ", "a cycle of an SM that gets CTAs, whatever it does: leakage and clock", source},
  };
}

/// No energy is negative, and every type is one that tensor cores multiply.
void validate(const energy_parameters& parameters, const std::string& path);

}  // namespace tc::config
