// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <tc/config/tensor_core_parameters.hpp>
#include <tc/isa/instruction_parser.hpp>
#include <tc/subcore/tensor/product_layout.hpp>
#include <tc/subcore/tensor/tensor_operation.hpp>
#include <tc/subcore/tensor/tensor_timing.hpp>

namespace tc::subcore::test {

/// Tensor cores of one generation, with the matrix operations they compute, by mnemonic.
struct tensor_machine {
  const char* name;
  isa::architecture arch;
  config::tensor_core_parameters parameters;
  std::vector<std::string> operations;
};

inline std::ostream& operator<<(std::ostream& out, const tensor_machine& machine) { return out << machine.name; }

inline isa::instruction matrix_instruction(std::string_view mnemonic, isa::architecture arch) {
  const bool has_orders = mnemonic.find("HMMA.884") != std::string_view::npos;
  return isa::parse_operation(std::string(mnemonic) + (has_orders ? " R8, R16.ROW, R32.COL, R8" : " R8, R16, R32, R8"), arch);
}

inline isa::mma_operation matrix_operation(std::string_view mnemonic, isa::architecture arch) {
  return *matrix_instruction(mnemonic, arch).mma;
}

inline tensor_demand demand_of(const isa::mma_operation& mma, const config::tensor_core_parameters& parameters) {
  return subcore::demand_of(*product_layout::of(mma), parameters);
}

inline config::dot_product_arithmetic fused(unsigned group_length, unsigned alignment_fraction_bits) {
  config::dot_product_arithmetic arithmetic;
  arithmetic.group_length = group_length;
  arithmetic.alignment_fraction_bits = alignment_fraction_bits;
  return arithmetic;
}

/// Two tensor cores of two octets each, with a B buffer for each octet.
inline tensor_machine volta() {
  config::tensor_core_parameters p;
  p.count = 2;
  p.dot_product_units = 4;
  p.octets_per_cycle = 4;
  p.b_buffer.shared = false;
  p.b_buffer.per_octet = true;
  p.result_stages = 3;
  p.f16_result_stages = 1;
  p.exclusive_dispatch = true;
  p.arithmetic.f16 = fused(4, 23);
  return {
      "volta",
      isa::architecture::sm_70,
      p,
      {"HMMA.884.F32.F32.STEP0", "HMMA.884.F32.F32.STEP1", "HMMA.884.F32.F32.STEP2", "HMMA.884.F32.F32.STEP3", "HMMA.884.F16.F16.STEP0",
       "HMMA.884.F16.F16.STEP1", "HMMA.884.F32.F16.STEP0", "HMMA.884.F32.F16.STEP1", "HMMA.884.F32.F16.STEP2", "HMMA.884.F32.F16.STEP3"}};
}

/// Two tensor cores in lock step, four units a threadgroup.
inline tensor_machine turing() {
  config::tensor_core_parameters p;
  p.count = 2;
  p.dot_product_units = 4;
  p.octets_per_cycle = 4;
  p.result_stages = 1;
  p.arithmetic.f16 = fused(8, 24);
  return {"turing",
          isa::architecture::sm_75,
          p,
          {"HMMA.1688.F32", "HMMA.1688.F16", "IMMA.8816.S8.S8", "IMMA.8816.U8.S8.SAT", "IMMA.8832.S4.S4", "IMMA.8832.U4.S4.SAT",
           "BMMA.88128.XOR.POPC"}};
}

/// One tensor core of eight units a threadgroup.
inline tensor_machine ampere() {
  config::tensor_core_parameters p;
  p.count = 1;
  p.dot_product_units = 8;
  p.unit.bf16_per_cycle = 4;
  p.unit.tf32_per_cycle = 2;
  p.octets_per_cycle = 1;
  p.f64_units = 2;
  p.unit.sub_byte_recovery_cycles = 1;
  p.result_stages = 4;
  p.arithmetic.f64 = true;
  p.arithmetic.f16 = p.arithmetic.bf16 = fused(8, 24);
  p.arithmetic.tf32 = fused(4, 24);
  return {"ampere", isa::architecture::sm_80, p, {"HMMA.1688.F32",        "HMMA.1688.F16",
                                                  "HMMA.1688.F32.BF16",   "HMMA.1688.F32.TF32",
                                                  "HMMA.1684.F32.TF32",   "HMMA.16816.F32",
                                                  "HMMA.16816.F16",       "HMMA.16816.F32.BF16",
                                                  "IMMA.8816.S8.S8",      "IMMA.16816.U8.U8",
                                                  "IMMA.16832.S8.U8",     "IMMA.16832.S8.S8.SAT",
                                                  "IMMA.8832.S4.S4",      "IMMA.16832.U4.S4",
                                                  "IMMA.16864.S4.S4",     "IMMA.16864.S4.U4.SAT",
                                                  "BMMA.88128.XOR.POPC",  "BMMA.88128.AND.POPC",
                                                  "BMMA.168128.XOR.POPC", "BMMA.168256.AND.POPC",
                                                  "BMMA.168256.XOR.POPC", "DMMA.884"}};
}

/// One tensor core of sixteen units a threadgroup; A and B share a bus of one register a cycle.
inline tensor_machine hopper() {
  config::tensor_core_parameters p;
  p.count = 1;
  p.dot_product_units = 16;
  p.unit.bf16_per_cycle = 4;
  p.unit.tf32_per_cycle = 2;
  p.unit.s4_per_cycle = 0;
  p.octets_per_cycle = 1;
  p.f64_units = 4;
  p.arithmetic.f64 = true;
  p.operand_bus.a_and_b_share = true;
  p.operand_bus.a_registers_per_cycle = 1;
  p.result_stages = 4;
  return {"hopper",
          isa::architecture::sm_90,
          p,
          {"HMMA.1688.F32", "HMMA.1688.F16", "HMMA.1688.F32.BF16", "HMMA.1688.F32.TF32", "HMMA.1684.F32.TF32", "HMMA.16816.F32",
           "HMMA.16816.F16", "HMMA.16816.F32.BF16", "IMMA.8816.S8.S8", "IMMA.16816.S8.S8", "IMMA.16832.S8.S8.SAT", "BMMA.88128.AND.POPC",
           "BMMA.168128.AND.POPC", "BMMA.168256.AND.POPC", "DMMA.884", "DMMA.1684", "DMMA.1688", "DMMA.16816"}};
}

/// The reservations of a tensor unit that has one buffer of each kind.
struct timing_bench {
  explicit timing_bench(const config::tensor_core_parameters& parameters)
      : a(parameters.a_buffer.depth_tiles),
        accumulators(parameters.accumulator_buffer.depth_tiles),
        b(parameters.b_buffer.depth_tiles),
        timing(parameters, {{&a}, {&accumulators}, {&b}}) {}

  tile_ring a, accumulators, b;
  tensor_timing timing;
};

}  // namespace tc::subcore::test
