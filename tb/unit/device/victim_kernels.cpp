// SPDX-License-Identifier: Apache-2.0
#include "victim_kernels.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tensor_traces.hpp"

namespace tc::device::test::victims {

namespace {

/// So many times these digits.
std::string repeated(const std::string& digits, unsigned times) {
  std::string text;
  for (unsigned i = 0; i < times; ++i) text += digits;
  return text;
}

/// The instructions with .cta_group::2.
std::string of_pair(std::string text) {
  const std::string one = "cta_group::1", two = "cta_group::2";
  for (std::size_t at = text.find(one); at != std::string::npos; at = text.find(one, at)) text.replace(at, one.size(), two);
  return text;
}

}  // namespace

std::string register_kernel() {
  constexpr unsigned ctas = 2, warps = 4, bytes = 128 * warps;
  std::string text = kernel_header(ctas, warps,
                                   fmt::format("shared {0}\nmemory 0x1000 {1} fill 7\nmemory 0x10000 {1} zero\nmemory 0x20000 {1} zero\n"
                                               "expect 0x10000 {1} fill 7\nexpect 0x20000 {1} hex {2}\n",
                                               bytes, bytes * ctas, repeated("00008041", bytes * ctas / 4)));
  for (unsigned cta = 0; cta < ctas; ++cta) {
    text += cta_line(cta);
    for (unsigned warp = 0; warp < warps; ++warp) {
      const unsigned global = bytes * cta + 128 * warp, other = 128 * ((warp + 1) % warps);
      text += warp_line(warp) + "reg R0 0x40004000\nreg R1 0x40004000\nreg R2 0x0\nreg R3 0x0\nreg R6 0x3c003c00\n" +
              fmt::format(
                  "/*0000*/ LDG.E.SYS R4, [R2] @ {:#x}+4\n/*0010*/ STS [R2], R4 @ {:#x}+4\n/*0020*/ BAR.SYNC 0x0\n"
                  "/*0030*/ LDS R5, [R2] @ {:#x}+4\n/*0040*/ HMMA.1688.F32 R8, R0, R6, RZ\n/*0050*/ BAR.SYNC 0x0\n"
                  "/*0060*/ STG.E.SYS [R2], R5 @ {:#x}+4\n/*0070*/ STG.E.SYS [R2], R8 @ {:#x}+4\n/*0080*/ EXIT\n",
                  0x1000 + global, 128 * warp, other, 0x10000 + global, 0x20000 + global);
    }
  }
  return text;
}

// A and B are 1 in f16: 16 ones added to 1, in each of the accumulators.
std::string warpgroup_kernel() {
  constexpr unsigned ctas = 2;
  std::string text =
      kernel_header(ctas, 4,
                    fmt::format("shared 16384\nmemory 0x40000 256 hex {}\nmemory 0x50000 512 zero\nmemory 0x10000 1024 zero\n"
                                "expect 0x10000 1024 hex {}\nexpect 0x50000 512 hex {}\n",
                                repeated("003c", 128), repeated("00008841", 256), repeated("003c", 256)),
                    "sm_90");
  for (unsigned cta = 0; cta < ctas; ++cta) {
    text += cta_line(cta);
    for (unsigned warp = 0; warp < 4; ++warp) {
      text += warp_line(warp) + "reg R2 0x0\nreg R3 0x0\n";
      for (const unsigned reg : {24U, 25U, 26U, 27U}) text += fmt::format("reg R{} 0x3f800000\n", reg);
      for (const unsigned reg : {8U, 9U, 10U, 11U}) text += fmt::format("reg R{} 0x3c003c00\n", reg);
      if (warp == 0) text += "mbarrier.init.shared::cta.b64 [0x10], 1 mask 00000001\n";
      text += "/*0020*/ BAR.SYNC 0x0\n";
      if (warp == 0)
        text +=
            "mbarrier.arrive.expect_tx.shared::cta.b64 _, [0x10], 256 mask 00000001\n"
            "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [0xc00], [0x40000], 256, [0x10] mask 00000001\n";
      text +=
          "mbarrier.try_wait.parity.shared::cta.b64 [0x10], 0\nwgmma.fence.sync.aligned\n"
          "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {R24, R25, R26, R27}, {R8, R9, R10, R11}, 0x00000010000800c0, 1, 1, 1, 0\n"
          "wgmma.commit_group.sync.aligned\nwgmma.wait_group.sync.aligned 0\n" +
          fmt::format("/*0100*/ STG.E [R2.64], R25 @ {:#x}+4\n", 0x10000 + 512 * cta + 128 * warp);
      if (warp == 1)
        text += fmt::format(
            "cp.async.bulk.global.shared::cta.bulk_group [{:#x}], [0xc00], 256 mask 00000001\n"
            "cp.async.bulk.commit_group mask 00000001\ncp.async.bulk.wait_group 0 mask 00000001\n",
            0x50000 + 256 * cta);
      text += "/*f000*/ EXIT\n";
    }
  }
  return text;
}

std::string tensor_kernel() {
  using namespace tensor;
  constexpr unsigned ctas = 4;
  const auto value = [](unsigned lane, unsigned cta) { return tag({lane, 0}) + 500000 * cta; };
  std::string text = header(
      ctas, 1, "cluster 2 1 1\n" + expectation(ctas, [&](unsigned lane, unsigned cta) { return value(std::min(lane + 1, 31U), cta); }));
  for (unsigned cta = 0; cta < ctas; ++cta) {
    text += cta_line(cta) + warp_line(0) + "reg R2 0x0\nreg R3 0x0\n" +
            presets(8, [&](unsigned lane, unsigned column) { return value(lane, cta) + column; }) +
            "mbarrier.init.shared::cta.b64 [0x410], 1 mask 00000001\n" + of_pair(allocate(512)) + store("32x32b.x8", 8, 0) +
            wait_for_stores;
    if (cta % 2 == 0)
      text += pause(50) +
              of_pair(
                  "tcgen05.shift.cta_group::1.down [0x0] mask 00000001\n"
                  "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [0x410], 0x3 mask 00000001\n");
    text += "mbarrier.try_wait.parity.shared::cta.b64 [0x410], 0\n" + load("32x32b.x1", 1, 0) + wait_for_loads +
            fmt::format("/*0200*/ STG.E [R2.64], R{} @ {:#x}+4\n", loaded_register, results + 128 * cta) + of_pair(deallocate(0, 512)) +
            leave;
  }
  return text;
}

}  // namespace tc::device::test::victims
