// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/config/machine.hpp>
#include <tc/config/machine_loader.hpp>
#include <tc/device/gpu.hpp>
#include <tc/isa/ptx_shapes.hpp>
#include <tc/kernels/wmma_expander.hpp>

#include "wmma_problem.hpp"

namespace tc::kernels::test::wmma_run_test {
namespace {

using isa::architecture;
using isa::element_type;

std::string preset_name(architecture arch) {
  switch (arch) {
    case architecture::sm_70:
      return "volta";
    case architecture::sm_75:
      return "turing";
    case architecture::sm_80:
      return "ampere";
    case architecture::sm_89:
      return "ada";
    default:
      return "hopper";
  }
}

/// An architecture, and the type of A.
using machine_and_type = std::pair<architecture, element_type>;

std::vector<machine_and_type> all_machines_and_types() {
  std::vector<machine_and_type> all;
  for (const architecture arch :
       {architecture::sm_70, architecture::sm_75, architecture::sm_80, architecture::sm_89, architecture::sm_90}) {
    for (const element_type type : {element_type::f16, element_type::bf16, element_type::tf32, element_type::s8, element_type::u8,
                                    element_type::s4, element_type::u4, element_type::b1, element_type::f64}) {
      if (type == element_type::f64 && arch == architecture::sm_89) continue;  // its preset has no units for it
      bool exists = false;
      for (const isa::ptx_shape& shape : isa::ptx_shapes())
        exists = exists || (shape.instruction == isa::ptx_instruction::wmma && shape.takes(type) && shape.architectures.contains(arch));
      if (exists) all.emplace_back(arch, type);
    }
  }
  return all;
}

class wmma_on : public testing::TestWithParam<machine_and_type> {};

/// Loads, products and stores of every shape, in every order of the matrices in memory, with the scoreboard as preset.
TEST_P(wmma_on, stores_the_product_of_the_matrices) {
  const auto [arch, type] = GetParam();
  const auto file = std::filesystem::path(TC_SOURCE_DIR) / "configs" / (preset_name(arch) + ".json");
  const auto machine = config::load_machine(file, {"sm.sub_core.issue.hazards=\"silicon\""});
  std::istringstream text(trace_of_all_shapes(arch, type));
  const trace::trace t = read_trace(text, "wmma");
  device::gpu gpu("gpu", machine, {{"wmma", &t}}, {});
  const accounting::run_result result = gpu.run();
  ASSERT_EQ(result.status, accounting::run_status::finished);
  EXPECT_FALSE(result.kernels[0].expectations.empty());
  EXPECT_EQ(result.mismatches(), 0U);
  EXPECT_TRUE(result.warnings().empty());
}

/// A store with a control code, which the scoreboard does not hold back, finds what a load with a control code has loaded.
TEST(wmma_with_control_codes, ends_when_its_results_are_there) {
  const auto file = std::filesystem::path(TC_SOURCE_DIR) / "configs" / "turing.json";
  const auto machine = config::load_machine(file, {"sm.sub_core.issue.hazards=\"silicon\""});
  std::istringstream text(
      "tcsim-trace 1\narch sm_75\nkernel control\ngrid 1 1 1\nblock 32 1 1\nmemory 0x10000 128 fill 0x5a\nmemory 0x20000 128 zero\n"
      "expect 0x20000 128 fill 0x5a\ncta 0 0 0\nwarp 0\n"
      "/*0000*/ [B------:R-:W2:-:S02] wmma.load.a.sync.aligned.row.m8n8k32.global.s4 {R0}, [0x10000]\n"
      "/*0100*/ [B--2---:R-:W-:-:S01] STG.E.SYS [RZ], R0 @ 0x20000+4\n"
      "/*0110*/ [B------:R-:W-:-:S01] @P0 wmma.load.a.sync.aligned.row.m8n8k32.global.s4 {R0}, [0x10000] mask 00000000\n"
      "/*0200*/ [B------:R-:W-:-:S01] EXIT\n");
  const trace::trace t = read_trace(text, "control");
  device::gpu gpu("gpu", machine, {{"control", &t}}, {});
  const accounting::run_result result = gpu.run();
  EXPECT_EQ(result.mismatches(), 0U);
  EXPECT_TRUE(result.warnings().empty());
}

/// A row of eight sums, 32 bits each, low byte first.
std::string row_of(std::uint32_t sum) {
  std::string row;
  for (unsigned i = 0; i < 8; ++i)
    for (unsigned byte = 0; byte < 4; ++byte) row += fmt::format("{:02x}", sum >> (8 * byte) & 0xffu);
  return row;
}

/// 4-bit integers are multiplied as bytes on Hopper, yet the whole sum is clamped, once: rows of A are 1, -1, 1, -1 and so on times 32
/// ones.
TEST(wmma_satfinite, clamps_sums_of_4_bit_integers_on_hopper) {
  const auto file = std::filesystem::path(TC_SOURCE_DIR) / "configs" / "hopper.json";
  const auto machine = config::load_machine(file);
  constexpr std::array<std::uint32_t, 8> c{0x7ffffff0, 0x80000010, 0x7fffffdf, 0x80000020, 0x7fffffe0, 0x8000001f, 0xffffffff, 0},
      d{0x7fffffff, 0x80000000, 0x7fffffff, 0x80000000, 0x7fffffff, 0x80000000, 31, 0xffffffe0};
  std::string rows, sums, expected;
  for (unsigned row = 0; row < 8; ++row) {
    rows += std::string(32, row % 2 == 0 ? '1' : 'f');
    sums += row_of(c[row]);
    expected += row_of(d[row]);
  }
  std::istringstream text(fmt::format(
      "tcsim-trace 1\narch sm_90\nkernel limits\ngrid 1 1 1\nblock 32 1 1\nmemory 0x10000 128 hex {}\nmemory 0x10100 128 fill 0x11\n"
      "memory 0x10200 256 hex {}\nmemory 0x10300 256 zero\nexpect 0x10300 256 hex {}\ncta 0 0 0\nwarp 0\n"
      "wmma.load.a.sync.aligned.row.m8n8k32.global.s4 {{R0}}, [0x10000], 32\n"
      "wmma.load.b.sync.aligned.col.m8n8k32.global.s4 {{R1}}, [0x10100], 32\n"
      "wmma.load.c.sync.aligned.row.m8n8k32.global.s32 {{R2, R3}}, [0x10200], 8\n"
      "wmma.mma.sync.aligned.row.col.satfinite.m8n8k32.s32.s4.s4.s32 {{R4, R5}}, {{R0}}, {{R1}}, {{R2, R3}}\n"
      "wmma.store.d.sync.aligned.row.m8n8k32.global.s32 [0x10300], {{R4, R5}}, 8\n/*0100*/ EXIT\n",
      rows, sums, expected));
  const trace::trace t = read_trace(text, "limits");
  device::gpu gpu("gpu", machine, {{"limits", &t}}, {});
  EXPECT_EQ(gpu.run().mismatches(), 0U);
}

INSTANTIATE_TEST_SUITE_P(all, wmma_on, testing::ValuesIn(all_machines_and_types()), [](const auto& tested) {
  return std::string(isa::name(tested.param.first)) + "_" + std::string(isa::name(tested.param.second));
});

}  // namespace
}  // namespace tc::kernels::test::wmma_run_test
