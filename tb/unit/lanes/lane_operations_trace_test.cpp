// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/lanes/lane_interpreter.hpp>
#include <tc/trace/memory_access.hpp>
#include <tc/trace/trace.hpp>

#include "shared_recordings.hpp"

namespace tc::lanes::lane_operations_trace_test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> traces_below(const fs::path& folder) {
  std::vector<fs::path> found;
  if (!fs::is_directory(folder)) return found;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().filename().string().find(".trace") != std::string::npos) found.push_back(entry.path());
  return found;
}

/// What the recorded traces confirmed.
struct confirmations {
  std::uint64_t traces = 0, instructions = 0, addresses = 0, guards = 0, not_computed = 0;
};

warp::constant_memory constants_of(const trace::kernel_header& header) {
  warp::constant_memory constants;
  for (const trace::constant_image& image : header.constants) {
    std::vector<std::uint8_t> bytes(image.content.bytes());
    image.content.copy(0, bytes.data(), bytes.size());
    constants.set(image.bank, static_cast<std::uint32_t>(image.offset), bytes);
  }
  return constants;
}

std::uint64_t address_mask(const isa::instruction& code) {
  const isa::memory_space space = trace::access_of(code).space;
  return space == isa::memory_space::shared ? 0xffffffffU : ~std::uint64_t{0};
}

/// The address registers, computed by the instructions before it, must give the addresses that were recorded for an instruction.
void check_addresses(const lane_interpreter& warp, const trace::step& step, confirmations& seen) {
  const std::uint32_t lanes = step.addresses.lanes() & trace::access_of(*step.code).used;
  for (unsigned s = 0; s < step.code->source_count; ++s) {
    if (step.code->sources[s].what != isa::operand::kind::memory) continue;
    const auto computed = warp.addresses(step.code->sources[s].memory);
    ASSERT_EQ(lanes & ~computed.known, 0U) << "an address register is unknown";
    for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
      if ((lanes >> lane & 1U) == 0) continue;
      ASSERT_EQ(computed.value[lane] & address_mask(*step.code), step.addresses[lane]) << "lane " << lane;
      ++seen.addresses;
    }
    return;
  }
}

/// An active lane's guard holds; a guarded instruction without active lanes was switched off in all lanes.
void check_guard(const lane_interpreter& warp, const trace::step& step, confirmations& seen) {
  const isa::guard_predicate& guard = step.code->guard;
  if (guard.index == isa::true_predicate) return;
  const auto predicate = warp.predicate(guard.file, guard.index, guard.inverted);
  if (predicate.known != 0xffffffffU) return;
  if (step.mask != 0) {
    ASSERT_EQ(step.mask & ~predicate.value, 0U) << "the guard does not hold in an active lane";
  } else {
    ASSERT_EQ(predicate.value, 0U) << "the guard holds, but the instruction was not executed";
  }
  ++seen.guards;
}

void check_warp(const trace::trace& t, const trace::cta_entry& cta, std::uint32_t index, const warp::constant_memory& constants,
                bool has_true_masks, confirmations& seen) {
  trace::warp_player player = t.play(cta, index);
  warp::warp_context context;
  context.warp_in_cta = player.warp();
  context.cta_id = {cta.x, cta.y, cta.z};
  context.grid = {t.header().grid.x, t.header().grid.y, t.header().grid.z};
  context.block = {t.header().block.x, t.header().block.y, t.header().block.z};
  context.constants = &constants;
  lane_interpreter warp(context);
  trace::step step;
  while (player.next(step)) {
    SCOPED_TRACE("line " + std::to_string(step.line) + ": " + step.code->text);
    if (has_true_masks) check_guard(warp, step, seen);
    if (!step.addresses.empty()) check_addresses(warp, step, seen);
    if (testing::Test::HasFatalFailure()) return;
    warp.execute(*step.code, step.mask);
  }
  seen.instructions += warp.computed();
  seen.not_computed += warp.not_computed();
}

/// The recordings of timed streams, which expect nothing, list one-lane stores as whole-warp ones: their masks tell nothing. Traces without
/// constant memory, where compiled kernels have their parameters, were written by hand and have addresses that nothing computes.
void check_traces(const std::vector<fs::path>& paths, confirmations& seen) {
  for (const fs::path& path : paths) {
    SCOPED_TRACE(path.string());
    const trace::trace t = trace::trace::open(path);
    if (t.header().constants.empty()) continue;
    ++seen.traces;
    const warp::constant_memory constants = constants_of(t.header());
    const bool has_true_masks = !t.header().expectations.empty();
    for (const trace::cta_entry& cta : t.ctas()) {
      for (std::uint32_t w = 0; w < cta.warp_count; ++w) {
        check_warp(t, cta, w, constants, has_true_masks, seen);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

void report(const char* what, const confirmations& seen) {
  std::cout << seen.traces << " traces (" << what << "): " << seen.instructions << " instructions computed, " << seen.not_computed
            << " not computed, " << seen.addresses << " addresses and " << seen.guards << " guards confirmed\n";
}

/// Compiled kernels compute every address from thread numbers, parameters and loop counters: all integer instructions on the way must be
/// right for the addresses of the recording to come out.
TEST(lane_operations_on_traces, compute_the_recorded_addresses_of_compiled_kernels) {
  const bool has_shared = fs::is_directory(tc::test::shared_recordings() / "traces");
  const auto paths = traces_below(has_shared ? tc::test::shared_recordings() / "traces" : fs::path(TC_SOURCE_DIR) / "traces");
  ASSERT_FALSE(paths.empty());
  confirmations seen;
  check_traces(paths, seen);
  report(has_shared ? "shared recordings" : "the project's own", seen);
  EXPECT_GT(seen.addresses, 0U);
}

TEST(lane_operations_on_traces, compute_the_recorded_addresses_of_timed_streams) {
  const auto paths = traces_below(tc::test::shared_recordings() / "timing");
  if (paths.empty()) GTEST_SKIP() << "no shared recordings";
  confirmations seen;
  check_traces(paths, seen);
  report("timed streams", seen);
  EXPECT_GT(seen.addresses, 0U);
}

}  // namespace
}  // namespace tc::lanes::lane_operations_trace_test
