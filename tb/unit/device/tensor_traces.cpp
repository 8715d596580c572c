// SPDX-License-Identifier: Apache-2.0
#include "tensor_traces.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace tc::device::test::tensor {

namespace {

/// "{R8, R9, ...}"
std::string registers(unsigned first, unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) text += fmt::format("{}R{}", i == 0 ? "{" : ", ", first + i);
  return text + "}";
}

}  // namespace

std::string header(unsigned ctas, unsigned warps, const std::string& more) {
  return kernel_header(ctas, warps, "shared 2048\n" + more, "sm_100");
}

std::string one_warp(const std::string& body, const std::string& more) {
  return header(1, 1, more) + cta_line(0) + warp_line(0) + body + leave;
}

std::string allocate(unsigned columns, unsigned place) {
  return fmt::format("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [{:#x}], {}\n", addresses + 4 * place, columns);
}

std::string deallocate(unsigned first, unsigned columns) {
  return fmt::format("tcgen05.dealloc.cta_group::1.sync.aligned.b32 {:#x}, {}\n", first, columns);
}

std::string load(const std::string& form, unsigned count, unsigned address, unsigned first, const std::string& offset) {
  return fmt::format("tcgen05.ld.sync.aligned.{}.b32 {}, [{:#x}]{}\n", form, registers(first, count), address, offset);
}

std::string store(const std::string& form, unsigned count, unsigned address, unsigned first, const std::string& offset) {
  return fmt::format("tcgen05.st.sync.aligned.{}.b32 [{:#x}]{}, {}\n", form, address, offset, registers(first, count));
}

std::string pause(unsigned instructions) {
  std::string text;
  for (unsigned i = 0; i < instructions; ++i) text += "/*0300*/ NOP\n";
  return text;
}

std::string presets(unsigned count, const register_values& values, unsigned first) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    text += fmt::format("reg R{} {{", first + i);
    for (unsigned lane = 0; lane < 32; ++lane) text += fmt::format("{}{:#x}", lane == 0 ? "" : ", ", values(lane, i));
    text += "}\n";
  }
  return text;
}

std::string tagged_columns(unsigned count) {
  return "reg R2 0x0\nreg R3 0x0\n" + presets(count, [](unsigned lane, unsigned column) { return tag({lane, column}); });
}

std::string write_results(unsigned count, unsigned first) {
  std::string text;
  for (unsigned i = 0; i < count; ++i)
    text += fmt::format("/*{:04x}*/ STG.E [R2.64], R{} @ {:#x}+4\n", 16 * i, first + i, results + 128 * i);
  return text;
}

std::string expectation(unsigned count, const register_values& values) {
  std::string text = fmt::format("memory {:#x} {} zero\nexpect {:#x} {} hex ", results, 128 * count, results, 128 * count);
  for (unsigned i = 0; i < count; ++i)
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned byte = 0; byte < 4; ++byte) text += fmt::format("{:02x}", values(lane, i) >> (8 * byte) & 0xff);
  return text + "\n";
}

accounting::run_result result_of(const std::string& text, const std::vector<std::string>& assignments, bool data) {
  run_options options;
  options.timing_of_preset = true;
  options.monitors = true;
  options.data = data;
  test_machine machine(preset("blackwell", assignments), {text}, options);
  return machine.run();
}

void expect_finished(const accounting::run_result& result) {
  EXPECT_EQ(result.status, accounting::run_status::finished);
  EXPECT_EQ(result.mismatches(), 0U);
  EXPECT_TRUE(result.warnings().empty()) << result.warnings().front();
  expect_cycles_accounted(result);
}

std::vector<std::uint64_t> intervals(const accounting::run_result& result) {
  std::vector<std::uint64_t> cycles;
  for (std::size_t i = 0; i + 1 < result.clock_reads.size(); ++i)
    cycles.push_back(result.clock_reads[i + 1].cycle - result.clock_reads[i].cycle - 1);
  return cycles;
}

}  // namespace tc::device::test::tensor
