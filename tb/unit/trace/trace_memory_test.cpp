// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <fstream>
#include <istream>
#include <streambuf>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "trace_text.hpp"

namespace tc::trace::test::trace_memory_test {
namespace {

/// A trace whose text is made while it is read: `repetitions` of a loop body in each of `warps` warps, every instruction at a pc of its
/// own.
class loop_text : public std::streambuf {
 public:
  loop_text(unsigned warps, unsigned repetitions) : warps_(warps), repetitions_(repetitions) {
    text_ = "tcsim-trace 1\narch sm_80\nkernel loop\ngrid 1 1 1\nblock " + std::to_string(32 * warps) + " 1 1\ncta 0 0 0\n";
    setg(text_.data(), text_.data(), text_.data() + text_.size());
  }

 protected:
  int_type underflow() override {
    if (warp_ == warps_) return traits_type::eof();
    make_next();
    setg(text_.data(), text_.data(), text_.data() + text_.size());
    return traits_type::to_int_type(*gptr());
  }

 private:
  void make_next() {
    text_.clear();
    if (repetition_ == 0) text_ += "warp " + std::to_string(warp_) + "\n";
    add("[B------:R-:W0:-:S04] LDG.E R4, [R2.64] @ " + std::to_string(4096 * repetition_) + "+4");
    add("[B0-----:R-:W-:-:S08] HMMA.16816.F32 R8, R4, R12, R8");
    add("[B------:R-:W-:-:S08] HMMA.16816.F32 R16, R4, R12, R16");
    add("[B------:R-:W-:Y:S05] BRA `(.L_x_0)");
    if (++repetition_ == repetitions_) {
      add("EXIT");
      repetition_ = 0;
      ++warp_;
    }
  }
  void add(const std::string& instruction) {
    static constexpr char digits[] = "0123456789abcdef";
    text_ += "/*";
    for (unsigned shift = 24; shift != 0; shift -= 4) text_ += digits[pc_ >> shift & 15];
    text_ += "0*/ " + instruction + "\n";
    pc_ += 16;
  }

  unsigned warps_, repetitions_;
  unsigned warp_ = 0, repetition_ = 0;
  std::uint32_t pc_ = 0;
  std::string text_;
};

std::uint64_t resident_bytes() {
  std::uint64_t total = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool measurable = false;  // the sanitizer keeps freed memory
#elif defined(__has_feature)
constexpr bool measurable = !__has_feature(address_sanitizer);
#else
constexpr bool measurable = true;
#endif

trace read_loop(unsigned warps, unsigned repetitions) {
  loop_text text(warps, repetitions);
  std::istream in(&text);
  return trace::read(in, "loop.trace");
}

TEST(trace_memory, does_not_grow_with_the_instructions) {
  read_loop(4, 100);                                         // what a first trace allocates for good
  constexpr std::uint64_t allowed = std::uint64_t{4} << 20;  // the text alone has 62 MB
  const std::uint64_t before = resident_bytes();
  const trace t = read_loop(8, 31250);
  EXPECT_EQ(t.summary().instructions, 1'000'008U);
  EXPECT_EQ(t.summary().distinct_instructions, 5U);
  EXPECT_TRUE(!measurable || resident_bytes() < before + allowed) << resident_bytes() - before;

  std::vector<warp_player> players;
  for (std::uint32_t warp = 0; warp < 8; ++warp) players.push_back(t.play(t.ctas()[0], warp));
  std::uint64_t steps = 0;
  step s;
  for (bool more = true; more;) {
    more = false;
    for (warp_player& player : players)
      if (player.next(s)) {
        more = true;
        ++steps;
      }
  }
  EXPECT_EQ(steps, 1'000'008U);
  EXPECT_TRUE(!measurable || resident_bytes() < before + allowed) << resident_bytes() - before;
}

TEST(trace_memory, holds_a_hundred_thousand_ctas) {
  std::string text = "tcsim-trace 1\narch sm_80\nkernel many\ngrid 100000 1 1\nblock 32 1 1\n";
  for (unsigned x = 100'000; x-- > 0;) text += "cta " + std::to_string(x) + " 0 0\nwarp 0\n/*0000*/ EXIT\n";
  const trace t = read_text(text);
  ASSERT_EQ(t.ctas().size(), 100'000U);
  EXPECT_EQ(t.ctas()[77'777].x, 77'777U);
  EXPECT_EQ(steps_of(t, 77'777).at(0).line, 5U + 3 * (100'000 - 77'777));
}

}  // namespace
}  // namespace tc::trace::test::trace_memory_test
