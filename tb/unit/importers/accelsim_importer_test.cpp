// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/importers/accelsim_importer.hpp>
#include <tc/trace/trace.hpp>
#include <tc/trace/trace_error.hpp>

#include "accelsim_text.hpp"

namespace tc::importers::accelsim_importer_test {
namespace {

using namespace test;

struct imported {
  std::string text;
  import_report report;

  trace::trace opened() const {
    std::istringstream in(text);
    return trace::trace::read(in, "imported");
  }
};

imported import(const std::string& source, const accelsim_options& options = {}) {
  std::istringstream in(source);
  trace::line_reader lines(in, "k.traceg");
  std::ostringstream out;
  imported result;
  result.report = import_accelsim(lines, out, options);
  result.text = out.str();
  return result;
}

std::vector<trace::step> steps_of(const trace::trace& kernel) {
  std::vector<trace::step> steps;
  for (const trace::cta_entry& cta : kernel.ctas())
    for (std::uint32_t warp = 0; warp < cta.warp_count; ++warp) {
      trace::warp_player player = kernel.play(cta, warp);
      for (trace::step step; player.next(step);) steps.push_back(step);
    }
  return steps;
}

/// Random addresses of the lanes of a mask: 4-byte words, in any order.
trace::address_list random_addresses(trace::lane_mask mask, std::mt19937& random) {
  trace::address_list addresses;
  trace::for_each_lane(mask, [&](unsigned lane) { addresses.set(lane, 0x7f0000000000 + 4 * std::uint64_t{random() % 100000}); });
  return addresses;
}

void expect_equal(const trace::address_list& found, const trace::address_list& wanted) {
  ASSERT_EQ(found.lanes(), wanted.lanes());
  trace::for_each_lane(wanted.lanes(), [&](unsigned lane) { EXPECT_EQ(found[lane], wanted[lane]) << lane; });
}

TEST(accelsim_importer, every_version_and_address_mode) {
  std::mt19937 random(1);
  for (unsigned version = 3; version <= 5; ++version)
    for (const address_mode mode : {address_mode::list, address_mode::stride, address_mode::differences})
      for (const trace::lane_mask mask : {0xffffffffU, 0x1U, 0x80000000U, 0x00fff000U, 0xa5a50ff0U}) {
        SCOPED_TRACE(testing::Message() << version << ' ' << static_cast<int>(mode) << ' ' << std::hex << mask);
        trace::address_list wanted = random_addresses(mask, random);
        if (mode == address_mode::stride) {
          if ((mask & (mask + (mask & -mask))) != 0 || trace::count_lanes(mask) < 2) continue;  // the lanes follow each other
          trace::for_each_lane(mask, [&](unsigned lane) { wanted.set(lane, 0x7f0000001000 - 8 * std::uint64_t{lane}); });
        }
        const auto line = [&](const char* code) {
          std::ostringstream text;
          text << "0010 " << std::hex << mask << ' ' << code << ' ' << accelsim_addresses(mode, wanted) << (version >= 4 ? " 0 " : " ");
          return text.str();
        };
        const auto result = import(one_accelsim_warp(version, 70, {line("1 R8 LDG.E.SYS 1 R2 4"), "0020 ffffffff 0 EXIT 0 0"}));
        EXPECT_TRUE(result.report.gaps().empty());
        EXPECT_EQ(result.report.instructions(), 2U);
        const trace::trace kernel = result.opened();
        const auto steps = steps_of(kernel);
        EXPECT_EQ(steps.front().mask, mask);
        EXPECT_EQ(steps.front().code->text, "LDG.E.SYS R8, [R2]");
        expect_equal(steps.front().addresses, wanted);
      }
}

TEST(accelsim_importer, takes_the_header_over_and_says_that_there_are_no_data) {
  const auto result = import(one_accelsim_warp(5, 90, {"0000 ffffffff 0 EXIT 0 0 0"}));
  const trace::trace kernel = result.opened();
  const trace::kernel_header& header = kernel.header();
  EXPECT_EQ(header.arch, isa::architecture::sm_90);
  EXPECT_EQ(header.kernel, "_Z6kernelPf");
  EXPECT_EQ(header.block.x, 32U);
  EXPECT_EQ(header.registers, 128U);
  EXPECT_EQ(header.shared_bytes, 8192U + 1024U) << "with the part of the system";
  EXPECT_FALSE(header.has_data);
}

TEST(accelsim_importer, shared_addresses_are_offsets) {
  const auto result =
      import(one_accelsim_warp(4, 75,
                               {"0000 ffffffff 0 STS 2 R2 R4 4 1 0x00007f9310000100 4 0", "0010 ffffffff 1 R8 LDS 1 R2 4 1 0x200 4 0",
                                "0020 ffffffff 1 R8 LD.E.64.SYS 1 R2 8 1 0x7f9310000000 8 0",
                                "0030 ffffffff 1 R8 LDSM.16.M88.2 1 R3 4 1 0x0 16 0", "0040 ffffffff 0 EXIT 0 0 0"}));
  const trace::trace kernel = result.opened();
  const auto steps = steps_of(kernel);
  EXPECT_EQ(steps[0].addresses[1], 0x104U);
  EXPECT_EQ(steps[1].addresses[1], 0x204U);
  EXPECT_EQ(steps[2].code->text, "LDS.64 R8, [R2]");
  EXPECT_EQ(steps[2].addresses[1], 8U);
  EXPECT_EQ(steps[3].addresses[31], 496U);
  ASSERT_EQ(result.report.gaps().size(), 1U);
  EXPECT_EQ(result.report.gaps()[0].what, "LD.E.64.SYS on shared memory");
  EXPECT_EQ(result.report.gaps()[0].stand_in, "LDS.64");
}

TEST(accelsim_importer, offsets_are_multiples_whatever_the_base_of_shared_memory) {
  std::string source = one_accelsim_warp(4, 75, {"0000 ffffffff 0 STS 2 R2 R4 4 1 0x00007f9310000100 4 0", "0010 ffffffff 0 EXIT 0 0 0"});
  const std::string base = "0x00007f9310000000";
  source.replace(source.find(base), base.size(), "0x00007f9310000001");
  const trace::trace kernel = import(source).opened();
  EXPECT_EQ(steps_of(kernel).front().addresses[1], 0x100U);
}

TEST(accelsim_importer, what_cannot_be_imported_is_counted_and_keeps_its_issue_slot) {
  const auto result =
      import(one_accelsim_warp(5, 90,
                               {"0000 ffffffff 0 UTMALDG.2D 0 4 4 1 0x10 0", "0010 ffffffff 0 UTMALDG.2D 0 4 4 1 0x10 0",
                                "0020 ffffffff 1 R200 MOV 1 R4 0 0", "0030 ffffffff 1 R4 LDG.E 1 R2 0 0", "0040 ffffffff 0 BAR.SYNC 0 0 16",
                                "0050 ffffffff 0 STS 2 R2 R4 4 1 0x100002 4 0", "0060 ffffffff 0 EXIT 0 0 0"}));
  const trace::trace kernel = result.opened();
  const auto steps = steps_of(kernel);
  ASSERT_EQ(steps.size(), 7U);
  for (const std::size_t i : {0U, 1U, 2U, 3U, 4U}) EXPECT_EQ(steps[i].code->text, "NOP") << i;
  EXPECT_EQ(steps[5].code->text, "STS [R2], R4");
  std::vector<std::pair<std::uint64_t, std::string>> gaps;
  for (const import_gap& gap : result.report.gaps()) gaps.emplace_back(gap.count, gap.what);
  const std::vector<std::pair<std::uint64_t, std::string>> wanted{
      {2, "UTMALDG.2D: unknown opcode 'UTMALDG'"},       {1, "MOV: a register beyond the kernel's 128"},
      {1, "LDG.E: its addresses are not recorded"},      {1, "BAR.SYNC of a part of the thread block"},
      {32, "an address that is no multiple of 4 bytes"}, {32, "an address outside of the kernel's shared memory"},
  };
  EXPECT_EQ(gaps, wanted);
  EXPECT_EQ(result.report.gaps()[0].example, "k.traceg:23");
}

TEST(accelsim_importer, barriers_have_the_recorded_number) {
  const auto result =
      import(one_accelsim_warp(4, 70, {"0000 ffffffff 0 BAR.SYNC 0 0 3", "0010 ffffffff 0 BAR.SYNC 0 0 32", "0020 ffffffff 0 EXIT 0 0 0"}));
  EXPECT_NE(result.text.find("BAR.SYNC 0x3\n"), std::string::npos);
  EXPECT_NE(result.text.find("BAR.SYNC 0x0\n"), std::string::npos) << "of all threads";
  EXPECT_TRUE(result.report.gaps().empty());
}

TEST(accelsim_importer, arrivals_at_barriers_of_some_warps_are_left_out) {
  const auto result = import(one_accelsim_warp(4, 70, {"0000 ffffffff 0 BAR.ARV 0 0 3", "0020 ffffffff 0 EXIT 0 0 0"}));
  ASSERT_EQ(result.report.gaps().size(), 1U);
  EXPECT_EQ(result.report.gaps()[0].what.rfind("BAR.ARV", 0), 0U) << result.report.gaps()[0].what;
  EXPECT_EQ(steps_of(result.opened()).front().code->text, "NOP");
}

TEST(accelsim_importer, a_warp_without_instructions_exits) {
  std::string source = accelsim_header_text(3, 70, 96);
  source += "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n0000 ffffffff 0 EXIT 0 0\nwarp = 1\ninsts = 0\n#END_TB\n";
  const auto result = import(source);
  const trace::trace kernel = result.opened();
  EXPECT_EQ(kernel.ctas().front().warp_count, 3U);
  ASSERT_EQ(result.report.gaps().size(), 1U);
  EXPECT_EQ(result.report.gaps()[0].count, 2U);
}

TEST(accelsim_importer, values_of_version_6_are_passed_over) {
  const auto result = import(one_accelsim_warp(
      6, 75,
      {"0000 ffffffff 1 R4 SHF.L.U32 2 R0 R255 0 10 0 NoVal", "0010 ffffffff 1 R8 LDG.E.SYS 1 R2 4 1 0x7f0000000000 4 0 0 NoVal",
       "0020 ffffffff 1 R4 MOV 1 R5 0 0 1 Val 0x1 0x2", "0030 ffffffff 0 EXIT 0 0 0 0 NoVal"}));
  EXPECT_TRUE(result.report.gaps().empty());
  EXPECT_NE(result.text.find("LDG.E.SYS R8, [R2] @ 0x7f0000000000+4\n"), std::string::npos) << result.text;
}

TEST(accelsim_importer, line_numbers_and_clusters_are_passed_over) {
  std::string source = accelsim_header_text(5, 70);
  source.replace(source.find("lineinfo = 0"), 12, "lineinfo = 1");
  source += "#BEGIN_TB\nthread block = 0,0,0\ncluster id = 0,0,0\ncluster cta = 1,0,0\ncluster rank = 1\nwarp = 0\ninsts = 1\n";
  const auto result = import(source + "117 0000 ffffffff 0 EXIT 0 0 0\n#END_TB\n");
  EXPECT_NE(result.text.find("/*0000*/ EXIT\n"), std::string::npos);
  ASSERT_EQ(result.report.gaps().size(), 1U);
  EXPECT_EQ(result.report.gaps()[0].what, "a thread block of a cluster");
}

TEST(accelsim_importer, another_architecture_can_be_taken) {
  accelsim_options options;
  options.arch = isa::architecture::sm_86;
  const auto result = import(one_accelsim_warp(5, 87, {"0000 ffffffff 0 EXIT 0 0 0"}), options);
  EXPECT_EQ(result.opened().header().arch, isa::architecture::sm_86);
}

struct mistake {
  std::string from, to;  ///< what of a good trace is replaced
  const char* error;
};

class accelsim_mistakes : public testing::TestWithParam<mistake> {};

TEST_P(accelsim_mistakes, are_named_with_their_place) {
  std::string source = one_accelsim_warp(4, 70,
                                         {"0000 ffffffff 1 R8 LDG.E.SYS 1 R2 4 1 0x7f0000000000 4 0",
                                          "0010 0000000f 0 STG.E.SYS 2 R2 R8 4 2 0x7f0000000000 4 4 4 0", "0020 ffffffff 0 EXIT 0 0 0"});
  const auto at = source.find(GetParam().from);
  ASSERT_NE(at, std::string::npos);
  source.replace(at, GetParam().from.size(), GetParam().to);
  try {
    import(source);
    ADD_FAILURE() << "no error";
  } catch (const trace::trace_error& error) {
    EXPECT_EQ(std::string(error.what()).rfind(GetParam().error, 0), 0U) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(
    lines, accelsim_mistakes,
    testing::Values(mistake{"version = 4", "version = 2", "k.traceg:12:28: traces of version 2 are not read; it must be from 3 to 6"},
                    mistake{"-binary version = 70", "-binary version = 61", "k.traceg:7:19: the binary version 61 is not one of sm_70"},
                    mistake{"-grid dim = (1,1,1)", "-grid dim = (1,1)", "k.traceg:3:17: expected ','"},
                    mistake{"-block dim = (32,1,1)\n", "", "k.traceg:16:1: the header ends without '-block dim'"},
                    mistake{"_Z6kernelPf", "a\tb", "k.traceg:1:17: the kernel's name must be printable UTF-8"},
                    mistake{"-kernel id", "kernel id", "k.traceg:2:1: nothing but the header and comments may stand outside thread blocks"},
                    mistake{"1 R8 LDG", "1 X8 LDG", "k.traceg:23:17: a destination register must stand here"},
                    mistake{"0x7f0000000000 4 0\n0010", "0x7f0000000000 4 0 1\n0010", "k.traceg:23:58: unexpected '1'"},
                    mistake{"4 1 0x7f", "4 3 0x7f", "k.traceg:23:37: the form of the addresses is 3; it must be from 0 to 2"},
                    mistake{"0000000f", "000000ff", "k.traceg:24:61: the difference of lane 5 is missing"},
                    mistake{"insts = 3", "insts = 4", "k.traceg:27:1: warp 0 ends after 3 instructions; 'insts' says 4"},
                    mistake{"insts = 3", "insts = 2", "k.traceg:25:1: warp 0 has more than the 2 instructions"},
                    mistake{"warp = 0\n", "", "k.traceg:21:1: 'insts' belongs behind"},
                    mistake{"warp = 0", "warp = 1", "k.traceg:21:8: the warp's number is 1"},
                    mistake{"thread block = 0", "thread block = 1", "k.traceg:19:16: the block's x is 1"},
                    mistake{"#END_TB\n", "", "k.traceg:27:1: the trace is cut off: the thread block of line 17 has no #END_TB"}));

/// A stream that produces a trace of so many thread blocks while it is read, and one that counts what is written.
class long_recording : public std::streambuf {
 public:
  explicit long_recording(unsigned blocks) : blocks_(blocks) {}

 private:
  int_type underflow() override {
    text_.clear();
    if (next_ == 0) {
      text_ = accelsim_header_text(4, 70);
      text_.replace(text_.find("(1,1,1)"), 7, "(1000000,1,1)");
    }
    if (next_ < blocks_) {
      text_ += "#BEGIN_TB\nthread block = " + std::to_string(next_) + ",0,0\nwarp = 0\ninsts = 401\n";
      for (unsigned i = 0; i < 400; ++i) text_ += "0000 ffffffff 1 R8 LDG.E.SYS 1 R2 4 1 0x7f0000000000 4 0\n";
      text_ += "0010 ffffffff 0 EXIT 0 0 0\n#END_TB\n";
      ++next_;
    }
    setg(text_.data(), text_.data(), text_.data() + text_.size());
    return text_.empty() ? traits_type::eof() : traits_type::to_int_type(text_.front());
  }

  unsigned blocks_, next_ = 0;
  std::string text_;
};

class largest_write : public std::streambuf {
 public:
  std::size_t total = 0, largest = 0;

 private:
  std::streamsize xsputn(const char*, std::streamsize count) override {
    total += static_cast<std::size_t>(count);
    largest = std::max(largest, static_cast<std::size_t>(count));
    return count;
  }
  int_type overflow(int_type) override { return traits_type::eof(); }
};

TEST(accelsim_importer, keeps_no_more_than_a_buffer) {
  long_recording recording(200);
  largest_write written;
  std::istream in(&recording);
  std::ostream out(&written);
  trace::line_reader lines(in, "long.traceg");
  std::uint64_t told = 0;
  accelsim_options options;
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_EQ(total, 1000000U);
    told = done;
  };
  const import_report report = import_accelsim(lines, out, options);
  EXPECT_EQ(report.instructions(), 200U * 401U);
  EXPECT_EQ(told, 200U);
  EXPECT_GT(written.total, std::size_t{3} << 20);
  EXPECT_LT(written.largest, std::size_t{1} << 17);
}

}  // namespace
}  // namespace tc::importers::accelsim_importer_test
