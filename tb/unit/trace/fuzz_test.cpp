#include <cstdint>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include <tc/trace/trace_error.hpp>

#include "trace_text.hpp"

namespace tc::trace::test {
namespace {

/// A trace with every kind of line.
std::string varied_text() {
  return "tcsim-trace 1\narch sm_75\nkernel varied\ngrid 2 1 1\nblock 48 1 1\ncluster 1 1 1\nregisters 64\nshared 4096\n"
         "constant 0 0x160 8 hex 0000010000000000\nmemory 0x10000 64 fill 7\nshared-memory 0x0 16 zero\nexpect 0x30000 4 hex 00112233\n"
         "# comment\n\ncta 0 0 0\nwarp 0\nreg R8 0x3c003c00\n"
         "/*0000*/ [B------:R-:W-:-:S02] IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28]\n"
         "/*0010*/ [B------:R0:W5:-:S04] LDG.E.SYS R0, [R2.64+UR4] @ 0x10000+4\n"
         "/*0020*/ LDSM.16.M88.4 R4, [R3] @ 0x0+16\n"
         "/*0030*/ [B-----5:R1:W2:-:S04] HMMA.1688.F32 R16, R8, R0.reuse, RZ\n"
         "/*0040*/ @P0 STG.E.SYS [R4], R28 mask 80000001 @ {0x30000, 0x30004}\n"
         "/*0050*/ @!P0 BRA `(.L_x_0) mask 00000000\n"
         "/*0060*/ EXIT\nwarp 1\n/*0000*/ EXIT\ncta 1 0 0\nwarp 0\n/*0000*/ EXIT\n";
}

/// A trace with every kind of instruction for the asynchronous units.
std::string asynchronous_text() {
  return "tcsim-trace 1\narch sm_90\nkernel varied\ngrid 1 1 1\nblock 128 1 1\nregisters 64\nshared 4096\n"
         "tensor-map 0x40000 tiled f16 base 0x10000 sizes 128 64 strides 256 box 64 8 swizzle 128B\n"
         "tensor-map 0x40040 im2col f16 base 0 sizes 8 9 9 strides 16 144 lower -1 upper 0 channels 8 pixels 9 fill nan\n"
         "cta 0 0 0\nwarp 0\n"
         "mbarrier.init.shared::cta.b64 [0x10], 1 mask 00000001\n"
         "fence.proxy.async.shared::cta\n"
         "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [0x10], 1024 mask 00000001\n"
         "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [0x400], [0x10000], 16, [0x10] mask 00000001\n"
         "cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [0x400], [0x40000, {-8, 64}], [0x10] mask 00000001\n"
         "cp.async.bulk.tensor.3d.shared::cta.global.im2col.mbarrier::complete_tx::bytes [0], [0x40040, {0, 1, 2}], [16], {1} mask "
         "00000001\n"
         "mbarrier.try_wait.parity.shared::cta.b64 P0, [0x10], 0, 100\n"
         "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {R0, R1, R2, R3}, {R4, R5, R6, R7}, 0x1000080080, 1, -1, 1, 1\n"
         "wgmma.wait_group.sync.aligned 0\n"
         "/*0100*/ EXIT\n";
}

/// Changes, deletes, doubles or inserts a few bytes.
void mutate(std::string& text, std::mt19937& random) {
  static const std::string alphabet = "0123456789abcdefxRPU.,:;[]{}()+-@!*/# \t\n\r_`\xff" + std::string(1, '\0');
  for (unsigned changes = 1 + random() % 4; changes != 0 && !text.empty(); --changes) {
    const std::size_t at = random() % text.size();
    const std::size_t count = 1 + random() % 8;
    const char c = random() % 4 == 0 ? static_cast<char>(random()) : alphabet[random() % alphabet.size()];
    switch (random() % 4) {
      case 0:
        text[at] = c;
        break;
      case 1:
        text.erase(at, count);
        break;
      case 2:
        text.insert(random() % text.size(), text.substr(at, count));
        break;
      default:
        text.insert(at, 1, c);
        break;
    }
  }
}

/// Reads a mutated trace and plays it if it is still one; true if it was.
bool survives(const std::string& text) {
  try {
    const trace t = read_text(text);
    for (std::size_t cta = 0; cta < t.ctas().size(); ++cta)
      for (std::uint32_t warp = 0; warp < t.ctas()[cta].warp_count; ++warp) steps_of(t, cta, warp);
    return true;
  } catch (const trace_error& error) {
    EXPECT_GE(error.line(), 1U);
    EXPECT_GE(error.column(), 1U);
    return false;
  }
}

/// How many of so many mutations of a trace are still one.
unsigned count_survivors(const std::string& valid, unsigned mutations) {
  EXPECT_NO_THROW(read_text(valid));
  std::mt19937 random(20240229);
  unsigned accepted = 0;
  for (unsigned i = 0; i < mutations; ++i) {
    std::string text = valid;
    mutate(text, random);
    if (survives(text)) ++accepted;
  }
  return accepted;
}

TEST(trace_fuzz, mutated_text_is_read_or_refused) {
  const unsigned accepted = count_survivors(varied_text(), 10000);
  EXPECT_GT(accepted, 100U);
  EXPECT_LT(accepted, 5000U);
}

TEST(trace_fuzz, mutated_asynchronous_instructions_are_read_or_refused) {
  const unsigned accepted = count_survivors(asynchronous_text(), 5000);
  EXPECT_GT(accepted, 10U);
  EXPECT_LT(accepted, 2500U);
}

TEST(trace_fuzz, truncated_text_is_read_or_refused) {
  const std::string valid = varied_text();
  for (std::size_t length = 0; length < valid.size(); ++length) survives(valid.substr(0, length));
}

}  // namespace
}  // namespace tc::trace::test
