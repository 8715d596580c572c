// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <fstream>
#include <sstream>

#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "command_process.hpp"

namespace small_kernels_test {

// Kernels of a few instructions, written out here, for what the recorded ones do not contain.

using namespace tcsim::test;

namespace {

using lanes = std::array<std::uint32_t, 32>;

/// 32-bit words as the hex digits of their bytes in memory.
std::string hex(const lanes& words) {
  std::string digits;
  for (const std::uint32_t word : words)
    for (unsigned byte = 0; byte < 4; ++byte) digits += fmt::format("{:02x}", word >> 8 * byte & 0xff);
  return digits;
}

/// A register preset with a value for each lane.
std::string preset(unsigned reg, const lanes& values) {
  std::string text;
  for (const std::uint32_t value : values) text += fmt::format("{}{:#x}", text.empty() ? "" : ", ", value);
  return fmt::format("reg R{} {{{}}}\n", reg, text);
}

/// Lane l holds f(l).
template <class F>
lanes each_lane(F&& f) {
  lanes values{};
  for (unsigned lane = 0; lane < 32; ++lane) values[lane] = f(lane);
  return values;
}

/// Element (row, column) of an 8 x 8 matrix of 16-bit elements that are all different.
constexpr std::uint32_t element(unsigned row, unsigned column) { return 0x1000u + row * 16 + column; }

/// The fragment of that matrix that a lane holds: two neighbours of a row.
std::uint32_t fragment(unsigned lane) { return element(lane / 4, 2 * (lane % 4)) | element(lane / 4, 2 * (lane % 4) + 1) << 16; }
/// The same of the transposed matrix.
std::uint32_t transposed_fragment(unsigned lane) { return element(2 * (lane % 4), lane / 4) | element(2 * (lane % 4) + 1, lane / 4) << 16; }

/// An output of one word for each lane, at 0x1000, that must hold `words`.
std::string output(const lanes& words) { return "memory 0x1000 128 fill 0xee\nexpect 0x1000 128 hex " + hex(words) + "\n"; }

/// Its address in each lane.
const std::string output_address = preset(2, each_lane([](unsigned lane) { return 0x1000 + 4 * lane; })) + "reg R3 0x0\n";
const std::string store = "/*0f00*/ STG.E.SYS [R2], R8 @ 0x1000+4\n";

}  // namespace

class small_kernel : public command_test {
 protected:
  /// Runs a trace for sm_75; its expectations must hold, without a warning.
  void expect_exact(const std::string& trace, const std::string& configuration = "turing") const {
    const auto result = tcsim({"run", file("kernel.trace", trace), "--config", configuration, "--strict"});
    EXPECT_EQ(result.status, 0) << result.out << result.err;
    EXPECT_NE(result.out.find("exact: "), std::string::npos) << result.out;
    EXPECT_EQ(result.err, "");
  }
};

TEST_F(small_kernel, stores_presets) {
  const auto values = each_lane([](unsigned lane) { return 0xabc00000u + lane; });
  expect_exact(one_warp("sm_75", output(values), output_address + preset(8, values) + store));
}

TEST_F(small_kernel, has_comments_and_blank_lines) {
  const auto values = each_lane([](unsigned) { return 7u; });
  expect_exact(
      one_warp("sm_75", "# before\n\n" + output(values), output_address + "\n# for all lanes\nreg R8 0x7\n" + store + "# after\n"));
}

TEST_F(small_kernel, is_read_compressed) {
  const auto values = each_lane([](unsigned lane) { return lane; });
  const auto trace = one_warp("sm_75", output(values), output_address + preset(8, values) + store);
  std::string packed;
  boost::iostreams::filtering_ostream out;
  out.push(boost::iostreams::gzip_compressor());
  out.push(boost::iostreams::back_inserter(packed));
  out << trace;
  out.reset();
  const auto result = tcsim({"run", file("kernel.trace.gz", packed), "--config", "turing", "--strict"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
}

TEST_F(small_kernel, leaves_inactive_lanes_alone) {
  const auto values = each_lane([](unsigned lane) { return lane >= 8 && lane < 24 ? 5u : 0xeeeeeeeeu; });
  expect_exact(one_warp("sm_75", output(values), output_address + "reg R8 0x5\n/*0000*/ STG.E.SYS [R2], R8 mask 00ffff00 @ 0x1020+4\n"));
}

TEST_F(small_kernel, writes_registers_of_active_lanes_only) {
  const auto values = each_lane([](unsigned lane) { return lane < 16 ? 9u : 1u; });
  expect_exact(one_warp("sm_75", output(values), output_address + "reg R8 0x1\n/*0000*/ MOV R8, 0x9 mask 0000ffff\n" + store));
}

TEST_F(small_kernel, waits_for_registers_without_control_codes) {
  const auto values = each_lane([](unsigned lane) { return 4 * lane + 4; });
  expect_exact(one_warp("sm_75", output(values),
                        output_address + preset(8, each_lane([](unsigned lane) { return lane; })) +
                            "/*0000*/ IADD3 R8, R8, 0x1, RZ\n/*0010*/ IADD3 R8, R8, R8, RZ\n/*0020*/ IADD3 R8, R8, R8, RZ\n" + store));
}

TEST_F(small_kernel, loads_from_shared_memory) {
  const auto content = each_lane([](unsigned lane) { return 0x5a000000u + lane; });
  const auto reversed = each_lane([&](unsigned lane) { return content[31 - lane]; });
  expect_exact(one_warp("sm_75", "shared 128\nshared-memory 0x0 128 hex " + hex(content) + "\n" + output(reversed),
                        output_address + "/*0000*/ LDS.U R8, [R4] @ 0x7c-4\n" + store));
}

TEST_F(small_kernel, stores_to_shared_memory_and_loads_back) {
  const auto values = each_lane([](unsigned lane) { return lane * lane; });
  const auto swapped = each_lane([&](unsigned lane) { return values[lane ^ 1u]; });
  std::string addresses;
  for (unsigned lane = 0; lane < 32; ++lane) addresses += fmt::format("{}{:#x}", lane == 0 ? "" : ", ", 4 * (lane ^ 1u));
  expect_exact(one_warp(
      "sm_75", "shared 128\n" + output(swapped),
      output_address + preset(8, values) + "/*0000*/ STS [R4], R8 @ 0x0+4\n/*0010*/ LDS.U R8, [R4] @ {" + addresses + "}\n" + store));
}

TEST_F(small_kernel, loads_a_matrix) {
  const auto matrix = each_lane(fragment);  // row after row, as it lies in memory
  expect_exact(one_warp("sm_75", "shared 512\nshared-memory 0x0 128 hex " + hex(matrix) + "\n" + output(matrix),
                        output_address + "/*0000*/ LDSM.16.M88 R8, [R4] @ 0x0+16\n" + store));
}

TEST_F(small_kernel, loads_a_matrix_transposed) {
  expect_exact(one_warp("sm_75",
                        "shared 512\nshared-memory 0x0 128 hex " + hex(each_lane(fragment)) + "\n" + output(each_lane(transposed_fragment)),
                        output_address + "/*0000*/ LDSM.16.MT88 R8, [R4] @ 0x0+16\n" + store));
}

TEST_F(small_kernel, transposes_a_matrix_in_registers) {
  expect_exact(one_warp("sm_75", output(each_lane(transposed_fragment)),
                        output_address + preset(6, each_lane(fragment)) + "/*0000*/ MOVM.16.MT88 R8, R6\n" + store));
}

TEST_F(small_kernel, multiplies_matrices_of_ones) {
  const auto sums = each_lane([](unsigned) { return 0x41000000u; });  // 8.0: k = 8
  expect_exact(one_warp(
      "sm_75", output(sums),
      output_address + "reg R4 0x3c003c00\nreg R5 0x3c003c00\nreg R6 0x3c003c00\n/*0000*/ HMMA.1688.F32 R8, R4, R6, RZ\n" + store));
}

TEST_F(small_kernel, multiplies_matrices_with_operand_collectors) {
  const auto sums = each_lane([](unsigned) { return 0x41100000u; });  // 9.0
  expect_exact(one_warp("sm_75", output(sums),
                        output_address + "reg R4 0x3c003c00\nreg R5 0x3c003c00\nreg R6 0x3c003c00\n"
                                         "reg R8 0x3f800000\nreg R9 0x3f800000\nreg R10 0x3f800000\nreg R11 0x3f800000\n"
                                         "/*0000*/ [B------:R-:W5:-:S08] HMMA.1688.F32 R8, R4, R6, R8\n"
                                         "/*0010*/ [B-----5:R-:W-:-:S01] STG.E.SYS [R2], R8 @ 0x1000+4\n"),
               "collectors");
}

/// 4 x (2 x -3) + 5 with the signs that the instruction gives A, B and C.
TEST_F(small_kernel, multiplies_doubles_with_signs) {
  struct signed_product {
    const char* operands;
    std::uint32_t upper_word;  ///< of each sum
  };
  constexpr std::uint32_t minus_19 = 0xc0330000, plus_29 = 0x403d0000, minus_29 = 0xc03d0000;
  for (const signed_product& each : {signed_product{"R4, R6, R16", minus_19},
                                     {"-R4, R6, R16", plus_29},
                                     {"R4, -R6, R16", plus_29},
                                     {"|R4|, |R6|, R16", plus_29},
                                     {"R4, -|R6|, R16", minus_19},
                                     {"R4, R6, -R16", minus_29},
                                     {"-|R4|, |R6|, -|R16|", minus_29},
                                     {"-R4, -R6, |R16|", minus_19}}) {
    const auto upper = each_lane([&](unsigned) { return each.upper_word; });
    for (const char* const configuration : {"ampere", "hopper"})
      expect_exact(one_warp(configuration == std::string("ampere") ? "sm_80" : "sm_90", output(upper),
                            "reg R4 0x0\nreg R5 0x40000000\nreg R6 0x0\nreg R7 0xc0080000\nreg R16 0x0\n"
                            "reg R17 0x40140000\nreg R18 0x0\nreg R19 0x40140000\n/*0000*/ DMMA.884 R8, " +
                                std::string(each.operands) + "\n/*0010*/ STG.E [R2.64], R9 @ 0x1000+4\n"),
                   configuration);
  }
}

/// A itself must not change where A and B are one register.
TEST_F(small_kernel, negates_one_of_two_equal_operands) {
  const auto upper = each_lane([](unsigned) { return 0xc0300000u; });  // -16
  expect_exact(one_warp("sm_80", output(upper),
                        "reg R4 0x0\nreg R5 0x40000000\n/*0000*/ DMMA.884 R8, -R4, R4, RZ\n"
                        "/*0010*/ STG.E [R2.64], R9 @ 0x1000+4\n"),
               "ampere");
}

TEST_F(small_kernel, loads_constants_into_the_register_of_their_index) {
  const auto values = each_lane([](unsigned lane) { return lane % 2 == 0 ? 0x44332211u : 0x88776655u; });
  expect_exact(one_warp("sm_80", "constant 0 0x160 16 hex 112233445566778899aabbccddeeff00\n" + output(values),
                        "reg R4 0x160\n/*0000*/ LDC.64 R4, c[0x0][R4]\n"
                        "/*0010*/ STG.E.64 [R2.64], R4 mask 0000ffff @ 0x1000+8\n"),
               "ampere");
}

TEST_F(small_kernel, may_come_from_windows) {
  const auto values = each_lane([](unsigned lane) { return lane; });
  std::string text = "\xef\xbb\xbf" + one_warp("sm_75", output(values), output_address + preset(8, values) + store);
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.insert(at, "\r");
  expect_exact(text);
  ASSERT_EQ(tcsim({"trace", "pack", "kernel.trace", "-o", "kernel.tct"}).status, 0);
  EXPECT_EQ(tcsim({"run", "kernel.tct", "--config", "turing"}).status, 0);
  ASSERT_EQ(tcsim({"trace", "unpack", "kernel.tct", "-o", "again.trace"}).status, 0);
  EXPECT_EQ(content_of(folder() / "again.trace"), text) << "byte by byte as it was";
}

TEST_F(small_kernel, runs_several_ctas) {
  const auto values = each_lane([](unsigned lane) { return lane / 8; });
  std::string ctas;
  for (unsigned cta = 0; cta < 4; ++cta)
    ctas += fmt::format(
        "cta {} {} 0\nwarp 0\nreg R8 {:#x}\n"
        "/*0000*/ STG.E.SYS [R2], R8 mask 000000ff @ {:#x}+4\n/*0010*/ EXIT\n",
        cta % 2, cta / 2, cta, 0x1000 + 32 * cta);
  expect_exact("tcsim-trace 1\narch sm_75\nkernel grid\ngrid 2 2 1\nblock 32 1 1\n" + output(values) + ctas);
}

TEST_F(small_kernel, passes_a_barrier_with_all_warps) {
  // Warp 1 reads what warp 0 wrote before the barrier.
  const auto values = each_lane([](unsigned lane) { return lane + 100; });
  expect_exact("tcsim-trace 1\narch sm_75\nkernel barrier\ngrid 1 1 1\nblock 64 1 1\nshared 128\n" + output(values) +
               "cta 0 0 0\nwarp 0\n" + preset(8, values) + "/*0000*/ STS [R4], R8 @ 0x0+4\n/*0010*/ BAR.SYNC 0x0\n/*0020*/ EXIT\nwarp 1\n" +
               output_address + "/*0000*/ BAR.SYNC 0x0\n/*0010*/ LDS.U R8, [R4] @ 0x0+4\n" + store + "/*0020*/ EXIT\n");
}

}  // namespace small_kernels_test
