// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "compiled_schedules.hpp"
#include "listing.hpp"
#include "mma_loop.hpp"
#include "studies.hpp"

namespace tc::validation {

namespace {

/// Columns of ampere_mma_loops.csv: instruction, registers of D, and for 1, 4 and 8 warps the accumulators, the cycles, and but for one
/// warp the multiply-accumulates per cycle and SM.
struct loop_columns {
  unsigned warps;
  std::size_t accumulators, cycles, rate;  ///< rate 0: none
};

constexpr loop_columns columns_of_loops[] = {{1, 2, 3, 0}, {4, 4, 5, 6}, {8, 7, 8, 9}};

constexpr const char* method_of_loops =
    "A loop of mma.sync on so many independent accumulators and a __syncwarp. How it was compiled is not published; assumed are the "
    "compiler's spacing for sm_80, a __syncwarp of four cycles behind the last instruction, and one cycle more than the latency to the "
    "next iteration. sub_byte_recovery_cycles is fitted to INT4 with eight warps.";

void add_rows(study& cycles_of_loops, study& rates) {
  for (const auto& row : silicon::rows_of("ampere_mma_loops.csv")) {
    for (const loop_columns& columns : columns_of_loops) {
      if (row.at(columns.accumulators).empty()) continue;
      const silicon::mma_loop loop{row[0], static_cast<unsigned>(std::stoul(row[1])),
                                   static_cast<unsigned>(std::stoul(row[columns.accumulators]))};
      const unsigned warps = columns.warps;
      const std::string what = fmt::format("{}: warps {}; accumulators {}", loop.instruction, warps, loop.accumulators);
      const basis origin = loop.instruction.find("S4") != std::string::npos && warps == 8 ? basis::fitted : basis::predicted;
      cycles_of_loops.add({what, std::stod(row[columns.cycles]), origin}, [loop, warps] { return silicon::cycles_of(loop, warps); });
      if (columns.rate == 0) continue;
      rates.add({what, std::stod(row[columns.rate]), origin},
                [loop, warps] { return silicon::multiply_accumulates_of(loop) * warps / silicon::cycles_of(loop, warps); });
    }
  }
}

study ampere_shared_memory() {
  study result({"Ampere", "shared memory", "Huerta et al. (arXiv 2503.20481) table 2: RTX A6000",
                "Dependent LDS of one word for all lanes, whose address is in a uniform or in a regular register, which the model does not "
                "distinguish. shared_pipeline_cycles is fitted to the first value.",
                "cycles", 1});
  struct row {
    const char *load, *address;
    double cycles;
    basis origin;
  };
  for (const row& r : {row{"LDS", "uniform", 23, basis::fitted}, row{"LDS.64", "uniform", 23, basis::predicted},
                       row{"LDS.128", "uniform", 25, basis::predicted}, row{"LDS", "regular", 24, basis::predicted},
                       row{"LDS.64", "regular", 24, basis::predicted}, row{"LDS.128", "regular", 26, basis::predicted}}) {
    result.add({fmt::format("{}: address in a {} register", r.load, r.address), r.cycles, r.origin},
               [r] { return silicon::cycles_per_instruction("ampere", "sm_80", {fmt::format("{} R4, [R4] @ 0x400", r.load)}); });
  }
  return result;
}

}  // namespace

std::vector<study> ampere_studies() {
  study cycles(
      {"Ampere", "loops of mma.sync", "Sun et al. (arXiv 2206.02874) tables 3 to 5: A100", method_of_loops, "cycles per iteration", 1});
  study rates({"Ampere", "throughput of these loops", "Sun et al. (arXiv 2206.02874) tables 3 to 5: A100",
               "Multiply-accumulates of an SM in a cycle; they follow from the cycles above.", "multiply-accumulates per cycle", 1});
  add_rows(cycles, rates);
  return {cycles, rates, rate_study("Ampere", {"ampere"}), compiled_schedule_study("Ampere", "ampere", "sm_80"), ampere_shared_memory()};
}

}  // namespace tc::validation
