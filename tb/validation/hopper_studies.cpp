// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

#include <fmt/format.h>

#include <tc/isa/instruction_parser.hpp>

#include "access_stream.hpp"
#include "compiled_schedules.hpp"
#include "listing.hpp"
#include "matrix_rate.hpp"
#include "memory_chain.hpp"
#include "mma_lop3.hpp"
#include "mma_stream.hpp"
#include "pointer_chase.hpp"
#include "register_bank_stream.hpp"
#include "shared_tensor_core.hpp"
#include "studies.hpp"
#include "wgmma_batch.hpp"

namespace tc::validation {

namespace {

constexpr const char* recorded = "recorded on an H200";

/// The recordings in the project, whatever stands beside it: the report is the same everywhere.
std::filesystem::path data() { return std::filesystem::path(TC_SOURCE_DIR) / "tb/silicon/data"; }

std::string name_of(const silicon::stream_row& stream) {
  return fmt::format("{}: warps {}; chains {}; length {}", stream.variant, stream.warps, stream.chains, stream.length);
}

/// The scheduler's parameters were fitted to streams with several warps on a sub-core.
basis origin_of(unsigned warps) { return warps > 4 ? basis::fitted : basis::predicted; }

study matrix_streams() {
  study result(
      {"Hopper", "streams of mma.sync", recorded,
       "So many warps run the same stream between two clock reads: in chains of so many instructions each (two chains: half as many), "
       "each adding to the result before. The machine instructions with their control codes are those that ran on the GPU; cycles are "
       "the least of the repetitions and the most of the warps. Rows with up to four warps have one for each sub-core: where an "
       "instruction waits for its predecessor, the compiler's stall counts decide; where it does not, the structure of the tensor "
       "core. With more warps the scheduler's choice matters, and its parameters were fitted to these rows together, none to a row.",
       "cycles"});
  for (const auto& fields : silicon::csv_rows(data() / "h200_mma_sync.csv")) {
    const auto number = [&fields](unsigned i) { return static_cast<unsigned>(std::stoul(fields.at(i))); };
    const silicon::stream_row stream{fields.at(0), number(1), number(2), number(3)};
    result.add({name_of(stream), std::stod(fields.at(4)), origin_of(stream.warps)},
               [stream] { return static_cast<double>(silicon::cycles_of(stream, data())); });
  }
  return result;
}

study overwritten_streams() {
  study result(
      {"Hopper", "streams with overwritten control codes", recorded,
       "The same streams with the stall count and the reuse flags (bit n: operand n) of each matrix instruction overwritten and no "
       "yield, so that the hardware alone decides how far apart they start: 6 or 4 cycles. Rows whose stream was recorded as compiled, "
       "too.",
       "cycles"});
  for (const auto& row : silicon::overwritten_streams(data()))
    result.add({fmt::format("{}; stall {}; reuse {}", name_of(row.stream), row.stall, row.reuse), static_cast<double>(row.cycles),
                origin_of(row.stream.warps)},
               [row] { return static_cast<double>(silicon::cycles_of(row, data())); });
  return result;
}

study f64_instructions() {
  study result(
      {"Hopper", "matrix instructions in f64", recorded,
       "Dependent and independent rows of one instruction. The units' number is from the white paper; f64_result_stages is fitted to "
       "the four latencies.",
       "cycles"});
  struct row {
    const char* opcode;
    unsigned d_registers;
    double latency, interval;
  };
  for (const row& r :
       {row{"DMMA.884", 4, 26, 16}, row{"DMMA.1684", 8, 34, 16}, row{"DMMA.1688", 8, 50, 32}, row{"DMMA.16816", 8, 82, 64}}) {
    const matrix_instruction instruction{r.opcode, r.d_registers};
    const auto add = [&](const char* what, double cycles, basis origin, const silicon::listing& instructions) {
      result.add({fmt::format("{} {}", r.opcode, what), cycles, origin},
                 [instructions] { return silicon::cycles_per_instruction("hopper", "sm_90", instructions); });
    };
    add("latency", r.latency, basis::fitted, dependent(instruction));
    add("interval", r.interval, basis::predicted, independent(instruction));
  }
  return result;
}

study lop3_between() {
  study result(
      {"Hopper", "LOP3 between matrix instructions", recorded,
       "Cycles of compiled loops of 64 independent matrix instructions of one warp with so many LOP3 to each. Every LOP3 reads its "
       "own last result and A and B of the matrix instruction (fragments) or two other registers.",
       "cycles"});
  for (const auto& loop : silicon::mma_lop3_loops())
    result.add({fmt::format("{}: {} LOP3 of {}", loop.operation, loop.lop3, loop.sources), static_cast<double>(loop.cycles)},
               [loop] { return static_cast<double>(silicon::cycles_of(loop)); });
  return result;
}

/// For each stream, the repetitions that begin and end when they did.
study warp_clocks() {
  study result({"Hopper", "begin and end of repetitions", recorded,
                "When each warp's repetitions of a stream began and ended, from the first warp's clock. Counted are those whose begin "
                "and end in the model are within 3 % of their length. Which of several warps on a sub-core comes first, the recordings "
                "do not explain.",
                "repetitions", 0, true});
  for (const auto& recording : silicon::warp_clock_recordings(data()))
    result.add({name_of(recording.stream), static_cast<double>(recording.repetitions.size()), origin_of(recording.stream.warps)},
               [recording] {
                 const auto modelled = silicon::modelled_clocks(recording, data());
                 return std::inner_product(modelled.begin(), modelled.end(), recording.repetitions.begin(), 0.0, std::plus<>(),
                                           [](const auto& model, const auto& gpu) { return silicon::matches(gpu, model) ? 1.0 : 0.0; });
               });
  return result;
}

study register_banks() {
  study result(
      {"Hopper", "register banks and reuse cache", recorded,
       "128 FFMA between two clock reads, with sources in even (E) and odd (O) registers, reuse flags (bit n: operand n), stall counts "
       "and warps. Two banks of one read port each and the reuse cache's rules give them; no parameter was fitted. Eight warps are two "
       "to a sub-core.",
       "cycles"});
  for (const auto& stream : silicon::register_bank_streams(data())) {
    const double cycles = std::round(stream.cycles * silicon::register_bank_stream::instructions);
    result.add({fmt::format("to {}: {}; reuse {}; stall {}; warps {}", stream.destination, stream.sources, stream.reuse, stream.stall,
                            stream.warps),
                cycles},
               [stream] { return static_cast<double>(silicon::cycles_of(stream)); });
  }
  return result;
}

/// What parameters hold: LDS without conflict and with a two-way one, and the caches.
bool is_fitted(const silicon::memory_chain& chain) {
  if (chain.load.find("LDSM") == 0) return false;
  return chain.load.find("LDG") == 0 || chain.words <= 2;
}

study memory_chains() {
  study result(
      {"Hopper", "chains of loads", recorded,
       "Dependent loads between two clock reads; the number says how many words neighbouring lanes (LDS) or rows (LDSM) lie apart. "
       "LDSM returns no addresses, so the recorded loops add what they load to the address; how is not recorded, and in the model as a "
       "compiler makes it of such a loop.",
       "cycles"});
  for (const auto& chain : silicon::memory_chains(data()))
    result.add({fmt::format("{}: {} {}", chain.load, chain.detail, chain.words), static_cast<double>(chain.cycles),
                is_fitted(chain) ? basis::fitted : basis::predicted},
               [chain] { return static_cast<double>(silicon::cycles_of(chain)); });
  const auto chase = [&](const char* what, double cycles, const char* load) {
    result.add({what, cycles, basis::fitted}, [load] {
      constexpr std::uint64_t address = 0x10000000;
      silicon::pointer_chase of_hits(load, {address, address, address});
      return static_cast<double>(of_hits.run("sm_90", silicon::machine_of("hopper")).at(1));
    });
  };
  chase("LDG.64 to LDG.64: L1 hit", 34, "LDG.E.64 R2, [R2.64]");
  return result;
}

/// Each parameter of the throughput holds the value of one stream.
bool is_fitted(const silicon::access_stream& stream) {
  if (stream.warps.size() > 1) return false;
  const bool is_of_words = stream.access.find("LDS ") == 0 && stream.addresses != "0x400+32";
  return is_of_words || stream.access.find("LDG") == 0;
}

study accesses() {
  study result(
      {"Hopper", "throughput of memory accesses", recorded,
       "Cycles of an SM from one access to the next, in streams of independent accesses of one to eight warps (their numbers; modulo 4 "
       "the sub-core). The addresses are those of the first lane or row and the bytes to the next. Fitted are the cycles of an LDS and "
       "an LDG in a sub-core and of a wavefront of one warp.",
       "cycles", 2});
  for (const auto& stream : silicon::measured_access_streams()) {
    std::string what = fmt::format("{} @ {}:", stream.access.substr(0, stream.access.find(' ')), stream.addresses);
    for (const unsigned warp : stream.warps) what += fmt::format(" {}", warp);
    result.add({what, stream.cycles, is_fitted(stream) ? basis::fitted : basis::predicted},
               [stream] { return silicon::cycles_of(stream); });
  }
  return result;
}

study h800() {
  study result({"Hopper", "H800", "Luo et al. (arXiv 2402.13499): H800",
                "Latency of m16n8k16 and the throughput of mma.sync in percent of the peak: the average over types and shapes on the "
                "GPU, m16n8k16 with f32 sums in the model.",
                "cycles or percent", 1});
  result.add({"latency of m16n8k16", 24.1}, [] {
    return silicon::cycles_per_instruction("hopper", "sm_90", dependent({"HMMA.16816.F32", 4}));
  });
  result.add({"throughput in percent of the peak", 62.9}, [] {
    constexpr double peak = 4 * 512;
    return 100 * silicon::multiply_accumulates_per_cycle({"hopper", "sm_90", "HMMA.16816.F32", 8, 4}) / peak;
  });
  return result;
}

study warpgroup_streams() {
  study result({"Hopper", "warpgroup instructions (wgmma)", recorded,
                "Batches of warpgroup matrix instructions on one accumulator between two clock reads, with A in shared memory or in "
                "registers; those of "
                "64 with A in registers, which the compiler broke up, are left out. Intervals follow from 128 bytes a cycle of shared "
                "memory and the "
                "dot-product units; the start is fitted to m64n128k16, and fill and least interval of A in registers to m64n8k16.",
                "cycles"});
  for (const silicon::wgmma_row& row : silicon::wgmma_rows(data())) {
    const silicon::wgmma_batch& batch = row.batch;
    const bool fitted = batch.a_in_registers ? batch.n == 8 && batch.length <= 2 : batch.n == 128 && batch.length == 1;
    result.add({fmt::format("m64n{}k16; A in {}: batch of {}", batch.n, batch.a_in_registers ? "registers" : "shared memory", batch.length),
                static_cast<double>(row.cycles), fitted ? basis::fitted : basis::predicted},
               [batch] { return static_cast<double>(silicon::cycles_of(batch)); });
  }
  return result;
}

/// The wait and the turn of a warp were fitted to the first two rows.
study shared_tensor_cores() {
  study result({"Hopper", "mma.sync beside a warpgroup", "recorded on an H100",
                "A warpgroup multiplies without a gap, m64nNk16, and a warp on each sub-core issues one HMMA.16816 after the other: cycles "
                "from one instruction of the warpgroup to the next, alone and beside the warps, and from one HMMA of a sub-core to the "
                "next. After its wait an HMMA lets about two instructions of the warpgroup pass on the GPU, and one or two in the model.",
                "cycles", 1});
  for (const silicon::shared_tensor_core& row : silicon::recorded_shared_tensor_cores()) {
    const basis origin = row.columns <= 64 ? basis::fitted : basis::predicted;
    const auto name = [&row](const char* what) { return fmt::format("m64n{}k16: {}", row.columns, what); };
    result.add({{name("alone"), row.alone, basis::predicted},
                {name("beside warps"), row.beside_warps, origin},
                {name("from HMMA to HMMA"), row.between_warps, origin}},
               [columns = row.columns] {
                 const silicon::shared_tensor_core model = silicon::modelled_shared_tensor_core(columns);
                 return std::vector<double>{model.alone, model.beside_warps, model.between_warps};
               });
  }
  return result;
}

}  // namespace

std::vector<study> hopper_studies() {
  return {matrix_streams(),
          overwritten_streams(),
          f64_instructions(),
          lop3_between(),
          register_banks(),
          memory_chains(),
          accesses(),
          rate_study("Hopper", {"hopper"}),
          h800(),
          compiled_schedule_study("Hopper", "hopper", "sm_90"),
          warp_clocks(),
          warpgroup_streams(),
          shared_tensor_cores()};
}

}  // namespace tc::validation
