// SPDX-License-Identifier: Apache-2.0
#include "compiled_schedules.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "listing.hpp"

namespace tc::validation {

namespace {

std::string text_of(const matrix_instruction& instruction, unsigned index) {
  const bool is_hmma = instruction.opcode[0] == 'H';
  const unsigned d = 24 + index * instruction.d_registers;
  return fmt::format("{} R{}, R8{}, R12{}, R{}", instruction.opcode, d, is_hmma ? "" : ".ROW", is_hmma ? "" : ".COL", d);
}

/// What ptxas 13.0 puts between an instruction and one that needs its result, and between independent ones, if it says so.
struct schedule {
  matrix_instruction instruction;
  std::optional<double> latency, interval{};
  basis latency_origin = basis::predicted, interval_origin = basis::predicted;
};

constexpr basis fitted = basis::fitted;

const std::vector<schedule> sm_75{{{"HMMA.1688.F16", 2}, 14, 8},
                                  {{"HMMA.1688.F32", 4}, 14, 8, fitted},
                                  {{"IMMA.8816.S8.S8", 2}, 10, 4},
                                  {{"IMMA.8832.S4.S4", 2}, 10, 4},
                                  {{"BMMA.88128.XOR.POPC", 2}, 10}};

const std::vector<schedule> sm_80{{{"HMMA.1688.F16", 2}, 16, 4},     {{"HMMA.1688.F32", 4}, 16, 4, fitted, fitted},
                                  {{"HMMA.16816.F16", 2}, 24, 8},    {{"HMMA.16816.F32", 4}, 24, 8},
                                  {{"HMMA.1684.F32.TF32", 4}, 16},   {{"HMMA.1688.F32.TF32", 4}, 24},
                                  {{"IMMA.8816.S8.S8", 2}, 14, 4},   {{"IMMA.8832.S4.S4", 2}, 14, 4},
                                  {{"IMMA.16816.S8.S8", 4}, 16},     {{"IMMA.16832.S8.S8", 4}, 24, 8},
                                  {{"BMMA.88128.XOR.POPC", 2}, 14},  {{"BMMA.168128.XOR.POPC", 4}, 16},
                                  {{"BMMA.168256.XOR.POPC", 4}, 24}, {{"DMMA.884", 4}, {}, 10}};

const std::vector<schedule> sm_90{{{"HMMA.1688.F16", 2}, 16, 4},    {{"HMMA.1688.F32", 4}, 16, 4, fitted, fitted},
                                  {{"HMMA.16816.F16", 2}, 24, 6},   {{"HMMA.16816.F32", 4}, 24, 6},
                                  {{"HMMA.1684.F32.TF32", 4}, 16},  {{"HMMA.1688.F32.TF32", 4}, 24},
                                  {{"IMMA.8816.S8.S8", 2}, 14, 4},  {{"IMMA.16816.S8.S8", 4}, 16},
                                  {{"IMMA.16832.S8.S8", 4}, 24, 6}, {{"BMMA.88128.AND.POPC", 2}, 14},
                                  {{"DMMA.884", 4}, {}, 16}};

const std::vector<schedule>& schedules_of(const std::string& arch) {
  if (arch == "sm_75") return sm_75;
  return arch == "sm_80" ? sm_80 : sm_90;
}

}  // namespace

silicon::listing dependent(const matrix_instruction& instruction) { return {text_of(instruction, 0)}; }

silicon::listing independent(const matrix_instruction& instruction) {
  const unsigned accumulators = 32 / instruction.d_registers;
  silicon::listing copies;
  for (unsigned i = 0; i < std::min(accumulators, 8U); ++i) copies.push_back(text_of(instruction, i));
  return copies;
}

study compiled_schedule_study(const std::string& generation, const std::string& machine, const std::string& arch) {
  study result({generation, "schedule of compiled code", fmt::format("ptxas 13.0 for {}", arch),
                "Cycles that NVIDIA's assembler leaves between a matrix instruction and one that adds to its result (latency), and "
                "between independent ones (interval). The model runs rows of the instruction without control codes. DMMA also sets a "
                "barrier, which the consumer waits for, so that its stall count is no latency.",
                "cycles", 1});
  for (const schedule& s : schedules_of(arch)) {
    const auto add = [&](const char* what, double cycles, basis origin, const silicon::listing& row) {
      result.add({fmt::format("{} {}", s.instruction.opcode, what), cycles, origin},
                 [machine, arch, row] { return silicon::cycles_per_instruction(machine, arch, row); });
    };
    if (s.latency) add("latency", *s.latency, s.latency_origin, dependent(s.instruction));
    if (s.interval) add("interval", *s.interval, s.interval_origin, independent(s.instruction));
  }
  return result;
}

}  // namespace tc::validation
