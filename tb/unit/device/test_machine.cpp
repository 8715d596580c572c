// SPDX-License-Identifier: Apache-2.0
#include "test_machine.hpp"

#include <sstream>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/config/machine_loader.hpp>

namespace tc::device::test {

config::machine preset(const std::string& name, const std::vector<std::string>& assignments) {
  return config::load_machine(std::filesystem::path(TC_SOURCE_DIR) / "configs" / (name + ".json"), assignments);
}

config::machine preset_of(isa::architecture arch, const std::vector<std::string>& assignments) {
  switch (arch) {
    case isa::architecture::sm_70:
      return preset("volta", assignments);
    case isa::architecture::sm_75:
      return preset("turing", assignments);
    case isa::architecture::sm_80:
      return preset("ampere", assignments);
    case isa::architecture::sm_90:
      return preset("hopper", assignments);
    default:
      throw std::invalid_argument("no preset is chosen for " + std::string(isa::name(arch)));
  }
}

test_machine::test_machine(const config::machine& machine, const std::vector<std::string>& texts, const run_options& options) {
  for (const std::string& text : texts) {
    names_.push_back(fmt::format("kernel {}", names_.size()));
    std::istringstream in(text);
    traces_.push_back(trace::trace::read(in, names_.back()));
  }
  build(machine, options);
}

test_machine::test_machine(const std::filesystem::path& path, const config::machine& machine, const run_options& options)
    : names_{path.filename().string()} {
  traces_.push_back(trace::trace::open(path));
  build(machine, options);
}

void test_machine::build(const config::machine& machine, const run_options& options) {
  std::vector<kernel_source> sources;
  for (std::size_t i = 0; i < traces_.size(); ++i) sources.push_back({names_[i], &traces_[i]});
  gpu_ = std::make_unique<gpu>("gpu", machine, sources, options);
}

std::string kernel_header(unsigned ctas, unsigned warps, const std::string& more, const std::string& arch) {
  return fmt::format("tcsim-trace 1\narch {}\nkernel example\ngrid {} 1 1\nblock {} 1 1\n{}", arch, ctas, 32 * warps, more);
}

std::string cta_line(unsigned cta) { return fmt::format("cta {} 0 0\n", cta); }
std::string warp_line(unsigned warp) { return fmt::format("warp {}\n", warp); }

std::string shared_image_kernel(unsigned ctas) {
  const unsigned bytes = 128 * ctas;
  std::string text = kernel_header(
      ctas, 1,
      fmt::format("shared 256\nshared-memory 0x0 128 fill 165\nmemory 0x10000 {} zero\nexpect 0x10000 {} fill 165\n", bytes, bytes));
  for (unsigned cta = 0; cta < ctas; ++cta)
    text += cta_line(cta) + warp_line(0) +
            fmt::format(
                "reg R2 0\nreg R3 0\n/*0000*/ LDS.U R4, [R2] @ 0x0+4\n/*0010*/ STG.E [R2.64], R4 @ {:#x}+4\n"
                "/*0020*/ STS [R2], R2 @ 0x0+4\n/*0030*/ EXIT\n",
                0x10000 + 128 * cta);
  return text;
}

void expect_cycles_accounted(const accounting::run_result& result) {
  std::uint64_t lifetimes = 0, instructions = 0;
  for (const accounting::warp_result& warp : result.warps) {
    lifetimes += warp.last_issue + 1 - warp.started;
    instructions += warp.instructions;
  }
  EXPECT_EQ(lifetimes, instructions + result.stalls.sum());
  EXPECT_EQ(instructions, result.instructions);
}

}  // namespace tc::device::test
