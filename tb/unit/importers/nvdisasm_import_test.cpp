// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <scratch_folder.hpp>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/importers/nvdisasm_import.hpp>
#include <tc/trace/trace.hpp>
#include <tc/trace/trace_error.hpp>

#include "listings/sass_text.hpp"

namespace tc::importers::nvdisasm_import_test {
namespace {

using lines = std::vector<std::string>;

/// Kernels that are written here, for two warps of sm_80. Constant c[0x0][0x160] holds 0x1000.
class nvdisasm_import : public testing::Test {
 protected:
  nvdisasm_import() {
    launch.header.arch = isa::architecture::sm_80;
    launch.header.kernel = "kernel";
    launch.header.block = {48, 1, 1};
    launch.header.constants.push_back({0, 0x160, trace::memory_content::literal({0, 0x10, 0, 0, 0, 0, 0, 0})});
  }

  import_report import(const lines& code, const std::string& target = "sm_80") {
    const auto listing = listings::test::write_text(folder_.path(), listings::test::sass_text(target, code));
    std::stringstream out;
    import_report report = import_nvdisasm(listings::read_sass(listing), launch, out);
    text_ = out.str();
    return report;
  }

  /// What the trace says behind the text of the instructions at a pc, warp after warp.
  lines said_of(const std::string& pc) const {
    lines found;
    std::istringstream trace(text_);
    for (std::string line; std::getline(trace, line);)
      if (line.rfind("/*" + pc + "*/", 0) == 0) found.push_back(line.substr(std::min({line.find(" mask"), line.find(" @ "), line.size()})));
    return found;
  }

  /// All of the code, which must be importable.
  lines said_of(const std::string& pc, const lines& code) {
    const import_report report = import(code);
    EXPECT_TRUE(report.gaps().empty()) << report.gaps().front().what;
    std::istringstream trace(text_);
    EXPECT_NO_THROW(trace::trace::read(trace, "imported"));
    return said_of(pc);
  }

  const std::string& text_of_trace() const { return text_; }

  std::string error_of(const lines& code) {
    try {
      import(code);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "no error";
  }

  void expect_error(const lines& code, const lines& words) {
    const std::string error = error_of(code);
    for (const std::string& word : words) EXPECT_NE(error.find(word), std::string::npos) << error;
  }

  /// The only gap of the code.
  import_gap gap_of(const lines& code, const std::string& target = "sm_80") {
    const import_report report = import(code, target);
    EXPECT_EQ(report.gaps().size(), 1U);
    return report.gaps().empty() ? import_gap{} : report.gaps().front();
  }

  kernel_launch launch;

 private:
  scratch_folder folder_;
  std::string text_;
};

TEST_F(nvdisasm_import, computes_addresses_of_the_lanes_that_are_there) {
  const lines code{"S2R R2, SR_TID.X", "IMAD.MOV.U32 R3, RZ, RZ, 0x4", "IMAD.WIDE.U32 R4, R2, R3, c[0x0][0x160]", "LDG.E R6, [R4.64+0x8]",
                   "EXIT"};
  EXPECT_EQ(said_of("0030", code), (lines{" @ 0x1008+4", " @ 0x1088+4"})) << "32 lanes, then 16";
}

TEST_F(nvdisasm_import, masks_follow_from_predicates) {
  const lines code{"S2R R2, SR_TID.X", "ISETP.LT.AND P0, PT, R2, 0x4, PT", "@P0 STS [R2.X4], R2", "@!P0 EXIT", "STS [R2.X4], R2", "EXIT"};
  launch.header.shared_bytes = 256;
  EXPECT_EQ(said_of("0020", code), (lines{" mask 0000000f @ 0x0+4", " mask 00000000"}));
  EXPECT_EQ(said_of("0040", code), (lines{" mask 0000000f @ 0x0+4"})) << "lanes that have left take no part, and warp 1 is gone";
}

TEST_F(nvdisasm_import, loops_end_by_themselves_or_at_the_limit) {
  const lines loop{"UMOV UR4, 0x3",
                   ".L_x_0",
                   "UIADD3 UR4, UR4, -0x1, URZ",
                   "UISETP.NE.AND UP0, UPT, UR4, URZ, UPT",
                   "PLOP3.LUT P0, PT, PT, PT, UP0, 0x80, 0x0",
                   "@P0 BRA `(.L_x_0)",
                   "EXIT"};
  const import_report report = import(loop);
  EXPECT_EQ(report.instructions(), 2U * (2 + 3 * 4)) << "of two warps";
  launch.max_instructions = 13;
  expect_error(loop, {"kernel.sass:15:19", "has executed 13 instructions"});
}

TEST_F(nvdisasm_import, follows_lanes_that_part_and_come_together_again) {
  const lines code{"S2R R2, SR_TID.X",
                   "ISETP.LT.AND P0, PT, R2, 0x4, PT",
                   "BSSY B0, `(.L_x_1)",
                   "@P0 BRA `(.L_x_0)",
                   "MOV R4, 0x20",
                   "BRA `(.L_x_1)",
                   ".L_x_0",
                   "MOV R4, 0x10",
                   ".L_x_1",
                   "BSYNC B0",
                   "LDG.E R5, [R4.U32]",
                   "EXIT"};
  EXPECT_EQ(said_of("0040", code)[0], " mask fffffff0");
  EXPECT_EQ(said_of("0060")[0], " mask 0000000f");
  EXPECT_EQ(said_of("0080")[0].substr(0, 22), " @ {0x10, 0x10, 0x10, ") << "all lanes are together again";
  EXPECT_NE(said_of("0080")[0].find("0x10, 0x20, "), std::string::npos);
}

TEST_F(nvdisasm_import, names_branches_that_it_cannot_follow) {
  const lines loaded{"LDG.E R2, [RZ.64+0x100]", "ISETP.LT.AND P0, PT, R2, 0x4, PT", ".L_x_0", "@P0 BRA `(.L_x_0)", "EXIT"};
  expect_error(loaded, {"kernel.sass:9:19: '@P0 BRA `(.L_x_0)' at 0x0020, warp 0", "depends on P0, which is unknown",
                        "from 'LDG.E R2, [RZ.64+0x100]' at 0000: nothing gives the content of that global memory at 0x100"});
  expect_error({"BRX R2 0x0", "EXIT"}, {"depends on R2, which is unknown (nothing has written it)"});
  expect_error({"@P0 BRA 0x0", "EXIT"}, {"depends on P0, which is unknown (nothing has written it)"});
  expect_error({"ISETP.LT.AND P0, PT, RZ, c[0x0][0x170], PT", "@!P0 EXIT", "EXIT"}, {"depends on P0", "c[0x0][0x170] is not given"});
  expect_error({"RET.REL.NODEC R2 `(kernel)"}, {"kernel.sass:4:19", "depends on R2, which is unknown"});
  expect_error({"CALL.REL.NOINC `(helper)"}, {"it calls helper, which is not executed"});
  expect_error({"CALL.ABS.NOINC R2"}, {"depends on R2"});
  expect_error({"BRA 0x40"}, {"goes to 0x40, where the kernel has no instruction"});
  expect_error({"NOP"}, {"behind the kernel's last instruction"});
}

TEST_F(nvdisasm_import, executes_with_the_memory_that_is_given) {
  launch.header.memory.push_back({0x100, trace::memory_content::literal({3, 0, 0, 0, 0, 0x20, 0, 0})});
  launch.header.shared_bytes = 256;
  const lines loop{"LDG.E R2, [RZ.64+0x100]", ".L_x_0", "IADD3 R2, R2, -0x1, RZ", "ISETP.NE.AND P0, PT, R2, RZ, PT",
                   "@P0 BRA `(.L_x_0)",       "EXIT"};
  EXPECT_EQ(said_of("0010", loop).size(), 2U * 3) << "three times around, in two warps";
  const lines pointer{"LDG.E R2, [RZ.64+0x104]", "STS [RZ], R2", "LDS R3, [RZ]", "MOV R4, R3", "LDG.E R5, [R4.U32+0x4]", "EXIT"};
  EXPECT_EQ(said_of("0040", pointer)[0], " @ 0x2004") << "through shared memory";
  const lines shuffled{"S2R R2, SR_LANEID", "SHFL.IDX PT, R3, R2, 0x5, 0x1f", "SHF.L.U32 R3, R3, 0x2, RZ", "LDG.E R5, [R3.U32]", "EXIT"};
  EXPECT_EQ(said_of("0030", shuffled)[0], " @ 0x14") << "between lanes";
}

TEST_F(nvdisasm_import, keeps_what_is_saved_for_others) {
  launch.header.shared_bytes = 256;
  const lines saved{"MOV R2, 0x40",           "ISETP.EQ.AND P1, PT, R2, 0x40, PT",
                    "P2R R3, PR, RZ, 0x7f",   "STS [RZ], R3",
                    "LDS R4, [RZ]",           "R2P PR, R4, 0x7f",
                    "@P1 LDG.E R5, [R2.U32]", "BMOV.32.CLEAR R6, B5",
                    "BMOV.32 B5, R6",         "EXIT"};
  EXPECT_EQ(said_of("0060", saved)[0], " @ 0x40") << "predicates that nothing has written are saved with the others";
}

TEST_F(nvdisasm_import, follows_memory_that_atomic_operations_change) {
  launch.header.memory.push_back({0x100, trace::memory_content::literal({0x10, 0, 0, 0})});
  launch.header.block = {1, 1, 1};
  const lines code{"MOV R2, 0x30",
                   "ATOMG.E.ADD.STRONG.GPU PT, R3, desc[UR6][RZ.64+0x100], R2",
                   "LDG.E R4, [RZ.64+0x100]",
                   "LDG.E R5, [R4.U32]",
                   "LDG.E R5, [R3.U32]",
                   "EXIT"};
  EXPECT_EQ(said_of("0030", code)[0], " @ 0x40");
  EXPECT_EQ(said_of("0040")[0], " @ 0x10");
}

TEST_F(nvdisasm_import, writes_ctas_in_their_order_also_if_one_waits_for_the_next) {
  launch.header.memory.push_back({0x100, trace::memory_content::literal({0, 0, 0, 0})});
  launch.header.block = {32, 1, 1};
  launch.header.grid = {2, 1, 1};
  const lines code{"S2R R2, SR_CTAID.X",
                   "ISETP.NE.AND P0, PT, R2, RZ, PT",
                   "@P0 BRA `(.L_x_1)",
                   ".L_x_0",
                   "LDG.E R3, [RZ.64+0x100]",
                   "ISETP.EQ.AND P1, PT, R3, RZ, PT",
                   "@P1 BRA `(.L_x_0)",
                   "EXIT",
                   ".L_x_1",
                   "MOV R4, 0x1",
                   "STG.E [RZ.64+0x100], R4",
                   "EXIT"};
  EXPECT_TRUE(import(code).gaps().empty());
  const std::string& text = text_of_trace();
  EXPECT_LT(text.find("cta 0 0 0"), text.find("cta 1 0 0"));
  EXPECT_GT(text.size(), 1'000'000U) << "it has waited";
}

TEST_F(nvdisasm_import, reads_of_given_memory_what_the_kernel_touches) {
  launch.header.memory.push_back({0x10, trace::memory_content::filled(std::uint64_t{1} << 45, 0x20)});
  launch.header.block = {1, 1, 1};
  const lines code{"MOV R2, 0xfffc",     "MOV R3, 0x3", "LDG.E R4, [R2.64]", "LOP3.LUT R4, R4, 0xfc, RZ, 0xc0, !PT",
                   "LDG.E R5, [R4.U32]", "EXIT"};
  EXPECT_EQ(said_of("0040", code)[0], " @ 0x20");
  EXPECT_EQ(gap_of({"LDG.E R2, [RZ.64+0xc]", "LDG.E R5, [R2.U32]", "EXIT"}).count, 1U) << "in front of it nothing is given";
}

TEST_F(nvdisasm_import, says_where_an_unknown_value_was_loaded_first) {
  launch.header.shared_bytes = 256;
  const lines code{"LDG.E R2, [RZ.64+0x100]", "STS [RZ], R2", "LDS R3, [RZ]", "LDG.E R5, [R3.U32+0x4]", "EXIT"};
  EXPECT_EQ(gap_of(code).what,
            "the address of 'LDG.E R5, [R3.U32+0x4]' at 0030: R3 is unknown, from 'LDG.E R2, [RZ.64+0x100]' at 0000: nothing gives the "
            "content of that global memory");
  EXPECT_EQ(gap_of({"LDS R3, [RZ+0x40]", "LDG.E R5, [R3.U32]", "EXIT"}).what,
            "the address of 'LDG.E R5, [R3.U32]' at 0010: R3 is unknown, from 'LDS R3, [RZ+0x40]' at 0000: nothing gives the content of "
            "that shared memory");
}

TEST_F(nvdisasm_import, warps_wait_for_what_others_store) {
  launch.header.shared_bytes = 256;
  const lines code{"S2R R2, SR_TID.X",
                   "SHF.R.U32.HI R2, RZ, 0x5, R2",
                   "ISETP.NE.AND P0, PT, R2, RZ, PT",
                   "MOV R4, 0x40",
                   "@P0 STS [RZ], R4",
                   "BAR.SYNC 0x0",
                   "LDS R3, [RZ]",
                   "LDG.E R5, [R3.U32]",
                   "EXIT"};
  EXPECT_EQ(said_of("0070", code), (lines{" @ 0x40", " @ 0x40"})) << "warp 0 loads what warp 1 has stored";
}

TEST_F(nvdisasm_import, goes_where_cuobjdump_writes_a_number) {
  EXPECT_EQ(import({"BRA 0x20", "UNKNOWN", "EXIT"}).instructions(), 2U * 2);
  EXPECT_EQ(import({"BRA.U 0x20", "UNKNOWN", "EXIT"}).instructions(), 2U * 2);
}

TEST_F(nvdisasm_import, follows_calls_and_returns) {
  const lines call{"MOV R4, 32@lo((kernel + .L_x_1@srel))",
                   "MOV R5, 32@hi((kernel + .L_x_1@srel))",
                   "CALL.REL.NOINC `(.L_helper)",
                   ".L_x_1",
                   "EXIT",
                   ".L_helper",
                   "NOP",
                   "RET.REL.NODEC R4 `(kernel)"};
  EXPECT_EQ(import(call).instructions(), 2U * 6);
  EXPECT_NE(text_of_trace().find("MOV R4, 0x30"), std::string::npos) << "a trace has no labels to compute with";
  EXPECT_EQ(import({"MOV R4, 0x30", "MOV R5, 0x0", "CALL.ABS.NOINC 0x40", "EXIT", "RET.ABS.NODEC R4 0x0"}).instructions(), 2U * 5);
  EXPECT_EQ(import({"MOV R4, 0x30", "MOV R5, 0x0", "BRX R4 -0x30", "EXIT"}).instructions(), 2U * 4);
  expect_error({"S2R R4, SR_TID.X", "MOV R5, RZ", "RET.REL.NODEC R4 `(kernel)"}, {"it goes to 0x1, where the kernel has no instruction"});
}

TEST_F(nvdisasm_import, needs_no_form_for_what_no_warp_reaches) {
  const import_report report = import({"EXIT", "UNKNOWN.X R1", "EXIT"});
  EXPECT_TRUE(report.gaps().empty());
  EXPECT_EQ(report.instructions(), 2U);
  launch.addresses[0x10] = "0x100";
  EXPECT_NO_THROW(import({"EXIT", "UNKNOWN.X [R1]", "EXIT"}));
}

TEST_F(nvdisasm_import, reads_all_words_before_it_writes_one) {
  launch.header.constants.front().content = trace::memory_content::literal({0x68, 0x01, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(said_of("0020", {"MOV R2, 0x160", "LDC.64 R2, c[0x0][R2]", "LDG.E R4, [R2.64]", "EXIT"})[0], " @ 0x168");
  EXPECT_EQ(said_of("0020", {"MOV R3, 0x160", "LDC.64 R2, c[0x0][R3]", "LDG.E R4, [R2.64]", "EXIT"})[0], " @ 0x168");
  EXPECT_EQ(said_of("0020", {"MOV R4, 0x160", "LDC.128 R4, c[0x0][R4]", "LDG.E R8, [R4.64]", "EXIT"})[0], " @ 0x168");
  EXPECT_EQ(said_of("0020", {"UMOV UR4, 0x160", "ULDC.64 UR4, c[0x0][UR4]", "LDG.E R4, [UR4.64]", "EXIT"})[0], " @ 0x168");
  EXPECT_EQ(said_of("0030", {"MOV R2, 0x10", "MOV R3, 0x0", "IMAD.WIDE.U32 R2, R2, 0x4, R2", "LDG.E R4, [R2.64]", "EXIT"})[0], " @ 0x50");
}

TEST_F(nvdisasm_import, lists_what_is_unknown_with_its_origin) {
  const lines code{"IMAD.MOV.U32 R2, RZ, RZ, c[0x0][0x170]", "IADD3 R4, R2, 0x4, RZ", "LDS R5, [R4]", "EXIT"};
  const import_gap gap = gap_of(code);
  EXPECT_EQ(gap.what,
            "the address of 'LDS R5, [R4]' at 0020: R4 is unknown, from 'IMAD.MOV.U32 R2, RZ, RZ, c[0x0][0x170]' at 0000: "
            "c[0x0][0x170] is not given");
  EXPECT_EQ(gap.count, 2U) << "two warps";
  const import_gap clock = gap_of({"CS2R R2, SR_CLOCKLO", "ISETP.LT.AND P0, PT, R2, 0x4, PT", "@P0 MOV R7, 0x1", "EXIT"});
  EXPECT_EQ(clock.what, "the lanes of 'MOV R7, 0x1' at 0020: P0 is unknown, from 'CS2R R2, SR_CLOCKLO' at 0000");
}

TEST_F(nvdisasm_import, says_which_barrier_a_register_names) {
  const auto bar_of = [&](const lines& code) {
    const import_report report = import(code);
    EXPECT_TRUE(report.gaps().empty()) << report.gaps().front().what;
    std::istringstream trace(text_of_trace());
    EXPECT_NO_THROW(trace::trace::read(trace, "imported"));
    lines found;
    std::istringstream text(text_of_trace());
    for (std::string line; std::getline(text, line);)
      if (line.find("BAR") != std::string::npos) found.push_back(line.substr(line.find("] ") + 2));
    return found;
  };
  // Warp 0 has the threads 0 to 31.
  const lines half{"S2R R2, SR_TID.X", "SHF.R.U32.HI R2, RZ, 0x5, R2"};
  const auto with_half = [&](const std::string& bar) {
    lines code = half;
    code.insert(code.end(), {"MOV R3, 0x40", "MOV R4, 0x400002", "MOV R5, 0x1", bar, "EXIT"});
    return bar_of(code);
  };
  EXPECT_EQ(with_half("BAR.SYNC.DEFER_BLOCKING R5"), (lines{"BAR.SYNC.DEFER_BLOCKING 0x1", "BAR.SYNC.DEFER_BLOCKING 0x1"}));
  EXPECT_EQ(with_half("BAR.SYNC R2, 0x20")[1], "BAR.SYNC 0x1, 0x20");
  EXPECT_EQ(with_half("BAR.SYNC 0x3, R3")[0], "BAR.SYNC 0x3, 0x40");
  EXPECT_EQ(with_half("BAR.ARV R4, R4")[0], "BAR.ARV 0x2, 0x40") << "one register for both";
  EXPECT_EQ(with_half("BAR.RED.POPC R2, 0x20, !P1")[0], "BAR.RED.POPC 0x0, 0x20, !P1");
}

TEST_F(nvdisasm_import, needs_to_know_the_barrier) {
  EXPECT_EQ(gap_of({"BAR.SYNC R5", "EXIT"}).what, "the barrier of 'BAR.SYNC R5' at 0000: R5 is unknown, nothing has written it");
  expect_error({"MOV R3, 0x10", "BAR.SYNC R3", "EXIT"}, {"kernel.sass:6:19", "'BAR.SYNC R3' at 0x0010", "0x0 to 0xf, found '0x10'"});
  const import_gap gap = gap_of({"S2R R2, SR_TID.X", "BAR.SYNC R2", "EXIT"});
  EXPECT_NE(gap.what.find("the barrier of 'BAR.SYNC R2' at 0010: R2"), std::string::npos) << gap.what;
}

TEST_F(nvdisasm_import, takes_given_addresses) {
  launch.addresses[0x0] = "{0x10, 0x20}";
  expect_error({"LDG.E R5, [R4.64]", "EXIT"}, {"'{0x10, 0x20}'", "LDG.E R5, [R4.64]", "2 addresses for 32 lanes"});
  launch.addresses[0x0] = "0x100+4";
  EXPECT_EQ(said_of("0000", {"LDG.E R5, [R4.64]", "EXIT"}), (lines{" @ 0x100+4", " @ 0x100+4"}));
  expect_error({"EXIT"}, {"given for pc 0000", "'EXIT' accesses no memory"});
  launch.addresses[0x40] = "0x0";
  expect_error({"LDG.E R5, [R4.64]", "EXIT"}, {"given for pc 0040", "0000, 0010, ... 0010"});
}

TEST_F(nvdisasm_import, refuses_addresses_that_the_instruction_cannot_access) {
  expect_error({"IMAD.MOV.U32 R4, RZ, RZ, 0x2", "LDG.E R5, [R4.U32]", "EXIT"}, {"kernel.sass:6:19", "multiple of 4"});
  expect_error({"LDS R5, [RZ]", "EXIT"}, {"window"});
}

TEST_F(nvdisasm_import, tells_what_is_recorded_but_not_executed) {
  const import_report report = import({"B2R R2, 0x0", "NOP", "EXIT"});
  EXPECT_TRUE(report.gaps().empty());
  ASSERT_EQ(report.notes().size(), 1U) << "once, though two warps come there";
  EXPECT_NE(report.notes().front().find("kernel.sass:4:19: 'B2R R2, 0x0' at 0x0000 is recorded, but not executed"), std::string::npos);
}

TEST_F(nvdisasm_import, lists_opcodes_without_a_form_in_traces) {
  const import_gap gap = gap_of({"UTCBAR [UR4], URZ", "UTCBAR [UR6], URZ", "EXIT"}, "sm_100a");
  EXPECT_EQ(gap.what, "UTCBAR: traces hold instructions on tensor memory as PTX, which is not made of machine code");
  EXPECT_EQ(gap.count, 2U);
  EXPECT_EQ(gap.stand_in, "nothing");
  EXPECT_NE(gap_of({"@P7 MOV R1, R2", "EXIT"}).what.find("there is no register P7"), std::string::npos);
}

}  // namespace
}  // namespace tc::importers::nvdisasm_import_test
