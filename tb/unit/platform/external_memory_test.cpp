// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <systemc>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/config/machine_loader.hpp>
#include <tc/device/gpu.hpp>
#include <tc/fabric/base_protocol_monitor.hpp>
#include <tc/memory/global_memory.hpp>
#include <tc/platform/bus_interface.hpp>
#include <tc/platform/memory_links.hpp>

#include "bus_bench.hpp"
#include "shared_recordings.hpp"
#include "stand_ins/random_memory.hpp"

// Compiled kernels with their global memory behind a bus, where each request is answered after a random time, in a random way and in any
// order: those of the folder traces, and all of the shared recordings where these are present.

namespace tc::platform::test::external_memory_test {
namespace {

namespace fs = std::filesystem;
using stand_ins::random_memory;

std::vector<std::string> compiled_kernels() {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(fs::path(TC_SOURCE_DIR) / "traces"))
    if (fs::exists(entry.path() / "kernel.trace")) files.push_back((entry.path() / "kernel.trace").string());
  if (fs::exists(tc::test::shared_recordings() / "traces")) {
    files.clear();  // which has them all
    for (const auto& entry : fs::directory_iterator(tc::test::shared_recordings() / "traces"))
      if (entry.path().extension() == ".trace") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

config::machine machine_for(const std::string& file) {
  const std::string preset = file.find("sm_90") != std::string::npos   ? "hopper"
                             : file.find("sm_80") != std::string::npos ? "ampere"
                             : file.find("sm_70") != std::string::npos ? "volta"
                                                                       : "turing";
  return config::load_machine(fs::path(TC_SOURCE_DIR) / "configs" / (preset + ".json"), {});
}

/// How often a kernel runs, with other random answers each time: TCSIM_SEEDS times, or else as often as is quick.
unsigned runs_of(const std::string& file, unsigned most) {
  if (const char* const asked = std::getenv("TCSIM_SEEDS"); asked != nullptr) return static_cast<unsigned>(std::stoul(asked));
  if (file.find("tiled") != std::string::npos) return 1;
  return file.find("micro") != std::string::npos ? most : most / 5;
}

bus_parameters narrow_bus(timing mode) {
  bus_parameters bus;
  bus.sockets = 2;
  bus.interleave_bytes = 256;
  bus.burst_bytes = 64;
  bus.outstanding = 5;
  expect_limit();
  bus.mode = mode;
  bus.quantum = sc_core::sc_time(20, sc_core::SC_NS);
  return bus;
}

/// A kernel that does nothing, after which the outputs of another one hold no result.
trace::trace spoiler_of(const trace::trace& kernel) {
  std::string text = fmt::format("tcsim-trace 1\narch {}\nkernel spoiler\ngrid 1 1 1\nblock 32 1 1\n", isa::name(kernel.header().arch));
  for (const trace::memory_image& output : kernel.header().expectations)
    text += fmt::format("memory {:#x} {} fill 238\n", output.base, output.content.bytes());
  std::istringstream in(text + "cta 0 0 0\nwarp 0\n/*0000*/ EXIT\n");
  return trace::trace::read(in, "spoiler");
}

/// Runs a kernel so often, one after the other, and expects each to be exact.
void expect_exact(const std::string& file, unsigned runs, timing mode) {
  const trace::trace trace = trace::trace::open(file), spoiler = spoiler_of(trace);
  std::vector<device::kernel_source> kernels;
  for (unsigned run = 0; run < runs; ++run) {
    kernels.push_back({"spoiler", &spoiler});
    kernels.push_back({"kernel", &trace});
  }
  memory_links links;
  device::run_options options;
  options.timing_of_preset = true;
  options.monitors = true;
  options.binder = &links;
  device::gpu gpu("gpu", machine_for(file), kernels, options);
  bus_interface bus("bus", narrow_bus(mode), gpu.clock());
  random_memory::params worst;
  worst.ports = 2;
  worst.direct = true;
  random_memory memory("memory", worst);
  links.bind_all(bus.port);
  std::vector<std::unique_ptr<fabric::base_protocol_monitor<>>> monitors;
  for (unsigned i = 0; i < 2; ++i) {
    monitors.push_back(std::make_unique<fabric::base_protocol_monitor<>>(sc_core::sc_gen_unique_name("monitor")));
    bus.bus[i].bind(monitors.back()->target);
    monitors.back()->initiator.bind(memory.port[i].socket);
  }

  const accounting::run_result result = gpu.run();
  EXPECT_EQ(result.status, accounting::run_status::finished);
  ASSERT_EQ(result.kernels.size(), kernels.size());
  for (unsigned run = 0; run < runs; ++run) {
    const accounting::kernel_result& kernel = result.kernels[2 * run + 1];
    EXPECT_FALSE(kernel.expectations.empty());
    for (const auto& expectation : kernel.expectations) EXPECT_EQ(expectation.mismatches, 0U) << "run " << run << " of " << file;
  }
  EXPECT_GT(memory.requests(), 0U);
  EXPECT_TRUE(bus.idle());
}

class external_memory : public testing::TestWithParam<std::string> {};

TEST_P(external_memory, answers_at_random_and_kernels_are_exact) {
  expect_exact(GetParam(), runs_of(GetParam(), 100), timing::approximate);
}

TEST_P(external_memory, is_accessed_loosely_and_kernels_are_exact) { expect_exact(GetParam(), runs_of(GetParam(), 10), timing::loose); }

INSTANTIATE_TEST_SUITE_P(of, external_memory, testing::ValuesIn(compiled_kernels()), [](const auto& test) {
  const fs::path file(test.param);
  std::string name = file.filename() == "kernel.trace" ? file.parent_path().filename().string() : file.stem().string();
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

/// Behind a bus, a memory of the model's own latency.
class bus_of_a_memory_like_ours : public testing::TestWithParam<const char*> {};

TEST_P(bus_of_a_memory_like_ours, adds_no_cycle) {
  const std::string file = (fs::path(TC_SOURCE_DIR) / "traces" / GetParam() / "kernel.trace").string();
  const trace::trace trace = trace::trace::open(file);
  const config::machine machine = machine_for(file);
  device::run_options own_options, options;
  memory_links links;
  own_options.timing_of_preset = options.timing_of_preset = true;
  options.binder = &links;
  device::gpu own("own", machine, {{"kernel", &trace}}, own_options);
  device::gpu gpu("gpu", machine, {{"kernel", &trace}}, options);
  bus_interface bus("bus", {}, gpu.clock());
  memory::global_memory memory("memory", {machine.global_memory, 1, true}, gpu.clock());
  for (const trace::memory_image& image : trace.header().memory) memory.add_region(image.base, image.content.bytes());
  links.bind_all(bus.port);
  bus.bus[0].bind(memory.port);
  const accounting::run_result result = own.run();
  EXPECT_EQ(gpu.result().status, accounting::run_status::finished);
  EXPECT_EQ(gpu.result().mismatches(), 0U);
  EXPECT_EQ(gpu.result().cycles, result.cycles);
}

INSTANTIATE_TEST_SUITE_P(of, bus_of_a_memory_like_ours,
                         testing::Values("sm_75.tiled_f16_f32", "sm_80.gemm_f16_f32_m16n16k16", "sm_90.gemm_f16_f32_m16n16k16.rough"),
                         [](const auto& test) { return std::string(test.param).substr(0, 5); });

TEST(external_memory_kernels, say_which_there_are) {
  std::cout << (fs::exists(tc::test::shared_recordings() / "traces") ? "the shared recordings\n"
                                                                     : "the project's traces: no shared recordings\n");
  EXPECT_GE(compiled_kernels().size(), 5U);
}

}  // namespace
}  // namespace tc::platform::test::external_memory_test
