// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/packed/packed_format.hpp>
#include <tc/packed/trace_packer.hpp>
#include <tc/platform/command_descriptor.hpp>
#include <tc/platform/command_kernel.hpp>
#include <tc/platform/command_reader.hpp>
#include <tc/platform/device_reports.hpp>
#include <tc/study/compressed_file.hpp>
#include <tc/trace/limits.hpp>

#include "device_bench.hpp"
#include "scratch_folder.hpp"

// Commands that do not end well, and what the software is told.

namespace tc::platform::test::device_failure_test {
namespace {

constexpr std::uint64_t memory_end = 0x100000;

device_bench::params on(const std::string& preset) {
  device_bench::params params;
  params.machine = machine_of(preset);
  params.memory.bytes = memory_end;
  return params;
}

/// What the warnings of type report::device_command say.
std::vector<std::string> warnings;
void keep_warnings() {
  warnings.clear();
  sc_core::sc_report_handler::set_handler([](const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
    if (report.get_severity() == sc_core::SC_WARNING)
      warnings.push_back(fmt::format("{}: {}", report.get_msg_type(), report.get_msg()));
    else
      sc_core::sc_report_handler::default_handler(report, actions);
  });
}

/// A product that is spoilt before it is rung.
struct spoilt_gemm {
  std::string name;
  std::uint32_t status;
  std::function<void(tcsim_gemm&)> spoil;
  std::string words;
};
void PrintTo(const spoilt_gemm& test, std::ostream* out) { *out << test.name; }

/// How a command ends that runs a trace, which is put into memory first if there is memory at the address.
std::uint32_t status_of_trace(device_bench& bench, const std::string& content, std::uint64_t address = device_bench::first_free) {
  auto command = device_bench::descriptor<tcsim_run_trace>(TCSIM_OPCODE_RUN_TRACE, 1);
  command.address = address;
  command.bytes = content.size();
  if (address < memory_end) bench.put(address, content.data(), content.size());
  return bench.status_of(command);
}

class device_failure : public testing::TestWithParam<spoilt_gemm> {};

TEST_P(device_failure, has_a_status_and_the_next_command_runs) {
  keep_warnings();
  device_bench bench("bench", on("volta"));
  bench.start();
  bench.write(TCSIM_REG_INTERRUPT_ENABLE, TCSIM_INTERRUPT_CAUSE_FAULT);
  const tcsim_gemm good = descriptor_of(small_gemm(), 1);
  tcsim_gemm bad = descriptor_of(small_gemm(), 2);
  write_matrices(bench, good, 1);
  GetParam().spoil(bad);
  EXPECT_EQ(bench.status_of(bad), GetParam().status);
  EXPECT_EQ(bench.read(TCSIM_REG_LATEST_STATUS), GetParam().status);
  EXPECT_EQ(bench.read(TCSIM_REG_LATEST_IDENTIFIER), 2u);
  EXPECT_TRUE(bench.status(TCSIM_STATUS_FAULTED));
  EXPECT_TRUE(bench.interrupt.read());
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].find("/tc/device/command: bench.device.commands: command 2: "), 0u) << warnings[0];
  EXPECT_NE(warnings[0].find(GetParam().words), std::string::npos) << warnings[0];

  EXPECT_EQ(bench.status_of(good), TCSIM_RESULT_DONE);
  EXPECT_EQ(wrong_elements(bench, good, 1), 0u);
  EXPECT_FALSE(bench.status(TCSIM_STATUS_FAULTED));
  sc_core::sc_stop();
}

INSTANTIATE_TEST_SUITE_P(
    kinds, device_failure,
    testing::Values(spoilt_gemm{"opcode", TCSIM_RESULT_BAD_OPCODE, [](tcsim_gemm& g) { g.opcode = 5; }, "opcode 5"},
                    spoilt_gemm{"reserved", TCSIM_RESULT_BAD_DESCRIPTOR, [](tcsim_gemm& g) { g.reserved_76[3] = 1; }, "byte 79"},
                    spoilt_gemm{"flags", TCSIM_RESULT_BAD_DESCRIPTOR, [](tcsim_gemm& g) { g.flags = 8; }, "flags are 0x8"},
                    spoilt_gemm{"precision", TCSIM_RESULT_BAD_DESCRIPTOR, [](tcsim_gemm& g) { g.precision = 77; },
                                "precision with the code 77"},
                    spoilt_gemm{"empty", TCSIM_RESULT_BAD_DESCRIPTOR, [](tcsim_gemm& g) { g.k = 0; }, "no elements"},
                    spoilt_gemm{"alignment", TCSIM_RESULT_BAD_DESCRIPTOR, [](tcsim_gemm& g) { g.b += 8; }, "address of B"},
                    spoilt_gemm{"overlap", TCSIM_RESULT_BAD_DESCRIPTOR, [](tcsim_gemm& g) { g.d = g.b; }, "overlaps B"},
                    spoilt_gemm{"behind_all", TCSIM_RESULT_BAD_DESCRIPTOR, [](tcsim_gemm& g) { g.d = ~std::uint64_t{15}; }, "last address"},
                    spoilt_gemm{"size", TCSIM_RESULT_UNSUPPORTED, [](tcsim_gemm& g) { g.m = 17; }, "no multiple of"},
                    spoilt_gemm{"type", TCSIM_RESULT_UNSUPPORTED, [](tcsim_gemm& g) { g.precision = TCSIM_PRECISION_E4M3; }, "e4m3"},
                    spoilt_gemm{"instructions", TCSIM_RESULT_UNSUPPORTED, [](tcsim_gemm& g) { g.instructions = TCSIM_INSTRUCTIONS_WGMMA; },
                                "warpgroup"},
                    spoilt_gemm{"read", TCSIM_RESULT_FAULT, [](tcsim_gemm& g) { g.a = memory_end; }, "LDG"},
                    spoilt_gemm{"write", TCSIM_RESULT_FAULT, [](tcsim_gemm& g) { g.d = memory_end; }, "STG"}),
    [](const auto& test) { return test.param.name; });

/// It is not told in memory, but by a status.
TEST(device_failure, a_completion_record_that_cannot_be_written_is_a_fault) {
  expect_warnings();
  device_bench bench("bench", on("volta"));
  bench.start();
  auto command = device_bench::descriptor<tcsim_command>(TCSIM_OPCODE_NO_OPERATION, 1);
  command.completion = memory_end;
  bench.execute(command);
  EXPECT_EQ(bench.read(TCSIM_REG_LATEST_STATUS), TCSIM_RESULT_FAULT);
  EXPECT_TRUE(bench.cause(TCSIM_INTERRUPT_CAUSE_FAULT));
}

TEST(device_failure, traces_are_refused_as_a_whole) {
  keep_warnings();
  device_bench bench("bench", on("volta"));
  bench.start();
  const auto status_of = [&](const std::string& text, std::uint64_t address) {
    warnings.clear();
    return status_of_trace(bench, text, address);
  };
  const auto expect_warning = [](const std::string& words) {
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find(words), std::string::npos) << warnings[0];
  };
  const std::string body = "grid 1 1 1\nblock 32 1 1\ncta 0 0 0\nwarp 0\n/*0000*/ EXIT\n";
  EXPECT_EQ(status_of("tcsim-trace 1\narch sm_70\nkernel k\n" + body, 0x8000), TCSIM_RESULT_DONE);
  EXPECT_EQ(status_of("something else", 0x8000), TCSIM_RESULT_TRACE_REFUSED);
  expect_warning("trace at 0x8000:1");
  EXPECT_EQ(status_of("tcsim-trace 1\narch sm_90\nkernel k\n" + body, 0x8000), TCSIM_RESULT_TRACE_REFUSED);
  expect_warning("sm_90");
  EXPECT_EQ(status_of("tcsim-trace 1\narch sm_70\nkernel k\ndata none\n" + body, 0x8000), TCSIM_RESULT_TRACE_REFUSED);
  expect_warning("no data");
  EXPECT_EQ(status_of("tcsim-trace 1\narch sm_70\nkernel k\nmemory 0x9000 4 file /etc/hostname\n" + body, 0x8000),
            TCSIM_RESULT_TRACE_REFUSED);
  expect_warning("lies outside of the trace's folder");
  const scratch_folder host;
  std::filesystem::current_path(host.path());
  const std::string file = "image.bin";
  for (const char* line : {"memory 0x9000 4 file ", "expect 0x9000 4 file ", "constant 0 0x160 4 file "}) {
    const std::string trace = std::string("tcsim-trace 1\narch sm_70\nkernel k\n") + line + file + "\n" + body;
    EXPECT_EQ(status_of(trace, 0x8000), TCSIM_RESULT_TRACE_REFUSED);
    expect_warning("trace at 0x8000:4");
    std::ofstream(file) << "four";
    EXPECT_EQ(status_of(trace, 0x8000), TCSIM_RESULT_TRACE_REFUSED);
    expect_warning("a trace in memory holds its images itself");
    std::filesystem::remove(file);
  }
  EXPECT_EQ(status_of(body, memory_end), TCSIM_RESULT_UNREADABLE_MEMORY);
  expect_warning("at 0x100000");
  EXPECT_EQ(status_of("", 0x8000), TCSIM_RESULT_BAD_DESCRIPTOR);
  expect_warning("0 bytes");
}

TEST(device_failure, a_trace_that_expects_more_than_memory_has_ends) {
  expect_warnings();
  device_bench bench("bench", on("volta"));
  bench.start();
  const auto status_of = [&](std::uint64_t expected) {
    const std::string text = "tcsim-trace 1\narch sm_70\nkernel k\ngrid 1 1 1\nblock 32 1 1\nexpect 0x0 " + std::to_string(expected) +
                             " zero\ncta 0 0 0\nwarp 0\n/*0000*/ EXIT\n";
    return status_of_trace(bench, text);
  };
  const std::uint64_t possible = trace::size_limits{}.expected_bytes;
  EXPECT_EQ(status_of(possible), TCSIM_RESULT_FAULT);
  EXPECT_EQ(status_of(possible + 1), TCSIM_RESULT_TRACE_REFUSED);
}

std::string compressed(const std::string& text) {
  std::ostringstream packed;
  study::write_compressed(packed, study::compression::gzip, [&](std::ostream& out) { out << text; });
  return packed.str();
}

tcsim_convolution small_convolution() {
  auto conv = device_bench::descriptor<tcsim_convolution>(TCSIM_OPCODE_CONVOLUTION, 1);
  conv.batch = conv.stride_height = conv.stride_width = conv.dilation_height = conv.dilation_width = 1;
  conv.height = conv.width = conv.filter_height = conv.filter_width = 3;
  conv.channels = conv.filters = 16;
  conv.input = device_bench::first_free;
  conv.filter = conv.input + 0x1000;
  conv.output = conv.filter + 0x4000;
  return conv;
}

TEST(device_failure, kernels_that_are_listed_before_they_begin_are_bounded) {
  const tcsim_convolution conv = small_convolution();
  command_descriptor::bytes bytes{};
  std::memcpy(bytes.data(), &conv, bytes.size());
  const command_descriptor descriptor(bytes);
  const config::machine machine = machine_of("blackwell");
  const trace::trace_summary size = make_convolution_kernel(descriptor, machine, kernel_limits()).trace->summary();
  const auto refusal = [&](std::uint64_t instructions, std::uint64_t different) -> std::string {
    trace::size_limits limits;
    limits.instructions = instructions;
    limits.distinct_instructions = different;
    try {
      make_convolution_kernel(descriptor, machine, limits);
    } catch (const command_error& error) {
      EXPECT_EQ(error.status(), command_status::unsupported);
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal(size.instructions, size.distinct_instructions), "");
  EXPECT_NE(
      refusal(size.instructions - 1, size.distinct_instructions).find(fmt::format("more than {} instructions", size.instructions - 1)),
      std::string::npos);
  EXPECT_NE(refusal(size.instructions, size.distinct_instructions - 1).find("different instructions in a trace"), std::string::npos);
}

TEST(device_failure, a_kernel_that_is_too_large_ends_with_a_status) {
  keep_warnings();
  auto parameters = on("blackwell");
  parameters.commands.reader.kernels.instructions = 10;
  device_bench bench("bench", parameters);
  bench.start();
  EXPECT_EQ(bench.status_of(small_convolution()), TCSIM_RESULT_UNSUPPORTED);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("more than 10 instructions in a trace"), std::string::npos) << warnings[0];
}

TEST(device_failure, a_trace_that_unpacks_to_too_much_is_refused) {
  keep_warnings();
  auto parameters = on("volta");
  const std::string text = "tcsim-trace 1\narch sm_70\nkernel k\ngrid 1 1 1\nblock 32 1 1\ncta 0 0 0\nwarp 0\n/*0000*/ EXIT\n";
  parameters.commands.reader.traces.text_bytes = text.size() + 1000;
  device_bench bench("bench", parameters);
  bench.start();
  EXPECT_EQ(status_of_trace(bench, compressed(text + std::string(1000, '\n'))), TCSIM_RESULT_DONE);
  EXPECT_EQ(status_of_trace(bench, compressed(text + std::string(1001, '\n'))), TCSIM_RESULT_TRACE_REFUSED);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("bytes when they are unpacked"), std::string::npos) << warnings[0];
}

TEST(device_failure, a_packed_trace_is_checked_as_a_whole_before_it_runs) {
  expect_warnings();
  device_bench bench("bench", on("volta"));
  bench.start();
  const scratch_folder host;
  std::ofstream(host.path() / "k.trace")
      << "tcsim-trace 1\narch sm_70\nkernel k\ngrid 1 1 1\nblock 32 1 1\ncta 0 0 0\nwarp 0\n/*0000*/ EXIT\n";
  std::ostringstream packed;
  packed::pack_trace(host.path() / "k.trace", host.path(), packed);
  std::string content = packed.str();
  EXPECT_EQ(status_of_trace(bench, content), TCSIM_RESULT_DONE);
  content[packed::preamble_bytes + packed::block_head::bytes] ^= 1;  // in the steps, which a run reads one by one
  EXPECT_EQ(status_of_trace(bench, content), TCSIM_RESULT_TRACE_REFUSED);
}

TEST(device_failure, a_ring_that_cannot_be_read_stops_the_queue_until_a_reset) {
  keep_warnings();
  device_bench bench("bench", on("volta"));
  bench.start();
  bench.write(TCSIM_REG_RING_BASE_LOW, memory_end);
  bench.ring_doorbell();
  EXPECT_TRUE(bench.status(TCSIM_STATUS_IDLE));
  bench.write(TCSIM_REG_TAIL, 2);
  bench.run();
  EXPECT_TRUE(bench.status(TCSIM_STATUS_QUEUE_ERROR));
  EXPECT_TRUE(bench.cause(TCSIM_INTERRUPT_CAUSE_FAULT));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].find("/tc/device/queue: "), 0u) << warnings[0];
  bench.write(TCSIM_REG_TAIL, 9);
  bench.run();
  EXPECT_EQ(bench.read(TCSIM_REG_COMPLETED), 0u);

  bench.write(TCSIM_REG_CONTROL, TCSIM_CONTROL_RESET);
  bench.run();
  EXPECT_EQ(bench.read(TCSIM_REG_STATUS), TCSIM_STATUS_IDLE);
  bench.start();
  EXPECT_EQ(bench.status_of(device_bench::descriptor<tcsim_command>(TCSIM_OPCODE_NO_OPERATION, 1)), TCSIM_RESULT_DONE);
}

TEST(device_failure, a_tail_outside_the_ring_stops_the_queue) {
  expect_warnings();
  device_bench bench("bench", on("volta"));
  bench.start();
  bool told = false;
  bench.device().on_idle([&] { told = true; });
  bench.write(TCSIM_REG_TAIL, device_bench::entries);
  EXPECT_FALSE(bench.device().idle()) << "the interrupt is to come";
  bench.run();
  EXPECT_TRUE(bench.status(TCSIM_STATUS_QUEUE_ERROR));
  EXPECT_TRUE(told);
}

TEST(device_failure, the_time_limit_gives_a_kernel_up) {
  expect_warnings();
  device_bench bench("bench", on("volta"));
  bench.start();
  const tcsim_gemm gemm = descriptor_of(small_gemm(), 1);
  write_matrices(bench, gemm, 1);
  const std::uint64_t cycles = bench.execute(gemm).cycles;
  bench.write(TCSIM_REG_TIME_LIMIT_LOW, static_cast<std::uint32_t>(cycles / 2));
  const tcsim_completion_record late = bench.execute(gemm);
  EXPECT_EQ(late.status, TCSIM_RESULT_TIMEOUT);
  EXPECT_LT(late.instructions, 1000u);
  bench.write(TCSIM_REG_TIME_LIMIT_LOW, static_cast<std::uint32_t>(10 * cycles));
  write_matrices(bench, gemm, 2);
  EXPECT_EQ(bench.status_of(gemm), TCSIM_RESULT_DONE);
  EXPECT_EQ(wrong_elements(bench, gemm, 2), 0u);
}

/// A warp waits for others of its CTA that have exited without it: nothing ever happens.
TEST(device_failure, the_time_limit_ends_a_kernel_that_is_stuck) {
  expect_warnings();
  device_bench bench("bench", on("volta"));
  bench.start();
  bench.write(TCSIM_REG_TIME_LIMIT_LOW, 5000);
  const std::string text =
      "tcsim-trace 1\narch sm_70\nkernel k\ngrid 1 1 1\nblock 64 1 1\ncta 0 0 0\nwarp 0\n/*0000*/ BAR.SYNC 0x0\n/*0010*/ EXIT\nwarp 1\n"
      "/*0000*/ BAR.SYNC 0x1\n/*0010*/ EXIT\n";
  EXPECT_EQ(status_of_trace(bench, text), TCSIM_RESULT_TIMEOUT);
  EXPECT_GT(bench.read(TCSIM_REG_CYCLES_LOW), 5000u);
}

TEST(device_failure, a_kernel_that_the_program_gives_up_is_told_as_abandoned) {
  expect_warnings();
  device_bench bench("bench", on("volta"));
  bench.start();
  const tcsim_gemm gemm = descriptor_of(small_gemm(), 1);
  bench.queue(gemm);
  bench.ring_doorbell();
  while (!bench.status(TCSIM_STATUS_RUNNING)) sc_core::sc_start(100, sc_core::SC_NS);
  bench.device().gpu().abandon();
  bench.run();
  EXPECT_EQ(bench.record(1).status, TCSIM_RESULT_ABANDONED);
}

}  // namespace
}  // namespace tc::platform::test::device_failure_test
