// SPDX-License-Identifier: Apache-2.0
#include "matrix_rate.hpp"

#include <fmt/format.h>

#include <tc/isa/instruction_parser.hpp>

#include "listing.hpp"
#include "recorded_run.hpp"

namespace tc::silicon {

namespace {

/// Instruction i of a stream. HMMA.884 has four steps, of which all but the last keep their operands for the next.
std::string instruction_of(const matrix_stream& stream, unsigned i) {
  const bool is_volta = stream.arch == "sm_70", has_layouts = is_volta || stream.instruction[0] != 'H';
  const unsigned index = i % stream.accumulators, d = 16 + index * stream.d_registers;
  const std::string opcode = is_volta ? fmt::format("{}{}", stream.instruction, index % 4) : stream.instruction;
  const std::string reuse = is_volta && index % 4 != 3 ? ".reuse" : "";
  if (stream.instruction[0] == 'D') return fmt::format("{} R{}, R48, R8, R{}", opcode, d, d);
  return fmt::format("{} R{}, R4{}{}, R8{}{}, R{}", opcode, d, reuse, has_layouts ? ".ROW" : "", reuse, has_layouts ? ".COL" : "", d);
}

}  // namespace

double multiply_accumulates_per_cycle(const matrix_stream& stream) {
  constexpr unsigned warps = 8, rounds = 48;
  listing code{"CS2R R2, SR_CLOCKLO"};
  unsigned multiply_accumulates = 0;
  for (unsigned i = 0; i < rounds * stream.accumulators; ++i) {
    code.push_back(instruction_of(stream, i));
    const auto mma = *isa::parse_operation(code.back(), *isa::find_architecture(stream.arch)).mma;
    multiply_accumulates += unsigned{mma.m} * mma.n * mma.k * mma.instances / mma.steps;
  }
  code.push_back(fmt::format("CS2R R{}, SR_CLOCKLO", 16 + (stream.accumulators - 1) * stream.d_registers));
  const auto cycles = clock_differences(run_listings(stream.arch, {code}, machine_of(stream.machine), warps)).at(0);
  return static_cast<double>(multiply_accumulates) * warps / static_cast<double>(cycles);
}

double tera_operations(const matrix_rate& rate) {
  return multiply_accumulates_per_cycle(rate.stream) * 2 * rate.sms * rate.clock_mhz * 1e-6;
}

std::vector<matrix_rate> published_rates() {
  return {{"V100", {"volta", "sm_70", "HMMA.884.F32.F32.STEP", 8, 2}, 125, 80, 1530},
          {"T4", {"turing", "sm_75", "HMMA.1688.F32", 4, 4}, 65, 40, 1590},
          {"T4", {"turing", "sm_75", "IMMA.8816.S8.S8", 4, 2}, 130, 40, 1590},
          {"T4", {"turing", "sm_75", "IMMA.8832.S4.S4", 4, 2}, 260, 40, 1590},
          {"RTX 2080 Ti", {"turing_geforce", "sm_75", "HMMA.1688.F16", 4, 2}, 113.8, 68, 1635},
          {"RTX 2080 Ti", {"turing_geforce", "sm_75", "HMMA.1688.F32", 4, 4}, 56.9, 68, 1635},
          {"RTX 2080 Ti", {"turing_geforce", "sm_75", "IMMA.8816.S8.S8", 4, 2}, 227.7, 68, 1635},
          {"RTX 2080 Ti", {"turing_geforce", "sm_75", "IMMA.8832.S4.S4", 4, 2}, 455.4, 68, 1635},
          {"Quadro RTX 6000", {"turing", "sm_75", "HMMA.1688.F32", 4, 4}, 130.5, 72, 1770},
          {"A100", {"ampere", "sm_80", "HMMA.16816.F32", 4, 4}, 312, 108, 1410},
          {"A100", {"ampere", "sm_80", "HMMA.16816.F32.BF16", 4, 4}, 312, 108, 1410},
          {"A100", {"ampere", "sm_80", "HMMA.1688.F32.TF32", 4, 4}, 156, 108, 1410},
          {"A100", {"ampere", "sm_80", "IMMA.16832.S8.S8", 4, 4}, 624, 108, 1410},
          {"A100", {"ampere", "sm_80", "DMMA.884", 4, 4}, 19.5, 108, 1410},
          {"H100", {"hopper", "sm_90", "HMMA.16816.F32", 8, 4}, 989.4 * 2 / 3, 132, 1830},
          {"H100", {"hopper", "sm_90", "DMMA.884", 4, 4}, 67.0 / 2, 132, 1980},
          {"H100", {"hopper", "sm_90", "DMMA.1684", 4, 8}, 67, 132, 1980},
          {"H100", {"hopper", "sm_90", "DMMA.1688", 4, 8}, 67, 132, 1980},
          {"H100", {"hopper", "sm_90", "DMMA.16816", 4, 8}, 67, 132, 1980}};
}

}  // namespace tc::silicon
