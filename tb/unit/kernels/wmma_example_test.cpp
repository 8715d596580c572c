// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include <tc/config/machine.hpp>
#include <tc/config/machine_loader.hpp>
#include <tc/device/gpu.hpp>
#include <tc/isa/register_mma.hpp>
#include <tc/kernels/wmma_expander.hpp>
#include <tc/numerics/number_format.hpp>
#include <tc/packed/trace_packer.hpp>

namespace tc::kernels::test::wmma_example_test {
namespace {

trace::trace example(const std::string& name) {
  return open_trace(std::filesystem::path(TC_SOURCE_DIR) / "examples" / "wmma" / (name + ".trace"));
}

accounting::run_result run_on_turing(const trace::trace& t) {
  const auto file = std::filesystem::path(TC_SOURCE_DIR) / "configs" / "turing.json";
  device::gpu gpu("gpu", config::load_machine(file), {{"example", &t}}, {});
  return gpu.run();
}

/// What the lanes store is what `tcsim layout` says that they hold.
TEST(wmma_example, of_who_holds_what_equals_the_layout) {
  const trace::trace t = example("holders");
  const isa::fragment_layout layout = isa::parse_register_mma("wmma.m16n16k16.f16.f32", isa::architecture::sm_75).layout(isa::fragment::a);
  const trace::memory_content& expected = t.header().expectations.at(0).content;
  std::vector<std::uint32_t> words(expected.bytes() / 4);
  ASSERT_EQ(words.size(), layout.registers() * trace::warp_lanes);
  expected.copy(0, reinterpret_cast<std::uint8_t*>(words.data()), expected.bytes());
  for (unsigned reg = 0; reg < layout.registers(); ++reg) {
    for (unsigned lane = 0; lane < trace::warp_lanes; ++lane) {
      for (unsigned element = 0; element < 2; ++element) {
        const isa::matrix_position at = layout.position(lane, reg, element);
        const auto bits = numerics::packed_element(&words[32 * reg + lane], element, numerics::f16);
        EXPECT_EQ(numerics::value_of(bits, numerics::f16), 16 * at.row + at.column) << "lane " << lane << " register " << reg;
      }
    }
  }
  EXPECT_EQ(run_on_turing(t).mismatches(), 0U);
}

std::string all_of(std::istream& in) { return {std::istreambuf_iterator<char>(in), {}}; }

/// A packed trace holds the machine's instructions, so that nobody needs to translate them again, and the text as it was.
TEST(wmma_example, is_the_same_when_it_is_packed) {
  const auto folder = std::filesystem::path(TC_SOURCE_DIR) / "examples" / "wmma";
  std::stringstream packed, text;
  pack_trace(folder / "holders.trace", {}, packed);
  const auto file = std::filesystem::path(testing::TempDir()) / ("holders." + std::to_string(::getpid()) + ".tct");
  std::ofstream(file, std::ios::binary) << packed.str();
  packed::unpack_trace(file, {}, text);
  std::filesystem::remove(file);
  std::ifstream original(folder / "holders.trace");
  EXPECT_EQ(text.str(), all_of(original));
  const trace::trace t = trace::trace::read(packed, "holders.tct");
  EXPECT_EQ(t.header().registers, example("holders").header().registers);
  EXPECT_EQ(t.summary().opcodes, example("holders").summary().opcodes);
  EXPECT_EQ(run_on_turing(t).mismatches(), 0U);
}

/// The machine starts a set every 8 cycles and takes 14 for the last, and the clock read comes one cycle after.
TEST(wmma_example, of_clocks_after_each_set_shows_the_sets) {
  const trace::trace t = example("set_clocks");
  const accounting::run_result result = run_on_turing(t);
  std::vector<std::uint64_t> cycles(4), first(4);
  for (const accounting::clock_read& read : result.clock_reads) {
    cycles.at(read.cta) = read.cycle - first.at(read.cta);
    first.at(read.cta) = read.cycle;
  }
  EXPECT_EQ(cycles, (std::vector<std::uint64_t>{15, 23, 31, 39}));
}

}  // namespace
}  // namespace tc::kernels::test::wmma_example_test
