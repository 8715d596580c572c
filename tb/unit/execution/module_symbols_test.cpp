// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "written_kernel.hpp"

namespace tc::module_symbols_test {

using test::joined;
using test::storing;
using test::written_kernel;
using testing::HasSubstr;

/// What nvdisasm writes of a module with variables, texts, and tables of addresses.
const std::string sections = R"(	.section	.nv.constant4,"a",@progbits
	.align	8
.nv.constant4:
        /*0000*/ 	.dword	table
        /*0008*/ 	.dword	__assertfail
        /*0010*/ 	.dword	$str
        /*0018*/ 	.dword	counter
        /*0020*/ 	.dword	vprintf
	.section	.nv.constant2.written,"a",@progbits
        /*0000*/ 	.dword	(written + .L_one@srel)
        /*0008*/ 	.dword	(written + .L_two@srel)
	.section	.nv.global,"aw",@nobits
	.align	4
counter:
	.zero		4
	.section	.nv.global.init,"aw",@progbits
	.align	8
	.type		table,@object
	.size		table,(.L_0 - table)
table:
        /*0000*/ 	.byte	0x05, 0x00, 0x00, 0x00, 0x07, 0x00, 0x00, 0x00
.L_0:
$str:
        /*0008*/ 	.byte	0x6e, 0x20, 0x3e, 0x20, 0x30, 0x00
.L_1:
)";

const std::vector<std::string> lane_in_r0{"S2R R0, SR_TID.X"};

TEST(module_symbols, find_variables_of_the_module_with_their_content) {
  const auto out = written_kernel(joined({lane_in_r0,
                                          {"LDC.64 R2, c[0x4][0x0]", "LDG.E R4, [R2.64+0x4]", "LDC.64 R6, c[0x4][0x18]",
                                           "RED.E.ADD.STRONG.GPU [R6.64], R4", "LDG.E R5, [R6.64]"},
                                          storing("R5")}),
                                  "sm_90a", sections)
                       .run();
  EXPECT_EQ(out[0], 7U * 32);
}

TEST(module_symbols, send_lanes_by_a_table_of_labels) {
  // The branch counts from the begin of the kernel: it takes back what it adds.
  const auto out =
      written_kernel(
          joined({lane_in_r0,
                  {"LOP3.LUT R1, R0, 0x1, RZ, 0xc0, !PT", "IMAD R1, R1, 0x8, RZ", "LDC R2, c[0x2][R1]", "MOV R3, RZ", "BSSY B0, `(.L_end)",
                   "BRX R2 -0x70", ".L_one:", "MOV R4, 0x1", "BRA `(.L_end)", ".L_two:", "MOV R4, 0x2", ".L_end:", "BSYNC B0"},
                  storing("R4")}),
          "sm_90a", sections)
          .run();
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(out[lane], 1 + lane % 2) << lane;
}

TEST(module_symbols, call_functions_by_their_address) {
  const auto out =
      written_kernel(
          joined({lane_in_r0,
                  {"LDC.64 R2, c[0x2][0x8]", "MOV R20, 32@lo((written + .L_back@srel))", "MOV R21, RZ", "CALL.ABS.NOINC R2", ".L_back:"},
                  storing("R4"),
                  {"EXIT", ".L_one:", "NOP", ".L_two:", "IMAD R4, R0, 0x3, RZ", "RET.ABS.NODEC R20 0x0"}}),
          "sm_90a", sections)
          .run();
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(out[lane], 3 * lane) << lane;
}

TEST(module_symbols, say_which_assertion_failed_and_which_function_is_not_executed) {
  const std::vector<std::string> call{
      "LDC.64 R4, c[0x4][0x10]", "LDC.64 R6, c[0x4][0x10]", "MOV R8, 0x2a", ".L_one:", ".L_two:", "CALL.ABS.NOINC R2"};
  EXPECT_THAT(written_kernel(joined({{"LDC.64 R2, c[0x4][0x8]"}, call}), "sm_90a", sections).fault(),
              HasSubstr("lane 0 of warp 0 of CTA 0 0 0: the assertion 'n > 0' failed: n > 0:42"));
  EXPECT_THAT(written_kernel(joined({{"LDC.64 R2, c[0x4][0x20]"}, call}), "sm_90a", sections).fault(),
              HasSubstr("it calls vprintf, which is not executed"));
}

/// Functions of the module, each a section of its own, and data that hold their addresses.
const std::string functions = R"(	.section	.nv.constant3,"a",@progbits
factors:
        /*0000*/ 	.word	0x2, 0x7
last:
        /*0008*/ 	.byte	0x5, 0x0
	.section	.nv.global.init,"aw",@progbits
table:
        /*0000*/ 	.dword	triple
        /*0008*/ 	.dword	plus_one
	.section	.text.triple,"ax",@progbits
        .type           triple,@function
triple:
        /*0000*/  MOV R30, R20 ;  /* 0x0000000000007918 */
   /* 0x000fc00000000000 */
        /*0010*/  MOV R20, 32@lo((triple + .L_inner@srel)) ;  /* 0x0000000000007918 */
   /* 0x000fc00000000000 */
        /*0020*/  CALL.ABS.NOINC `(plus_one) ;  /* 0x0000000000007918 */
   /* 0x000fc00000000000 */
.L_inner:
        /*0030*/  IMAD R4, R4, 0x3, RZ ;  /* 0x0000000000007918 */
   /* 0x000fc00000000000 */
        /*0040*/  MOV R20, R30 ;  /* 0x0000000000007918 */
   /* 0x000fc00000000000 */
        /*0050*/  RET.ABS.NODEC R20 0x0 ;  /* 0x0000000000007918 */
   /* 0x000fc00000000000 */
	.section	.text.plus_one,"ax",@progbits
        .type           plus_one,@function
plus_one:
        /*0000*/  IADD3 R4, R4, 0x1, RZ ;  /* 0x0000000000007918 */
   /* 0x000fc00000000000 */
        /*0010*/  RET.ABS.NODEC R20 0x0 ;  /* 0x0000000000007918 */
   /* 0x000fc00000000000 */
)";

const std::vector<std::string> back_to_the_kernel{"MOV R20, 32@lo((written + .L_back@srel))", "MOV R21, 32@hi((written + .L_back@srel))"};

TEST(module_symbols, call_functions_that_are_sections_of_their_own) {
  const auto out =
      written_kernel(joined({lane_in_r0, {"MOV R4, R0"}, back_to_the_kernel, {"CALL.ABS.NOINC `(triple)", ".L_back:"}, storing("R4")}),
                     "sm_90a", functions)
          .run();
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(out[lane], 3 * (lane + 1)) << lane;
}

TEST(module_symbols, call_functions_by_a_table_of_the_module) {
  const auto out = written_kernel(joined({lane_in_r0,
                                          {"MOV R4, R0", "MOV R2, 32@lo(table)", "MOV R3, 32@hi(table)",
                                           "LOP3.LUT R1, R0, 0x1, RZ, 0xc0, !PT", "IMAD.WIDE.U32 R2, R1, 0x8, R2", "LDG.E.64 R2, [R2.64]"},
                                          back_to_the_kernel,
                                          {"BSSY B0, `(.L_back)", "CALL.ABS.NOINC R2", ".L_back:", "BSYNC B0"},
                                          storing("R4")}),
                                  "sm_90a", functions)
                       .run();
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(out[lane], lane % 2 == 0 ? 3 * (lane + 1) : lane + 1) << lane;
}

TEST(module_symbols, find_variables_in_constant_banks) {
  const std::vector<std::string> code = joined({{"UMOV UR4, `(last)", "MOV R1, UR4", "LDC.U16 R4, c[0x3][R1]"}, storing("R4")});
  EXPECT_EQ(written_kernel(code, "sm_90a", functions).run()[0], 5U);
  EXPECT_EQ(written_kernel(code, "sm_90a", functions).constant("last", 0x30000, {9, 1}).run()[0], 0x109U) << "what the launch says counts";
}

TEST(module_symbols, let_constant_variables_be_read_as_global_memory) {
  const std::vector<std::string> code = joined({{"MOV R2, c[0x0][0xd0]", "MOV R3, c[0x0][0xd4]", "LDG.E R4, [R2.64+0x4]"}, storing("R4")});
  EXPECT_EQ(written_kernel(code, "sm_90a", functions).run()[0], 7U);
  EXPECT_EQ(written_kernel(code, "sm_90a", functions).constant("factors", 0x30000, {1, 0, 0, 0, 8, 0, 0, 0}).run()[0], 8U);
}

TEST(module_symbols, name_the_function_of_the_module_in_which_something_is_wrong) {
  EXPECT_THAT(written_kernel(joined({back_to_the_kernel, {"CALL.ABS.NOINC `(vprintf)", ".L_back:"}}), "sm_90a", functions).fault(),
              HasSubstr("'CALL.ABS.NOINC `(vprintf)' at 0x0020, lane 0 of warp 0 of CTA 0 0 0: it calls vprintf, which is not executed"));
  EXPECT_THAT(
      written_kernel(joined({{"MOV R20, 0x8", "MOV R21, RZ", "CALL.ABS.NOINC `(plus_one)"}, {".L_back:"}}), "sm_90a", functions).fault(),
      HasSubstr("'RET.ABS.NODEC R20 0x0' at 0x0010 of plus_one"));
}

TEST(module_symbols, of_a_call_through_no_pointer_are_none) {
  EXPECT_THAT(
      written_kernel({"MOV R2, RZ", "MOV R3, RZ", "CALL.ABS.NOINC R2"}).fault(),
      HasSubstr("'CALL.ABS.NOINC R2' at 0x0020, lane 0 of warp 0 of CTA 0 0 0: it goes to 0x0, where the kernel has no instruction"));
}

/// What cooperative groups do: each CTA adds to a word of the workspace and waits until all have.
TEST(module_symbols, give_ctas_of_a_cooperative_launch_a_place_to_meet) {
  const std::vector<std::string> code =
      joined({{"MOV R2, c[0x0][0x48]", "MOV R3, c[0x0][0x44]", "MOV R4, 0x1", "RED.E.ADD.STRONG.GPU [R2.64+0x4], R4",
               ".L_wait:", "LDG.E.STRONG.GPU R4, [R2.64+0x4]", "ISETP.NE.AND P0, PT, R4, 0x60, PT", "@P0 BRA `(.L_wait)"},
              storing("R4")});
  EXPECT_EQ(written_kernel(code).grid(3).cooperative().run()[0], 96U);
  EXPECT_THAT(written_kernel(code).grid(3).fault(), HasSubstr("it is outside of all allocations"));
}

}  // namespace tc::module_symbols_test
