// SPDX-License-Identifier: Apache-2.0
#include "outer_product.hpp"

#include <array>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "listing.hpp"
#include "recorded_run.hpp"

namespace tc::silicon {

namespace {

constexpr unsigned ffma_of_a_passage = 64;

/// The FFMA of a mapping. A row of the file: version, index, destination, sources A, B and C, reuse flags (bit n: source n).
listing ffma_of(const std::string& mapping) {
  listing instructions;
  for (const auto& row : rows_of("volta_ffma_mapping.csv")) {
    if (row[0] != mapping) continue;
    std::array<unsigned long, 6> f{};
    for (std::size_t i = 0; i < f.size(); ++i) f[i] = std::stoul(row.at(i + 1));
    const auto source = [&](unsigned slot) { return fmt::format("R{}{}", f.at(2 + slot), (f[5] >> slot & 1u) != 0 ? ".reuse" : ""); };
    instructions.push_back(fmt::format("FFMA R{}, {}, {}, {}", f[1], source(0), source(1), source(2)));
  }
  if (instructions.size() != ffma_of_a_passage) throw std::runtime_error("no such register mapping: " + mapping);
  return instructions;
}

/// A load of four words for each lane, from one of `rows` rows of 32 bytes: neighbouring threads share rows of A, distant ones those of B.
std::string load(unsigned destination, bool of_a) {
  std::string addresses;
  for (unsigned lane = 0; lane < 32; ++lane) addresses += fmt::format("{}{:#x}", lane == 0 ? "" : ", ", 32 * (of_a ? lane / 8 : lane % 8));
  return fmt::format("LDS.U.128 R{}, [R0] @ {{{}}}", destination, addresses);
}

listing passage_of(const outer_product& product) {
  listing code;
  if (product.loads) code = {load(12, true), load(80, false), load(8, true), load(4, false)};
  const listing ffma = ffma_of(product.mapping);
  code.insert(code.end(), ffma.begin(), ffma.end());
  if (product.loads) code.emplace_back("IADD3 R1, R1, 0x1, RZ");
  return code;
}

std::string trace_text(const outer_product& product, unsigned passages) {
  const listing passage = passage_of(product);
  std::string text = "tcsim-trace 1\narch sm_70\nkernel outer_product\ngrid 1 1 1\nblock 256 1 1\nshared 1024\ncta 0 0 0\n";
  for (const unsigned warp : product.warps) {
    text += fmt::format("warp {}\n", warp);
    for (unsigned i = 0; i < passages; ++i)
      for (std::size_t k = 0; k < passage.size(); ++k) text += fmt::format("/*{:04x}*/ {}\n", 16 * k, passage[k]);
    text += "/*fff0*/ EXIT\n";
  }
  return text;
}

}  // namespace

outer_product_speed speed_of(const outer_product& product, const std::vector<std::string>& assignments) {
  constexpr unsigned passages = 24;
  std::istringstream stream(trace_text(product, passages));
  const auto trace = trace::trace::read(stream, "outer_product");
  device::run_options options;
  options.data = false;
  const auto result = run(trace, machine_of("volta", assignments), options);
  if (result.status != accounting::run_status::finished) throw std::runtime_error("the loop does not finish");
  outer_product_speed speed;
  speed.cycles = static_cast<double>(result.cycles) / passages;
  constexpr double operations_of_a_warp = ffma_of_a_passage * 32 * 2;
  speed.gflops = operations_of_a_warp * static_cast<double>(product.warps.size()) / (speed.cycles / v100_clock_ghz);
  return speed;
}

}  // namespace tc::silicon
