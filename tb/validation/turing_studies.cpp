// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "compiled_schedules.hpp"
#include "listing.hpp"
#include "matrix_rate.hpp"
#include "recorded_run.hpp"
#include "studies.hpp"
#include "wmma_timing.hpp"

namespace tc::validation {

namespace {

study set_intervals() {
  study result(
      {"Turing", "intervals between the sets of a wmma", "Shin (Yonsei University 2020) table 2: RTX 2080 Ti",
       "Differences of the cumulative cycles after each set. The listings are the project's with control codes that are an assumption "
       "and the same for every row: set i sets barrier i and stalls for 8 cycles (IMMA 4), a set that adds to an earlier one's sums "
       "waits for its barrier, the last clock read waits for all. The set-1 values (38 to 60) hold loads that were not published and "
       "are left out. The f16 rows of 16x16x16 and 32x8x16 differ by two cycles in opposite directions; a second table of the source "
       "contradicts both.",
       "cycles"});
  for (const auto& row : silicon::rows_of("turing_wmma_cycles.csv")) {
    std::vector<comparison> values;
    for (std::size_t set = 1; set < 4; ++set)
      values.push_back(
          {fmt::format("{} {}: set {} to {}", row[0], row[1], set, set + 1), std::stod(row[set + 2]) - std::stod(row[set + 1])});
    result.add(values, [precision = row[0], tile = row[1]] {
      const auto cycles = silicon::turing_set_cycles(precision, tile);
      std::vector<double> intervals;
      for (std::size_t i = 1; i < cycles.size(); ++i) intervals.push_back(static_cast<double>(cycles[i] - cycles[i - 1]));
      return intervals;
    });
  }
  return result;
}

study instruction_timings() {
  study result({"Turing", "matrix instructions alone", "microbenchmarks of TU102: Quadro RTX 6000",
                "Dependent and independent rows of one instruction. result_stages is fitted to the first value.", "cycles", 2});
  const auto add = [&](const char* what, double cycles, basis origin, const silicon::listing& instructions) {
    result.add({what, cycles, origin}, [instructions] { return silicon::cycles_per_instruction("turing", "sm_75", instructions); });
  };
  add("HMMA.1688.F32 dependent", 14.02, basis::fitted, dependent({"HMMA.1688.F32", 4}));
  add("HMMA.1688.F32 independent", 8, basis::predicted, independent({"HMMA.1688.F32", 4}));
  add("HMMA.1688.F16 independent", 8, basis::predicted, independent({"HMMA.1688.F16", 2}));
  add("IMMA.8816.S8.S8 independent", 4, basis::predicted, independent({"IMMA.8816.S8.S8", 2}));
  return result;
}

study throughput() {
  study result({"Turing", "throughput of eight warps", "Sun et al. (arXiv 2206.02874) table 5: RTX 2080 Ti",
                "Multiply-accumulates of an SM in a cycle with independent accumulators. f32_accumulate_divider = 2 halves f32 sums as "
                "Sun et al. found; the first value is fitted by it.",
                "multiply-accumulates per cycle", 1});
  const auto add = [&](const char* what, double measured, basis origin, const silicon::matrix_stream& stream) {
    result.add({what, measured, origin}, [stream] { return silicon::multiply_accumulates_per_cycle(stream); });
  };
  add("HMMA.1688.F32", 255.1, basis::fitted, {"turing_geforce", "sm_75", "HMMA.1688.F32", 4, 4});
  add("HMMA.1688.F16", 509.4, basis::predicted, {"turing_geforce", "sm_75", "HMMA.1688.F16", 4, 2});
  add("IMMA.8816.S8.S8", 1012.6, basis::predicted, {"turing_geforce", "sm_75", "IMMA.8816.S8.S8", 4, 2});
  return result;
}

/// Compiled kernels of one instruction whose clock is read before the operands have come.
study micro_kernels() {
  study result(
      {"Turing", "one INT4 or single-bit wmma", "Shin (2020) table 2: RTX 2080 Ti; Raihan et al. (ISPASS 2019) table I: RTX 2080",
       "Compiled kernels read the clock before the operands have come from global memory. So these values hold a load, and say more of "
       "the memory than of the instruction, whose latency is 10. The model's memory answers after 216 cycles; where the sources' "
       "operands were is not published.",
       "cycles"});
  const auto add = [&](const char* what, double measured, const std::string& kernel) {
    result.add({what, measured}, [kernel] {
      const auto trace =
          trace::trace::open(std::filesystem::path(TC_SOURCE_DIR) / "tb/silicon/data/turing_micro_kernels" / (kernel + ".trace"));
      auto options = silicon::preset_options();
      options.data = false;
      return static_cast<double>(silicon::clock_differences(silicon::run(trace, silicon::machine_of("turing_geforce"), options)).at(0));
    });
  };
  add("INT4 8x8x32 RTX 2080 Ti", 365, "s4_s32_m8n8k32");
  add("INT4 8x8x32 RTX 2080", 230, "s4_s32_m8n8k32");
  add("single bits 8x8x128 RTX 2080 Ti", 365, "b1_s32_m8n8k128");
  return result;
}

study turing_shared_memory() {
  study result({"Turing", "shared memory", "microbenchmarks of TU102: Quadro RTX 6000",
                "Dependent LDS whose lanes lie so many words apart. shared_pipeline_cycles is fitted to the first value and "
                "warp_wavefront_cycles to the second.",
                "cycles"});
  const std::vector<std::pair<unsigned, double>> rows{{1, 22}, {2, 24}, {4, 28}, {8, 36}, {16, 52}, {32, 84}};
  for (const auto& [words, cycles] : rows)
    result.add({fmt::format("{}-way conflict", words), cycles, words <= 2 ? basis::fitted : basis::predicted}, [words = words] {
      return silicon::cycles_per_instruction("turing", "sm_75", {fmt::format("LDS R4, [R4] @ 0x400+{}", 4 * words)});
    });
  return result;
}

}  // namespace

std::vector<study> turing_studies() {
  return {set_intervals(),
          instruction_timings(),
          throughput(),
          rate_study("Turing", {"turing", "turing_geforce"}),
          compiled_schedule_study("Turing", "turing", "sm_75"),
          turing_shared_memory(),
          micro_kernels()};
}

}  // namespace tc::validation
