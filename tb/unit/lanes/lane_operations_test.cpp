// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/isa/instruction_parser.hpp>
#include <tc/isa/special_register.hpp>
#include <tc/lanes/lane_operations.hpp>

namespace tc::lanes::lane_operations_test {
namespace {

constexpr std::uint32_t all = 0xffffffff;
constexpr std::uint64_t yes = 1, no = 0;

/// One instruction with the value of each register, pair or predicate source in the order of its text, and what must come out. Immediates
/// and the zero registers need no value.
struct operation_case {
  const char* text;
  std::vector<std::uint64_t> values;
  std::vector<std::uint64_t> expected;  ///< of each destination, in order
};

std::ostream& operator<<(std::ostream& out, const operation_case& test) { return out << test.text; }

bool is_predicate(const isa::operand& o) {
  return o.is_register(isa::register_file::predicate) || o.is_register(isa::register_file::uniform_predicate);
}

bool reads_as_constant(const isa::operand& o) {
  if (is_predicate(o)) return o.index == isa::true_predicate;
  return o.is_register(isa::register_file::vector) ? o.index == isa::zero_register : o.index == isa::zero_uniform_register;
}

class lane_operation : public testing::TestWithParam<operation_case> {};

TEST_P(lane_operation, computes) {
  const isa::instruction code = isa::parse_operation(GetParam().text, isa::architecture::sm_90);
  ASSERT_TRUE(computes_lanes(code));
  std::array<warp::lane_vector, isa::instruction::max_sources> low{}, high{};
  std::array<lane_source, isa::instruction::max_sources> sources{};
  std::size_t next = 0;
  for (unsigned s = 0; s < code.source_count; ++s) {
    const isa::operand& o = code.sources[s];
    std::uint64_t value = o.value;
    if (o.what == isa::operand::kind::reg) value = reads_as_constant(o) ? (is_predicate(o) ? yes : no) : GetParam().values.at(next++);
    low[s] = warp::broadcast(static_cast<std::uint32_t>(value));
    high[s] = warp::broadcast(static_cast<std::uint32_t>(value >> 32));
    sources[s] = {&low[s], &high[s], value != 0 ? all : 0};
  }
  ASSERT_EQ(next, GetParam().values.size());

  lane_result result;
  execute_lanes(code, sources, result);
  ASSERT_EQ(code.destination_count, GetParam().expected.size());
  for (unsigned d = 0; d < code.destination_count; ++d) {
    const isa::operand& o = code.destinations[d];
    const std::uint64_t expected = GetParam().expected[d];
    if (is_predicate(o)) {
      EXPECT_EQ(result.predicates[d], expected != 0 ? all : 0) << "destination " << d;
    } else {
      EXPECT_EQ(result.registers[0], warp::broadcast(static_cast<std::uint32_t>(expected))) << "destination " << d;
      if (o.count == 2) {
        EXPECT_EQ(result.registers[1], warp::broadcast(static_cast<std::uint32_t>(expected >> 32)));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    addition, lane_operation,
    testing::Values(operation_case{"IADD3 R0, R1, R2, R3", {1, 2, 0xfffffffe}, {1}},
                    operation_case{"IADD3 R0, P0, R1, R2, RZ", {0xffffffff, 1}, {0, yes}},
                    operation_case{"IADD3 R0, P0, R1, R2, RZ", {0xfffffffe, 1}, {0xffffffff, no}},
                    operation_case{"IADD3 R0, P1, P2, R1, R2, R3", {0xffffffff, 0xffffffff, 0xffffffff}, {0xfffffffd, yes, yes}},
                    operation_case{"IADD3 R0, P1, P2, R1, R2, R3", {0xffffffff, 1, 1}, {1, yes, no}},
                    operation_case{"IADD3 R0, P1, P2, R1, R2, R3", {1, 1, 0xfffffffe}, {0, yes, no}},
                    operation_case{"IADD3 R0, P0, -R1, R2, RZ", {5, 7}, {2, yes}},          // no borrow
                    operation_case{"IADD3 R0, P0, -R1, R2, RZ", {7, 5}, {0xfffffffe, no}},  // borrow
                    operation_case{"IADD3 R0, P0, R1, -R2, RZ", {5, 5}, {0, yes}},          //
                    operation_case{"IADD3 R0, P0, R1, -R2, RZ", {5, 0}, {5, yes}},          // minus zero borrows nothing
                    operation_case{"IADD3.X R0, ~R1, R2, RZ, P0, !PT", {1, 3, yes}, {2}},   // upper half of a subtraction without borrow
                    operation_case{"IADD3.X R0, ~R1, R2, RZ, P0, !PT", {1, 3, no}, {1}},    // and with it
                    operation_case{"IADD3.X R0, R1, R2, R3, P1, P2", {1, 2, 3, yes, yes}, {8}},  //
                    operation_case{"IADD3.X R0, R1, R2, R3, P1, P2", {1, 2, 3, no, yes}, {7}},   //
                    operation_case{"UIADD3.X UR0, URZ, UR1, URZ, UP0, !UPT", {0xffffffff, yes}, {0}},
                    operation_case{"UIADD3 UR0, UP0, -UR1, UR2, URZ", {3, 2}, {0xffffffff, no}},
                    operation_case{"VIADD R0, R1, 0x80", {0xffffff90}, {0x10}}, operation_case{"VIADD R0, R1, -R2", {3, 5}, {0xfffffffe}}));

INSTANTIATE_TEST_SUITE_P(
    multiplication, lane_operation,
    testing::Values(
        operation_case{"IMAD R0, R1, R2, R3", {7, 0xffffffff, 10}, {3}}, operation_case{"IMAD.IADD R0, R1, 0x1, -R2", {3, 5}, {0xfffffffe}},
        operation_case{"IMAD R0, R1, -R2, R3", {3, 5, 20}, {5}}, operation_case{"IMAD.MOV.U32 R0, RZ, RZ, R1", {0x12345678}, {0x12345678}},
        operation_case{"IMAD.SHL.U32 R0, R1, 0x10, RZ", {0x12345678}, {0x23456780}},
        operation_case{"IMAD.X R0, RZ, RZ, R1, P0", {9, yes}, {10}}, operation_case{"IMAD.X R0, R1, 0x1, ~R2, P0", {5, 3, yes}, {2}},
        operation_case{"IMAD.WIDE R0, R2, R3, R4", {0xffffffff, 3, 10}, {7}},                // -1 * 3 + 10
        operation_case{"IMAD.WIDE.U32 R0, R2, R3, R4", {0xffffffff, 3, 10}, {0x300000007}},  //
        operation_case{"IMAD.WIDE.U32 R0, R2, R3, -R4", {2, 3, 10}, {0xfffffffffffffffc}},   // 6 - 10
        operation_case{"IMAD.WIDE R0, R2, 0x4, R4", {0x80000000, 0x200000000}, {0}},         //
        operation_case{"IMAD.WIDE.U32 R0, P0, R2, R3, R4", {0xffffffff, 0xffffffff, 0x1ffffffff}, {0, yes}},
        operation_case{"IMAD.WIDE.U32.X R0, R2, R3, R4, P0", {2, 3, 10, yes}, {17}},
        operation_case{"IMAD.WIDE.U32.X R0, R2, R3, R4, P0", {2, 3, 10, no}, {16}},
        operation_case{
            "IMAD.WIDE.U32.X R0, P1, R2, R3, R4, P0", {0xffffffff, 0xffffffff, 0x1fffffffe, yes}, {0, yes}},  // by the carry alone
        operation_case{"IMAD.HI.U32 R0, R1, R2, R4", {0x80000000, 4, 0}, {2}},
        operation_case{"IMAD.HI.U32 R0, R1, R2, R4", {0x80000000, 4, 0x700000000}, {9}},  // the addend is a pair
        operation_case{"IMAD.HI R0, R1, R2, RZ", {0xffffffff, 4}, {0xffffffff}},
        operation_case{"UIMAD UR0, UR1, UR2, UR3", {5, 6, 7}, {37}}));

INSTANTIATE_TEST_SUITE_P(
    shifted_addition, lane_operation,
    testing::Values(operation_case{"LEA R0, R1, R2, 0x4", {3, 5}, {53}},
                    operation_case{"LEA R0, P0, R1, R2, 0x4", {0x10000001, 0xfffffff0}, {0, yes}},     // carry of the addition only
                    operation_case{"LEA R0, P0, R1, R2, 0x4", {0x10000001, 5}, {21, no}},              //
                    operation_case{"LEA R0, P0, -R1, R2, 0x2", {1, 9}, {5, yes}},                      //
                    operation_case{"LEA.HI R0, R1, R2, RZ, 0x1", {0x80000000, 6}, {7}},                //
                    operation_case{"LEA.HI R0, R1, R2, R3, 0x8", {0xab000000, 1, 0x11}, {0x11ac}},     // ({R3, R1} << 8) >> 32, + R2
                    operation_case{"LEA.HI.X R0, R1, R2, R3, 0x2, P0", {0x80000000, 1, 1, yes}, {8}},  //
                    operation_case{"LEA.HI.X.SX32 R0, R1, R2, 0x1, P1", {0xffffffff, 5, yes}, {5}},    // the sign above R1 is added
                    operation_case{"LEA.HI.X.SX32 R0, R1, R2, 0x1, P1", {0x80000000, 5, no}, {4}},
                    operation_case{"ULEA UR0, UR1, UR2, 0x18", {1, 0x400}, {0x1000400}}));

INSTANTIATE_TEST_SUITE_P(
    logic, lane_operation,
    testing::Values(operation_case{"LOP3.LUT R0, R1, R2, R3, 0xc0, !PT", {0xff00ff00, 0xf0f0f0f0, 0}, {0xf000f000}},
                    operation_case{"LOP3.LUT R0, R1, R2, R3, 0xf8, !PT", {0xff000000, 0x00f0f000, 0x0ff00000}, {0xfff00000}},
                    operation_case{"LOP3.LUT R0, R1, R2, R3, 0x96, !PT", {0xff00ff00, 0xf0f0f0f0, 0xcccccccc}, {0xc33cc33c}},
                    operation_case{"LOP3.LUT R0, R1, R2, R3, 0x01, !PT", {0xff000000, 0x00ff0000, 0x0000ff00}, {0x000000ff}},
                    operation_case{"LOP3.LUT P0, RZ, R8, 0x1f, RZ, 0xc0, !PT", {0x40}, {no, 0}},
                    operation_case{"LOP3.LUT P0, RZ, R8, 0x1f, RZ, 0xc0, !PT", {0x41}, {yes, 1}},
                    operation_case{"LOP3.LUT P0, RZ, R8, 0x1f, RZ, 0xc0, P1", {0x40, yes}, {yes, 0}},
                    operation_case{"ULOP3.LUT UR0, UR1, 0xf, URZ, 0xc0, !UPT", {0x1234}, {4}},
                    operation_case{"PLOP3.LUT P0, PT, PT, PT, UP1, 0x80, 0x0", {yes}, {yes, no}},
                    operation_case{"PLOP3.LUT P0, PT, PT, PT, UP1, 0x80, 0x0", {no}, {no, no}},
                    operation_case{"PLOP3.LUT P0, P1, P2, P3, !P4, 0xfe, 0x10", {yes, no, yes}, {yes, yes}},  // or; a and not b and not c
                    operation_case{"UPLOP3.LUT UP0, UPT, UP1, UP2, UPT, 0x40, 0x0", {yes, yes}, {no, no}}));  // a and b and not c

INSTANTIATE_TEST_SUITE_P(
    shifts, lane_operation,
    testing::Values(operation_case{"SHF.L.U32 R0, R1, 0x4, RZ", {0x12345678}, {0x23456780}},
                    operation_case{"SHF.L.U64.HI R0, R1, 0x4, R2", {0xf0000000, 0x1}, {0x1f}},
                    operation_case{"SHF.L.U32.HI R0, R1, 0x8, R2", {0xab000000, 0x12345678}, {0x345678ab}},
                    operation_case{"SHF.R.S32.HI R0, RZ, 0x1f, R1", {0x80000000}, {0xffffffff}},
                    operation_case{"SHF.R.U32.HI R0, RZ, 0x1f, R1", {0x80000000}, {1}},
                    operation_case{"SHF.R.U64 R0, R1, 0x4, R2", {0x10, 0x3}, {0x30000001}},
                    operation_case{"SHF.R.U64 R0, R1, R3, R2", {0, 33, 0x8}, {4}},
                    operation_case{"SHF.R.S64 R0, R1, R3, R2", {0, 99, 0x80000000}, {0xffffffff}},
                    operation_case{"SHF.R.U32.HI R0, RZ, R3, R2", {33, 0x80000000}, {0}},             // clamped to 32
                    operation_case{"SHF.R.W.U32.HI R0, RZ, R3, R2", {33, 0x80000000}, {0x40000000}},  // modulo 32
                    operation_case{"SHF.R.U32 R0, R1, R3, R2", {0xaaaaaaaa, 40, 0x12345678}, {0x12345678}},
                    operation_case{"USHF.L.U32 UR0, UR1, 0x3, URZ", {3}, {24}}, operation_case{"SGXT R0, R1, 0x4", {0x18}, {0xfffffff8}},
                    operation_case{"SGXT.U32 R0, R1, 0x4", {0x18}, {8}}, operation_case{"SGXT R0, R1, R2", {0x12345678, 0}, {0}},
                    operation_case{"BMSK R0, R1, R2", {4, 8}, {0xff0}}, operation_case{"BMSK R0, R1, R2", {40, 8}, {0}},
                    operation_case{"BMSK R0, R1, R2", {0, 32}, {0xffffffff}}, operation_case{"SGXT.W R0, R1, 0x24", {0x18}, {0xfffffff8}},
                    operation_case{"BMSK.W R0, R1, R2", {36, 40}, {0xff0}}));

INSTANTIATE_TEST_SUITE_P(
    comparison, lane_operation,
    testing::Values(operation_case{"ISETP.LT.AND P0, P1, R1, R2, PT", {0xffffffff, 1}, {yes, no}},
                    operation_case{"ISETP.LT.U32.AND P0, P1, R1, R2, PT", {0xffffffff, 1}, {no, yes}},
                    operation_case{"ISETP.GE.AND P0, P1, R1, R2, P2", {5, 5, no}, {no, no}},
                    operation_case{"ISETP.NE.OR P0, P1, R1, R2, P2", {5, 5, yes}, {yes, yes}},
                    operation_case{"ISETP.EQ.XOR P0, P1, R1, R2, P2", {5, 5, yes}, {no, yes}},
                    operation_case{"ISETP.GT.AND P0, PT, R1, 0x7f, PT", {0x80}, {yes, no}},
                    operation_case{"ISETP.LE.AND P0, PT, R1, R2, PT", {3, 3}, {yes, no}},
                    operation_case{"ISETP.LT.AND.EX P0, PT, R1, R2, PT, P3", {4, 4, yes}, {yes, no}},  // equal: the lower words decide
                    operation_case{"ISETP.LT.AND.EX P0, PT, R1, R2, PT, P3", {5, 4, yes}, {no, yes}},
                    operation_case{"ISETP.GE.AND.EX P0, PT, R1, R2, PT, P3", {4, 4, no}, {no, yes}},
                    operation_case{"ISETP.NE.AND.EX P0, PT, R1, R2, PT, P3", {4, 4, yes}, {yes, no}},
                    operation_case{"UISETP.NE.AND UP1, UPT, UR1, 0x5, UPT", {5}, {no, yes}},
                    operation_case{"SEL R0, R1, R2, P0", {1, 2, yes}, {1}}, operation_case{"SEL R0, R1, R2, !P0", {1, 2, yes}, {2}},
                    operation_case{"USEL UR0, UR1, UR2, UP0", {1, 2, no}, {2}},
                    operation_case{"IMNMX R0, R1, R2, PT", {0xffffffff, 1}, {0xffffffff}},
                    operation_case{"IMNMX.U32 R0, R1, R2, PT", {0xffffffff, 1}, {1}},
                    operation_case{"VIMNMX R0, RZ, R2, !PT", {0xfffffff0}, {0}}, operation_case{"IABS R0, R1", {0xfffffff0}, {0x10}},
                    operation_case{"IABS R0, R1", {0x80000000}, {0x80000000}}));

INSTANTIATE_TEST_SUITE_P(
    moves_and_bits, lane_operation,
    testing::Values(operation_case{"MOV R0, R1", {7}, {7}}, operation_case{"UMOV UR0, 0x400", {}, {0x400}},
                    operation_case{"R2UR UR0, R1", {9}, {9}},
                    operation_case{"PRMT R0, R1, 0x5410, R2", {0x33221100, 0x77665544}, {0x55441100}},
                    operation_case{"PRMT R0, R1, 0x9876, R2", {0x3322ff00, 0x77665544}, {0xff007766}},  // bit 3: the byte's sign
                    operation_case{"PRMT.F4E R0, R1, 0x1, R2", {0x33221100, 0x77665544}, {0x44332211}},
                    operation_case{"PRMT.B4E R0, R1, 0x1, R2", {0x33221100, 0x77665544}, {0x66770011}},
                    operation_case{"PRMT.RC8 R0, R1, 0x2, R2", {0x33221100, 0x77665544}, {0x22222222}},
                    operation_case{"PRMT.ECL R0, R1, 0x2, R2", {0x33221100, 0x77665544}, {0x33222222}},
                    operation_case{"PRMT.ECR R0, R1, 0x2, R2", {0x33221100, 0x77665544}, {0x22221100}},
                    operation_case{"PRMT.RC16 R0, R1, 0x1, R2", {0x33221100, 0x77665544}, {0x33223322}},
                    operation_case{"POPC R0, R1", {0xf0f00001}, {9}}, operation_case{"POPC R0, ~R1", {0xf0f00001}, {23}},
                    operation_case{"FLO.U32 R0, R1", {0x00012345}, {16}}, operation_case{"FLO.U32 R0, R1", {0}, {0xffffffff}},
                    operation_case{"FLO R0, R1", {0xfffffff0}, {3}}, operation_case{"FLO.U32.SH R0, R1", {0x00012345}, {15}},
                    operation_case{"IDP.4A.S8.S8 R0, R1, R2, R3", {0x01ff0280, 0x0304ff7f, 1000}, {0xffffc465}},
                    operation_case{"IDP.2A.LO.U16.U8 R0, R1, R2, R3", {0x00020003, 0xffff0504, 1}, {23}},
                    operation_case{"IDP.2A.HI.U16.U8 R0, R1, R2, R3", {0x00020003, 0x0504ffff, 1}, {23}},
                    operation_case{"VIMNMX3 R0, R1, R2, R3, PT", {5, 0xffffffff, 3}, {0xffffffff}},
                    operation_case{"VIMNMX3.U32 R0, R1, R2, R3, !PT", {5, 0xffffffff, 3}, {0xffffffff}},
                    operation_case{"VIADDMNMX R0, R1, R2, R3, !PT", {5, 0xfffffff0, 3}, {3}},
                    operation_case{"VIMNMX.S16x2 R0, R1, R2, PT", {0x0001ffff, 0xffff0002}, {0xffffffff}},
                    operation_case{"VIMNMX.U16x2 R0, R1, R2, PT", {0x0001ffff, 0xffff0002}, {0x00010002}},
                    operation_case{"I2I.S16.S32.SAT R0, R1", {0x00012345}, {0x7fff}},
                    operation_case{"I2I.U8.S32.SAT R0, R1", {0xffffffff}, {0}},
                    operation_case{"VABSDIFF.U32 R0, R1, R2, R3", {3, 0xffffffff, 1}, {0xfffffffd}},
                    operation_case{"VIADD.16x2 R0, R1, R2", {0x0001ffff, 0xffff0002}, {0x00000001}},
                    operation_case{"VIMNMX.RELU R0, R1, R2, PT", {5, 0xfffffff0}, {0}},
                    operation_case{"VIMNMX.S16x2.RELU R0, R1, R2, !PT", {0x0001fffe, 0x0002ffff}, {0x00020000}},
                    operation_case{"VABSDIFF4.U8 R0, R1, R2, R3", {0x00ff1080, 0x01fe2001, 7}, {0x0101107f}},
                    operation_case{"VABSDIFF4 R0, R1, R2, R3", {0x00ff1080, 0x0101107f, 7}, {0x010200ff}},
                    operation_case{"VABSDIFF4.U8.ACC R0, R1, R2, R3", {0x00ff1080, 0x01fe2001, 7}, {0x98}},
                    operation_case{"I2IP.S8.S32.SAT R0, R1, R2, R3", {0x00000100, 0xffffff00, 0x1234abcd}, {0xabcd7f80}},
                    operation_case{"I2IP.U8.S32.SAT R0, R1, R2, R3", {0xffffffff, 0x00000011, 0x1234abcd}, {0xabcd0011}},
                    operation_case{"I2IP.U16.S32.SAT R0, R1, R2, RZ", {0x00012345, 0xffffffff}, {0xffff0000}},
                    operation_case{"I2IP.S4.S32.SAT R0, R1, R2, R3", {9, 0xfffffff0, 0x00abcdef}, {0xabcdef78}},
                    operation_case{"I2IP.U2.S32.SAT R0, R1, R2, R3", {2, 5, 0x0000000f}, {0xfb}},
                    operation_case{"BREV R0, R1", {0x00000003}, {0xc0000000}}));

TEST(lane_operations, are_refused_for_what_is_not_computed) {
  for (const char* text : {"F2FP.RELU.MERGE_C R0, R1, R2", "FSETP.MAX.AND P0, P1, R1, R2, PT", "SHFL.IDX PT, R0, R1, R2, R3",
                           "VIMNMX.S16 R0, R1, R2, PT", "NOP", "HMMA.16816.F32 R0, R4, R8, R12", "P2R R0, PR, RZ, 0x7f"}) {
    EXPECT_FALSE(computes_lanes(isa::parse_operation(text, isa::architecture::sm_90))) << text;
  }
}

TEST(lane_operations, keep_lanes_apart) {
  const isa::instruction code = isa::parse_operation("ISETP.GE.AND P0, PT, R1, 0x10, PT", isa::architecture::sm_90);
  warp::lane_vector values;
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) values[lane] = lane;
  const warp::lane_vector limit = warp::broadcast(0x10);
  std::array<lane_source, isa::instruction::max_sources> sources{};
  sources[0].low = &values;
  sources[1].low = &limit;
  sources[2].predicate = all;
  lane_result result;
  execute_lanes(code, sources, result);
  EXPECT_EQ(result.predicates[0], 0xffff0000U);
}

warp::lane_vector special(isa::special_register which, const warp::warp_context& warp, std::uint64_t clock = 0) {
  warp::lane_vector low{}, high{};
  EXPECT_TRUE(read_special_register(static_cast<std::uint8_t>(which), warp, clock, low, high));
  return low;
}

TEST(special_registers, number_the_threads_of_a_block) {
  warp::warp_context warp;
  warp.block = {20, 3, 4};
  warp.warp_in_cta = 2;  // threads 64 to 95
  EXPECT_EQ(special(isa::special_register::tid_x, warp)[0], 4U);
  EXPECT_EQ(special(isa::special_register::tid_y, warp)[0], 0U);
  EXPECT_EQ(special(isa::special_register::tid_z, warp)[0], 1U);
  EXPECT_EQ(special(isa::special_register::tid_x, warp)[31], 15U);
  EXPECT_EQ(special(isa::special_register::tid_y, warp)[31], 1U);
}

TEST(special_registers, say_where_a_warp_is) {
  warp::warp_context warp;
  warp.cta_id = {5, 6, 7};
  EXPECT_EQ(special(isa::special_register::ctaid_x, warp)[3], 5U);
  EXPECT_EQ(special(isa::special_register::ctaid_z, warp)[3], 7U);
  EXPECT_EQ(special(isa::special_register::lane_id, warp)[17], 17U);
  EXPECT_EQ(special(isa::special_register::lane_mask_lt, warp)[4], 0xfU);
  EXPECT_EQ(special(isa::special_register::lane_mask_ge, warp)[31], 0x80000000U);
  EXPECT_EQ(special(isa::special_register::lane_mask_gt, warp)[31], 0U);
}

TEST(special_registers, show_the_clock_in_a_pair) {
  warp::lane_vector low{}, high{};
  const auto clock_low = static_cast<std::uint8_t>(isa::special_register::clock_low);
  ASSERT_TRUE(read_special_register(clock_low, {}, 0x500000007, low, high));
  EXPECT_EQ(low, warp::broadcast(7));
  EXPECT_EQ(high, warp::broadcast(5));
  EXPECT_EQ(special(isa::special_register::clock_high, {}, 0x500000007), warp::broadcast(5));
}

TEST(special_registers, that_are_not_modelled_say_so) {
  warp::lane_vector low{}, high{};
  EXPECT_FALSE(read_special_register(static_cast<std::uint8_t>(isa::special_register::virtual_sm_id), {}, 0, low, high));
}

}  // namespace
}  // namespace tc::lanes::lane_operations_test
