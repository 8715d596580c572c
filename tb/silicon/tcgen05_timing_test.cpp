// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/isa/matrix_descriptor.hpp>
#include <tc/isa/tcgen05/instruction_descriptor.hpp>

#include "recorded_run.hpp"
#include "stream_recording.hpp"

// Cycles of tcgen05 instructions in traces, against what was published about a B200.

namespace tc::silicon::tcgen05_timing_test {
namespace {

/// An instruction, so many times in a row, with {} where a warp has columns of its own; and whether the second clock read waits for them.
struct batch {
  std::string instruction;
  unsigned length = 1;
  bool waits = true;
};

/// The first warp allocates all columns. Then all warps run the batches one after the other, each of which they begin together: a warp
/// reads the clock, issues the batch and a commit, waits for that at its mbarrier, and reads the clock again. A batch that warms the
/// machine up goes before. The second CTA of a pair only holds its columns.
std::string trace_text(std::vector<batch> batches, unsigned warps) {
  batches.insert(batches.begin(), batches.front());
  const unsigned ctas = batches.front().instruction.find("cta_group::2") == std::string::npos ? 1 : 2;
  const std::string allocate = fmt::format("tcgen05.alloc.cta_group::{}.sync.aligned.shared::cta.b32 [0x0], 512\n", ctas);
  const std::string deallocate = fmt::format("tcgen05.dealloc.cta_group::{}.sync.aligned.b32 0x0, 512\n", ctas);
  std::ostringstream text;
  text << fmt::format("tcsim-trace 1\narch sm_100\nkernel batches\ngrid {0} 1 1\ncluster {0} 1 1\nblock {1} 1 1\nshared 65536\ncta 0 0 0\n",
                      ctas, 32 * warps);
  for (unsigned warp = 0; warp < warps; ++warp) {
    const unsigned columns = 0x40 + 8 * warp;
    const std::string barrier = fmt::format("[{:#x}]", 0x10 + 8 * warp);
    text << "warp " << warp << "\nmbarrier.init.shared::cta.b64 " << barrier << ", 1 mask 00000001\n" << (warp == 0 ? allocate : "");
    for (std::size_t i = 0; i < batches.size(); ++i) {
      text << "/*0000*/ BAR.SYNC 0x0\n/*0010*/ CS2R R4, SR_CLOCKLO\n";
      for (unsigned n = 0; n < batches[i].length; ++n) text << fmt::format(fmt::runtime(batches[i].instruction), columns) << '\n';
      const char* const read_again = "/*0020*/ CS2R R6, SR_CLOCKLO\n";
      if (!batches[i].waits) text << read_again;
      text << fmt::format("tcgen05.commit.cta_group::{}.mbarrier::arrive::one.shared::cluster.b64 {} mask 00000001\n", ctas, barrier)
           << fmt::format("mbarrier.try_wait.parity.shared::cta.b64 {}, {}\n", barrier, i % 2);
      if (batches[i].waits) text << read_again;
    }
    text << "/*0030*/ BAR.SYNC 0x0\n" << (warp == 0 ? deallocate : "") << "/*f000*/ EXIT\n";
  }
  if (ctas == 2) text << "cta 1 0 0\nwarp 0\n" << allocate << deallocate << "/*f000*/ EXIT\n";
  return text.str();
}

/// Cycles of each batch between its clock reads, the most of all warps. Elaborates, so once in a test.
std::vector<long> cycles_of(const std::vector<batch>& batches, const std::vector<std::string>& assignments = {}, unsigned warps = 1) {
  std::istringstream stream(trace_text(batches, warps));
  const auto trace = trace::trace::read(stream, "batches");
  auto options = preset_options();
  options.data = false;
  const auto result = run(trace, machine_of("blackwell", assignments), options);
  if (result.status != accounting::run_status::finished) throw std::runtime_error("the batches do not finish");
  std::vector<long> cycles(batches.size());
  for (const std::vector<long>& clocks : clocks_of_warps(result, warps))
    for (std::size_t i = 0; i < cycles.size(); ++i) cycles[i] = std::max(cycles[i], clocks.at(2 * i + 3) - clocks.at(2 * i + 2));
  return cycles;
}

constexpr unsigned few = 8, many = 40;

/// Cycles from one instruction of a long row to the next, for each instruction: complete, or issued if nobody waits.
std::vector<double> intervals_of(const std::vector<std::string>& instructions, const std::vector<std::string>& assignments = {},
                                 unsigned warps = 1, bool waits = true) {
  std::vector<batch> batches;
  for (const std::string& instruction : instructions)
    for (const unsigned length : {few, many}) batches.push_back({instruction, length, waits});
  const std::vector<long> cycles = cycles_of(batches, assignments, warps);
  std::vector<double> intervals;
  for (std::size_t i = 0; i < cycles.size(); i += 2) intervals.push_back(static_cast<double>(cycles[i + 1] - cycles[i]) / (many - few));
  return intervals;
}

/// A matrix of dense core matrices of 8 rows of 16 bytes, `rows` of them side by side in K.
std::string matrix_at(unsigned address, unsigned rows) {
  isa::matrix_descriptor descriptor;
  descriptor.start = address;
  descriptor.leading_bytes = 16 * rows;
  descriptor.stride_bytes = 128;
  return fmt::format("{:#018x}", isa::encode(descriptor, isa::architecture::sm_100));
}

/// D in columns 0 to 255, A in shared memory or in columns 256 on, scales behind it.
struct multiplication {
  unsigned m = 128;
  bool a_in_tensor_memory = false;
  isa::mma_kind kind = isa::mma_kind::f16;
  isa::element_type input = isa::element_type::f16, result = isa::element_type::f32;
  bool stationary = false;
  isa::cta_group group = isa::cta_group::one;

  std::string with(unsigned n, const std::string& collector = "") const {
    isa::mma_form form;
    form.kind = kind;
    form.group = group;
    form.weight_stationary = stationary;
    form.scales = isa::default_scale_vector(kind).value_or(isa::scale_vector::none);
    const bool scaled = isa::is_block_scaled(kind);
    isa::instruction_descriptor descriptor;
    descriptor.a = descriptor.b = input;
    descriptor.d = result;
    descriptor.m = m;
    descriptor.n = n;
    if (scaled) descriptor.scale_type = isa::element_type::ue8m0;
    const std::string a = a_in_tensor_memory ? "[0x100]" : matrix_at(0x1000, m / ctas(group));
    return fmt::format("tcgen05.mma{}.cta_group::{}.kind::{}{}{} [0x0], {}, {}, {:#010x}, {}1 mask 00000001", stationary ? ".ws" : "",
                       ctas(group), isa::name(kind), scaled ? ".block_scale" : "", collector, a, matrix_at(0x4000, n / ctas(group)),
                       isa::encode(descriptor, form), scaled ? "[0x180], [0x190], " : "");
  }
};

/// Of the intervals and latencies of one kind of instruction (SemiAnalysis, microbench-blackwell: bf16, a K-step of 32 bytes).
struct published {
  const char* name;
  multiplication multiply;
  std::vector<double> intervals;  ///< for each of interval_columns
  std::vector<long> latencies;    ///< for each of latency_columns
  bool exact;                     ///< otherwise to a cycle or 3 %
};

std::ostream& operator<<(std::ostream& out, const published& row) { return out << row.name; }

const std::vector<unsigned> interval_columns{64, 80, 96, 112, 128, 256}, latency_columns{64, 128, 256};

// The latency 232 was fitted (tensor_engine.start_cycles), and the rates of N = 256 are the widths of the data path and of shared memory.
// All else is predicted.
const std::vector<published> one_cta{
    {"m128_a_in_tensor_memory", {128, true}, {32, 40, 48, 56, 64, 128}, {136, 168, 232}, true},
    {"m64_a_in_tensor_memory", {64, true}, {32, 40, 48, 56, 64, 128}, {136, 168, 232}, true},
    {"m128_a_in_shared_memory", {128, false}, {48, 52, 56, 60, 64, 128}, {168, 200, 264}, true},
    {"m64_a_in_shared_memory", {64, false}, {32, 40, 48, 56, 64, 128}, {152, 184, 248}, false},
};

multiplication of_pair(unsigned m, bool a_in_tensor_memory) {
  multiplication multiply{m, a_in_tensor_memory};
  multiply.group = isa::cta_group::two;
  return multiply;
}

// The parameters of tensor_engine.pair and interval_cycles were fitted to rows of N = 64; all else is predicted.
const std::vector<published> pairs{
    {"m256_a_in_tensor_memory", of_pair(256, true), {32, 40, 48, 56, 64, 128}, {170, 202, 266}, false},
    {"m128_a_in_tensor_memory", of_pair(128, true), {18, 20, 24, 28, 32, 64}, {162, 178, 210}, false},
    {"m256_a_in_shared_memory", of_pair(256, false), {43.0, 45.3, 49.4, 56, 64, 128}, {202, 234, 298}, false},
    {"m128_a_in_shared_memory", of_pair(128, false), {25, 27, 29, 30, 32, 64}, {173, 197, 229}, false},
};

double tolerance(const published& row, double value) { return row.exact ? 0.01 : std::max(1.0, 0.03 * value); }

class tcgen05_mma : public testing::TestWithParam<published> {};

INSTANTIATE_TEST_SUITE_P(of_one_cta, tcgen05_mma, testing::ValuesIn(one_cta), [](const auto& row) { return row.param.name; });
INSTANTIATE_TEST_SUITE_P(of_a_pair, tcgen05_mma, testing::ValuesIn(pairs), [](const auto& row) { return row.param.name; });

TEST_P(tcgen05_mma, follows_another_after_the_published_interval) {
  std::vector<std::string> instructions;
  for (const unsigned n : interval_columns) instructions.push_back(GetParam().multiply.with(n));
  const std::vector<double> intervals = intervals_of(instructions);
  ASSERT_EQ(intervals.size(), GetParam().intervals.size());
  for (std::size_t i = 0; i < intervals.size(); ++i)
    EXPECT_NEAR(intervals[i], GetParam().intervals[i], tolerance(GetParam(), GetParam().intervals[i])) << "N = " << interval_columns[i];
}

TEST_P(tcgen05_mma, takes_the_published_latency) {
  std::vector<batch> batches;
  for (const unsigned n : latency_columns) batches.push_back({GetParam().multiply.with(n)});
  const std::vector<long> latencies = cycles_of(batches);
  ASSERT_EQ(latencies.size(), GetParam().latencies.size());
  for (std::size_t i = 0; i < latencies.size(); ++i) {
    const auto expected = static_cast<double>(GetParam().latencies[i]);
    EXPECT_NEAR(static_cast<double>(latencies[i]), expected, tolerance(GetParam(), expected)) << "N = " << latency_columns[i];
  }
}

// Seven intervals, a latency and 12 cycles, to which tensor_engine.restart_cycles was fitted.
TEST(tcgen05_batch, of_eight_takes_the_published_cycles) {
  EXPECT_EQ(cycles_of({{multiplication{}.with(256), 8}}), std::vector<long>{7 * 128 + 264 + 12});
}

// A collector buffer with A leaves B alone to be read: 128 bytes a cycle, 16 cycles for N = 64, so that products take longest. Compute time
// is the same (public SASS documentation project).
TEST(tcgen05_collector, leaves_shared_memory_to_b) {
  const multiplication multiply;
  const std::vector<double> intervals =
      intervals_of({multiply.with(64, ".collector::a::fill"), multiply.with(64, ".collector::a::use"), multiply.with(64)});
  EXPECT_EQ(intervals, (std::vector<double>{48, 32, 48}));
}

// Inferred: A and B of M = N = 64 take 16 cycles each, and instructions follow each other after 18, at least.
TEST(tcgen05_collector, leaves_shared_memory_to_a_if_weights_are_stationary) {
  multiplication multiply{64};
  multiply.stationary = true;
  const std::vector<double> intervals =
      intervals_of({multiply.with(64, ".collector::b1::fill"), multiply.with(64, ".collector::b1::use"), multiply.with(64)});
  EXPECT_EQ(intervals, (std::vector<double>{32, 18, 32}));
}

/// Multiply-accumulates of the SM in a cycle, in a long row with M = 128 and N = 256.
struct peak {
  multiplication multiply;
  double rate;
};

TEST(tcgen05_mma, reaches_the_rates_of_its_kinds) {
  using isa::element_type;
  using isa::mma_kind;
  // f16 and 8 bits: published (SemiAnalysis); tf32 and mxf4: inferred from the rates that NVIDIA rates the GPU at.
  const std::vector<peak> peaks{{{128, false, mma_kind::f16, element_type::f16, element_type::f32}, 4096},
                                {{128, false, mma_kind::f8f6f4, element_type::e4m3, element_type::f32}, 8192},
                                {{128, false, mma_kind::i8, element_type::s8, element_type::s32}, 8192},
                                {{128, false, mma_kind::tf32, element_type::tf32, element_type::f32}, 2048},
                                {{128, false, mma_kind::mxf4, element_type::e2m1, element_type::f32}, 16384}};
  std::vector<std::string> instructions;
  for (const peak& each : peaks) instructions.push_back(each.multiply.with(256));
  const std::vector<double> intervals = intervals_of(instructions);
  ASSERT_EQ(intervals.size(), peaks.size());
  for (std::size_t i = 0; i < peaks.size(); ++i) {
    const double products = 128.0 * 256 * isa::mma_k(peaks[i].multiply.kind, false);
    EXPECT_NEAR(products / intervals[i], peaks[i].rate, 0.02 * peaks[i].rate) << isa::name(peaks[i].multiply.kind);
  }
}

/// No key names an instruction's latency or interval: they follow from widths, which this shows.
struct narrowing {
  const char* name;
  std::vector<std::string> assignments;
  double interval;  ///< with N = 128 and A in tensor memory
};

std::ostream& operator<<(std::ostream& out, const narrowing& row) { return out << row.name; }

class tcgen05_width : public testing::TestWithParam<narrowing> {};

INSTANTIATE_TEST_SUITE_P(of, tcgen05_width,
                         testing::Values(narrowing{"outputs", {"sm.tensor_engine.outputs_per_cycle=128"}, 128},
                                         narrowing{"accumulators", {"sm.tensor_memory.engine_bytes_per_cycle=128"}, 128},
                                         narrowing{"both_wider",
                                                   {"sm.tensor_engine.outputs_per_cycle=512", "sm.tensor_memory.engine_bytes_per_cycle=512",
                                                    "sm.tensor_memory.banks=banks_8x64"},
                                                   32}),
                         [](const auto& row) { return row.param.name; });

TEST_P(tcgen05_width, decides_the_interval) {
  EXPECT_DOUBLE_EQ(intervals_of({multiplication{128, true}.with(128)}, GetParam().assignments).at(0), GetParam().interval);
}

// Products do not run ahead of the path to D: warps wait for the queue that the pipe does not empty.
TEST_P(tcgen05_width, decides_how_fast_instructions_are_taken) {
  EXPECT_NEAR(intervals_of({multiplication{128, true}.with(128)}, GetParam().assignments, 1, false).at(0), GetParam().interval,
              0.1 * GetParam().interval);
}

constexpr const char* shift = "tcgen05.shift.cta_group::1.down [0x40] mask 00000001";

// 119 + 12 n cycles (public SASS documentation project), to which both parameters of the shift were fitted.
TEST(tcgen05_shift, takes_the_measured_cycles) {
  EXPECT_EQ(cycles_of({{shift, 1}, {shift, 8}, {shift, 32}}), (std::vector<long>{119 + 12, 119 + 12 * 8, 119 + 12 * 32}));
}

struct organisation {
  const char* banks;
  double cycles;
};

class tcgen05_shift_banks : public testing::TestWithParam<organisation> {};

// P. Luo's notes on the Blackwell tensor core: 1 cycle with 8 banks of a column, 2 with 4. The queue's 6 places do not keep that up.
INSTANTIATE_TEST_SUITE_P(of, tcgen05_shift_banks,
                         testing::Values(organisation{"banks_8x64", 1}, organisation{"banks_4x128", 2}, organisation{"sectors_of_2", 4}),
                         [](const auto& row) { return row.param.banks; });

TEST_P(tcgen05_shift_banks, decide_without_an_interval) {
  const std::vector<std::string> assignments{"sm.tensor_engine.queue_entries=16", "sm.tensor_memory.shift.interval_cycles=0",
                                             fmt::format("sm.tensor_memory.banks={}", GetParam().banks)};
  EXPECT_DOUBLE_EQ(intervals_of({shift}, assignments).at(0), GetParam().cycles);
}

/// 4 KiB.
std::string copy() { return "tcgen05.cp.cta_group::1.128x256b [{:#x}], " + matrix_at(0x1000, 128) + " mask 00000001"; }

// 168 cycles for the first (third-party notes), to which copy.start_cycles was fitted; 32 bytes a cycle of a warp (public SASS
// documentation project).
TEST(tcgen05_cp, takes_the_measured_cycles) {
  EXPECT_EQ(cycles_of({{copy(), 1}, {copy(), 2}, {copy(), 8}}), (std::vector<long>{168, 168 + 128, 168 + 7 * 128}));
}

/// Warps that copy at the same time, each to columns of its own.
class tcgen05_cp_warps : public testing::TestWithParam<std::pair<unsigned, double>> {};

// 64 bytes a cycle of two and of four warps (public SASS documentation project).
INSTANTIATE_TEST_SUITE_P(of, tcgen05_cp_warps, testing::Values(std::pair{1U, 128.0}, std::pair{2U, 128.0}, std::pair{4U, 256.0}));

TEST_P(tcgen05_cp_warps, share_the_path_from_shared_memory) {
  const auto [warps, interval] = GetParam();
  EXPECT_NEAR(intervals_of({copy()}, {}, warps).at(0), interval, 0.02 * interval);
}

}  // namespace
}  // namespace tc::silicon::tcgen05_timing_test
