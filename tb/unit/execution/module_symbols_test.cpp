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

}  // namespace tc::module_symbols_test
