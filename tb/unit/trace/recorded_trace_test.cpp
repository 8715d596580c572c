#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "trace_text.hpp"

namespace tc::trace::test {
namespace {

namespace fs = std::filesystem;

fs::path shared_folder() {
  const char* folder = std::getenv("TCSIM_SHARED");
  return folder != nullptr ? fs::path(folder) : fs::path(TC_SOURCE_DIR) / ".." / "shared";
}

void add_traces(const fs::path& folder, std::vector<fs::path>& found) {
  if (!fs::is_directory(folder)) return;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_regular_file() && (entry.path().extension() == ".trace" || name.find(".trace.xz") != std::string::npos))
      found.push_back(entry.path());
  }
}

TEST(recorded_traces, all_open_and_play) {
  std::vector<fs::path> paths;
  add_traces(fs::path(TC_SOURCE_DIR) / "traces", paths);
  ASSERT_FALSE(paths.empty());
  add_traces(shared_folder() / "traces", paths);
  add_traces(shared_folder() / "timing", paths);
  std::cout << paths.size() << " traces, "
            << (fs::is_directory(shared_folder()) ? "the shared recordings among them" : "those of the project only") << '\n';
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
}  // namespace tc::trace::test
