// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "listing.hpp"
#include "outer_product.hpp"
#include "pointer_chase.hpp"
#include "studies.hpp"
#include "wmma_timing.hpp"

namespace tc::validation {

namespace {

constexpr const char* jia = "Jia et al. (arXiv 1804.06826)";

/// One wmma: a value after each HMMA.884. `fitted` are the values that parameters were set by.
void add_wmma(study& to, const std::string& sums, const std::vector<std::size_t>& fitted, bool with_control) {
  std::vector<comparison> values;
  for (const auto& row : silicon::rows_of("volta_wmma_cycles.csv")) {
    if (row[0] != sums) continue;
    const unsigned steps = sums == "f32" ? 4 : 2;
    for (const auto cycles : silicon::numbers_in(row[1]))
      values.push_back(
          {fmt::format("{} sums: set {} step {}", sums, values.size() / steps, values.size() % steps), static_cast<double>(cycles)});
  }
  for (const std::size_t i : fitted) values.at(i).origin = basis::fitted;
  to.add(values, [sums, with_control] {
    const auto cycles = silicon::cycles_after_each_hmma(silicon::volta_wmma_code(sums), with_control);
    return std::vector<double>(cycles.begin(), cycles.end());
  });
}

study wmma_by_structure() {
  study result(
      {"Volta", "wmma without control codes", "Raihan et al. (ISPASS 2019) figure 9: Titan V",
       "Cycles from a clock read until after each HMMA.884 of a 16x16x16 product. The project's listing of the four sets runs without "
       "its control codes: structure and scoreboard alone decide. Two parameters are fitted: the sets follow each other after 10 "
       "cycles with f32 sums (result_stages) and after 13 with f16 sums (f16_result_stages); and the first value is that of the "
       "instructions between clock read and first HMMA in the listing.",
       "cycles"});
  add_wmma(result, "f32", {0, 3}, false);
  add_wmma(result, "f16", {1}, false);
  return result;
}

study wmma_by_control_codes() {
  study result({"Volta", "wmma with control codes", "Raihan et al. (ISPASS 2019) figure 9: Titan V",
                "The same listing with stall counts. They were inferred from these values (2 2 2 4 and 4 9 cycles between steps), so "
                "all count as fitted: the model agrees that they are neither too short nor too long.",
                "cycles"});
  std::vector<std::size_t> all(16);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  add_wmma(result, "f32", all, true);
  add_wmma(result, "f16", {0, 1, 2, 3, 4, 5, 6, 7}, true);
  return result;
}

study sharing_warps() {
  study result({"Volta", "wmma of several warps", "Raihan et al. (ISPASS 2019): Titan V",
                "Time of eight dependent wmma with so many warps on an SM, as a multiple of one warp's. The paper says that one to "
                "four warps take the same time and five to eight about double. Two dependent chains of one sub-core fill each other's "
                "gaps: a set holds the tensor cores for 8 of its 10 cycles.",
                "times one warp's", 2});
  for (unsigned warps = 1; warps <= 8; ++warps)
    result.add({fmt::format("warps {}", warps), warps <= 4 ? 1.0 : 2.0}, [warps] {
      return static_cast<double>(silicon::volta_chain_cycles(warps)) / static_cast<double>(silicon::volta_chain_alone);
    });
  return result;
}

/// A dependent instruction of each kind whose latency Jia et al. give.
study pipe_latencies() {
  study result({"Volta", "latencies of other instructions", std::string(jia) + " table 4.1: V100",
                "Chains in which each instruction reads what the one before wrote. The latencies of the pipes are parameters that hold "
                "these values.",
                "cycles"});
  const std::vector<std::pair<double, std::vector<std::string>>> latencies{
      {4,
       {"FADD R6, R6, R8", "FMUL R6, R6, R8", "FFMA R6, R6, R8, R10", "IADD3 R6, R6, R8, R10", "LOP3.LUT R6, R6, R8, R10, 0x96, !PT",
        "SHF.L.U32 R6, R6, 0x1, RZ", "SEL R6, R6, R8, P0", "MOV R6, R6"}},
      {5, {"IMAD R6, R6, R8, R10", "FMNMX R6, R6, R8, PT"}},
      {6, {"HADD2 R6, R6, R8", "HMUL2 R6, R6, R8", "HFMA2 R6, R6, R8, R10"}},
      {8, {"DADD R6, R6, R8", "DMUL R6, R6, R8", "DFMA R6, R6, R8, R10"}},
      {10, {"POPC R6, R6"}},
      {14, {"FLO.U32 R6, R6", "BREV R6, R6", "MUFU.RCP R6, R6"}}};
  for (const auto& [cycles, instructions] : latencies)
    for (const std::string& text : instructions)
      result.add({text.substr(0, text.find(' ')), cycles, basis::fitted},
                 [text] { return silicon::cycles_per_instruction("volta", "sm_70", {text}); });
  return result;
}

study register_mapping() {
  study result(
      {"Volta", "FFMA of an outer product", std::string(jia) + " chapter 1 and table 2.1: V100",
       "64 FFMA of an 8x8 outer product with registers as compiled and as mapped by hand, on four warps; and two warps on different "
       "sub-cores and on one. The FFMA and their reuse flags are published, the rest of the loops is not: the model's loop has the "
       "four LDS.128 that the registers need. The model hides nearly all register-bank conflicts of the compiled mapping, so the two "
       "mappings come out alike.",
       "GFLOPS of an SM", 2});
  const auto add = [&](const char* what, double gflops, const silicon::outer_product& product) {
    result.add({what, gflops}, [product] { return silicon::speed_of(product).gflops; });
  };
  add("as compiled: 4 warps", 132.05, {"original", {0, 1, 2, 3}});
  add("as mapped by hand: 4 warps", 152.43, {"improved", {0, 1, 2, 3}});
  add("as compiled: warps 0 and 1 (two sub-cores)", 66.05, {"original", {0, 1}});
  add("as compiled: warps 0 and 4 (one sub-core)", 42.2, {"original", {0, 4}});
  return result;
}

study memory_levels() {
  study result({"Volta", "memory latencies", std::string(jia) + " tables 3.1 and 3.2: V100",
                "Chains of dependent loads whose addresses hit one level after the other. Each level has a parameter that holds its value.",
                "cycles"});
  constexpr std::uint64_t base = 0x10000000, page = 32 * 1024 * 1024;
  result.add({{"first touch of a page", 1029, basis::fitted},
              {"L1 hit", 28, basis::fitted},
              {"L2 miss", 375, basis::fitted},
              {"L2 hit", 193, basis::fitted},
              {"first touch of another page", 1029}},
             [] {
               silicon::pointer_chase chase("LDG.E.64.SYS R2, [R2]", {base, base, base + 64, base + 32, base + page, base});
               const auto cycles = chase.run("sm_70", silicon::machine_of("volta"));
               return std::vector<double>(cycles.begin(), cycles.end());
             });
  result.add({"shared memory", 19, basis::fitted},
             [] { return silicon::cycles_per_instruction("volta", "sm_70", {"LDS R4, [R4] @ 0x400+4"}); });
  return result;
}

}  // namespace

std::vector<study> volta_studies() {
  return {wmma_by_structure(), wmma_by_control_codes(), sharing_warps(), rate_study("Volta", {"volta"}),
          register_mapping(),  memory_levels(),         pipe_latencies()};
}

}  // namespace tc::validation
