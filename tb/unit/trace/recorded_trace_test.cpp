// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "recorded_traces.hpp"
#include "trace_text.hpp"

namespace tc::trace::test::recorded_trace_test {
namespace {

namespace fs = std::filesystem;

TEST(recorded_traces, all_open_and_play) {
  const std::vector<fs::path> paths = recorded_traces();
  ASSERT_FALSE(paths.empty());
  for (const fs::path& path : paths) {
    SCOPED_TRACE(path.string());
    try {
      const trace t = trace::open(path);
      const trace_summary numbers = t.summary();
      std::uint64_t steps = 0;
      for (std::size_t cta = 0; cta < t.ctas().size(); ++cta) {
        EXPECT_EQ(t.ctas()[cta].warp_count, t.header().warps_per_cta());
        for (std::uint32_t warp = 0; warp < t.ctas()[cta].warp_count; ++warp) {
          const std::vector<step> played = steps_of(t, cta, warp);
          ASSERT_FALSE(played.empty());
          EXPECT_EQ(played.back().code->op, isa::opcode::exit);
          steps += played.size();
        }
      }
      EXPECT_EQ(steps, numbers.instructions);
      EXPECT_LE(numbers.distinct_instructions, numbers.instructions);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

TEST(recorded_traces, micro_s8_has_its_known_content) {
  const trace t = trace::open(fs::path(TC_SOURCE_DIR) / "traces" / "sm_75.micro_s8_s32_m16n16k16" / "kernel.trace");
  EXPECT_EQ(t.header().arch, isa::architecture::sm_75);
  EXPECT_EQ(t.header().kernel, "micro_s8_s32_m16n16k16");
  ASSERT_EQ(t.header().memory.size(), 4U);
  EXPECT_EQ(t.header().memory[1].base, 0x20000U);
  EXPECT_EQ(t.header().memory[1].content.bytes(), 256U);
  EXPECT_EQ(t.header().expectations.at(0).content.bytes(), 1024U);
  EXPECT_EQ(t.header().registers, 255U);

  const trace_summary numbers = t.summary();
  EXPECT_EQ(numbers.warps, 1U);
  EXPECT_EQ(numbers.instructions, 35U);
  EXPECT_EQ(numbers.opcodes.at("IMMA.8816.S8.S8"), 4U);
  EXPECT_EQ(numbers.opcodes.at("LDG.E.SYS"), 4U);
  EXPECT_EQ(numbers.opcodes.at("EXIT"), 1U);

  const std::vector<step> steps = steps_of(t);
  ASSERT_EQ(steps.size(), 35U);
  EXPECT_EQ(steps[9].pc, 0x90U);
  EXPECT_EQ(steps[9].line, 25U);
  EXPECT_EQ(steps[9].code->op, isa::opcode::ldg);
  EXPECT_EQ(steps[9].addresses[31], 0x1007cU);
  EXPECT_EQ(steps[28].addresses[4], 0x30040U);
}

}  // namespace
}  // namespace tc::trace::test::recorded_trace_test
