#include <array>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/device/run_error.hpp>

#include "test_machine.hpp"

// Instructions on tensor memory that need no tensor engine: allocation, loads, stores and waits, as traces run them.

namespace tc::device::test {
namespace {

constexpr unsigned first_register = 8, loaded_register = 64;
constexpr std::uint64_t results = 0x10000;  // in global memory, 128 bytes for each register

run_result result_of(const std::string& text, const std::vector<std::string>& assignments = {}) {
  run_options options;
  options.timing_of_preset = true;
  options.monitors = true;
  test_machine machine(preset("blackwell", assignments), {text}, options);
  return machine.run();
}

std::string header(unsigned ctas = 1, unsigned warps = 1, const std::string& more = "") {
  return kernel_header(ctas, warps, "shared 1024\n" + more, "sm_100");
}

std::string allocate(unsigned columns, unsigned destination = 0) {
  return fmt::format("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [{:#x}], {}\n", destination, columns);
}
std::string deallocate(unsigned first, unsigned columns) {
  return fmt::format("tcgen05.dealloc.cta_group::1.sync.aligned.b32 {:#x}, {}\n", first, columns);
}
constexpr const char* relinquish = "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned\n";
constexpr const char* wait_for_loads = "tcgen05.wait::ld.sync.aligned\n";
constexpr const char* wait_for_stores = "tcgen05.wait::st.sync.aligned\n";
constexpr const char* read_clock = "/*0000*/ CS2R R4, SR_CLOCKLO\n";
constexpr const char* leave = "/*f000*/ EXIT\n";

/// "{R8, R9, ...}"
std::string registers(unsigned first, unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) text += fmt::format("{}R{}", i == 0 ? "{" : ", ", first + i);
  return text + "}";
}

/// `form`: shape, repetition and packing, "32x32b.x4"; `offset`: behind the address of .16x32bx2.
std::string load(const std::string& form, unsigned count, unsigned address, unsigned first = loaded_register,
                 const std::string& offset = "") {
  return fmt::format("tcgen05.ld.sync.aligned.{}.b32 {}, [{:#x}]{}\n", form, registers(first, count), address, offset);
}
std::string store(const std::string& form, unsigned count, unsigned address, unsigned first = first_register,
                  const std::string& offset = "") {
  return fmt::format("tcgen05.st.sync.aligned.{}.b32 [{:#x}]{}, {}\n", form, address, offset, registers(first, count));
}

/// Lane and column of a cell; what the tests write there is tag().
struct cell {
  unsigned lane, column;
};
unsigned tag(cell at) { return 1000 * at.lane + at.column; }

/// Registers from `first` on that hold, in lane l of register i, the value of (l, i).
std::string presets(unsigned count, const std::function<unsigned(unsigned, unsigned)>& value, unsigned first = first_register) {
  std::string text = "reg R2 0x0\nreg R3 0x0\n";
  for (unsigned i = 0; i < count; ++i) {
    text += fmt::format("reg R{} {{", first + i);
    for (unsigned lane = 0; lane < 32; ++lane) text += fmt::format("{}{:#x}", lane == 0 ? "" : ", ", value(lane, i));
    text += "}\n";
  }
  return text;
}
std::string tagged_columns(unsigned count) {
  return presets(count, [](unsigned lane, unsigned column) { return tag({lane, column}); });
}

/// Registers of the loads, on their way to where they are expected.
std::string write_results(unsigned count, unsigned first = loaded_register) {
  std::string text;
  for (unsigned i = 0; i < count; ++i)
    text += fmt::format("/*{:04x}*/ STG.E [R2.64], R{} @ {:#x}+4\n", 16 * i, first + i, results + 128 * i);
  return text;
}
std::string expectation(unsigned count, const std::function<unsigned(unsigned, unsigned)>& value) {
  std::string text = fmt::format("memory {:#x} {} zero\nexpect {:#x} {} hex ", results, 128 * count, results, 128 * count);
  for (unsigned i = 0; i < count; ++i)
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned byte = 0; byte < 4; ++byte) text += fmt::format("{:02x}", value(lane, i) >> (8 * byte) & 0xff);
  return text + "\n";
}

/// Tagged columns, which a load reads into `count` registers: register i of thread t is expected to be what `value` says.
void expect_loaded(const std::string& form, unsigned count, const std::function<unsigned(unsigned, unsigned)>& value,
                   const std::string& offset = "") {
  constexpr unsigned columns = 32;
  const std::string text = header(1, 1, expectation(count, value)) + cta_line(0) + warp_line(0) + tagged_columns(columns) + allocate(32) +
                           store("32x32b.x32", columns, 0) + wait_for_stores + load(form, count, 0, loaded_register, offset) +
                           wait_for_loads + write_results(count) + deallocate(0, 32) + leave;
  const run_result result = result_of(text);
  EXPECT_EQ(result.status, run_status::finished);
  EXPECT_EQ(result.mismatches(), 0U) << form;
  EXPECT_TRUE(result.warnings().empty()) << result.warnings().front();
  expect_cycles_accounted(result);
}

TEST(tensor_load, of_16x256b) {
  expect_loaded("16x256b.x2", 8, [](unsigned thread, unsigned reg) {
    return tag({thread / 4 + 8 * (reg / 2 % 2), 2 * (thread % 4) + reg % 2 + 8 * (reg / 4)});
  });
}

}  // namespace
}  // namespace tc::device::test
