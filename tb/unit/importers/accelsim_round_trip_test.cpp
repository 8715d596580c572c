// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <sstream>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <tc/importers/accelsim_importer.hpp>
#include <tc/trace/trace.hpp>

#include "accelsim_text.hpp"

// Kernels of our own, recorded as the tracer of Accel-Sim would have, and imported.

namespace tc::importers::accelsim_round_trip_test {
namespace {

namespace fs = std::filesystem;

using spans = std::vector<std::pair<unsigned, unsigned>>;

/// The vector registers that an instruction names, with how many of each: first register, count.
spans vector_registers(const isa::register_use_list& uses) {
  spans found;
  for (const isa::register_use& use : uses)
    if (use.file == isa::register_file::vector) found.emplace_back(use.index, use.count);
  std::sort(found.begin(), found.end());
  return found;
}

void expect_equal(const trace::step& imported, const trace::step& original) {
  const auto opcode = [](const trace::step& step) { return step.code->text.substr(0, step.code->text.find(' ')); };
  EXPECT_EQ(opcode(imported), opcode(original));
  EXPECT_EQ(imported.pc, original.pc);
  EXPECT_EQ(imported.mask, original.mask);
  EXPECT_EQ(vector_registers(imported.code->reads), vector_registers(original.code->reads));
  EXPECT_EQ(vector_registers(imported.code->writes), vector_registers(original.code->writes));
  ASSERT_EQ(imported.addresses.lanes(), original.addresses.lanes());
  trace::for_each_lane(original.addresses.lanes(), [&](unsigned lane) { EXPECT_EQ(imported.addresses[lane], original.addresses[lane]); });
}

class accelsim_round_trip : public testing::TestWithParam<const char*> {};

TEST_P(accelsim_round_trip, keeps_instructions_registers_and_addresses) {
  const auto original = trace::trace::open(fs::path(TC_SOURCE_DIR) / "traces" / GetParam());
  for (const unsigned version : {3U, 5U}) {
    std::istringstream recording(test::accelsim_recording(original, version));
    trace::line_reader lines(recording, "recording");
    std::stringstream text;
    const import_report report = import_accelsim(lines, text);
    for (const import_gap& gap : report.gaps()) ADD_FAILURE() << gap.what << " at " << gap.example;
    const auto imported = trace::trace::read(text, "imported");
    ASSERT_EQ(imported.summary().instructions, original.summary().instructions);
    for (std::size_t cta = 0; cta < original.ctas().size(); ++cta)
      for (std::uint32_t warp = 0; warp < original.ctas()[cta].warp_count; ++warp) {
        auto left = imported.play(imported.ctas()[cta], warp), right = original.play(original.ctas()[cta], warp);
        trace::step found, wanted;
        while (right.next(wanted)) {
          ASSERT_TRUE(left.next(found));
          // The version tells nothing about immediates: what is left of IMAD.WIDE may be its second factor or its addend.
          SCOPED_TRACE(wanted.code->text + " became " + found.code->text);
          expect_equal(found, wanted);
        }
      }
  }
}

INSTANTIATE_TEST_SUITE_P(kernels, accelsim_round_trip,
                         testing::Values("sm_70.wmma_f16_f32_m16n16k16/kernel.trace", "sm_75.tiled_f16_f32/kernel.trace",
                                         "sm_80.gemm_f16_f32_m16n16k16/kernel.trace", "sm_90.gemm_f16_f32_m16n16k16.rough/kernel.trace"));

}  // namespace
}  // namespace tc::importers::accelsim_round_trip_test
