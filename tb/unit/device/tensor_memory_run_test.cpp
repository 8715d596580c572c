#include <array>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/device/run_error.hpp>

#include "test_machine.hpp"

// Instructions on tensor memory that need no tensor engine: allocation, loads, stores and waits, as traces run them.

namespace tc::device::test {
namespace {

constexpr unsigned first_register = 8, loaded_register = 64;
constexpr unsigned addresses = 0x400;       // in shared memory, of allocations
constexpr std::uint64_t results = 0x10000;  // in global memory, 128 bytes for each register

run_result result_of(const std::string& text, const std::vector<std::string>& assignments = {}) {
  run_options options;
  options.timing_of_preset = true;
  options.monitors = true;
  test_machine machine(preset("blackwell", assignments), {text}, options);
  return machine.run();
}

std::string header(unsigned ctas = 1, unsigned warps = 1, const std::string& more = "") {
  return kernel_header(ctas, warps, "shared 2048\n" + more, "sm_100");
}

std::string allocate(unsigned columns, unsigned place = 0) {
  return fmt::format("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [{:#x}], {}\n", addresses + 4 * place, columns);
}
std::string deallocate(unsigned first, unsigned columns) {
  return fmt::format("tcgen05.dealloc.cta_group::1.sync.aligned.b32 {:#x}, {}\n", first, columns);
}
constexpr const char* relinquish = "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned\n";
constexpr const char* wait_for_loads = "tcgen05.wait::ld.sync.aligned\n";
constexpr const char* wait_for_stores = "tcgen05.wait::st.sync.aligned\n";
constexpr const char* read_clock = "/*0000*/ CS2R R4, SR_CLOCKLO\n";
constexpr const char* leave = "/*f000*/ EXIT\n";

/// "{R8, R9, ...}"
std::string registers(unsigned first, unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) text += fmt::format("{}R{}", i == 0 ? "{" : ", ", first + i);
  return text + "}";
}

/// `form`: shape, repetition and packing, "32x32b.x4"; `offset`: behind the address of .16x32bx2.
std::string load(const std::string& form, unsigned count, unsigned address, unsigned first = loaded_register,
                 const std::string& offset = "") {
  return fmt::format("tcgen05.ld.sync.aligned.{}.b32 {}, [{:#x}]{}\n", form, registers(first, count), address, offset);
}
std::string store(const std::string& form, unsigned count, unsigned address, unsigned first = first_register,
                  const std::string& offset = "") {
  return fmt::format("tcgen05.st.sync.aligned.{}.b32 [{:#x}]{}, {}\n", form, address, offset, registers(first, count));
}

/// Lane and column of a cell; what the tests write there is tag().
struct cell {
  unsigned lane, column;
};
unsigned tag(cell at) { return 1000 * at.lane + at.column; }

/// Registers from `first` on that hold, in lane l of register i, the value of (l, i).
std::string presets(unsigned count, const std::function<unsigned(unsigned, unsigned)>& value, unsigned first = first_register) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    text += fmt::format("reg R{} {{", first + i);
    for (unsigned lane = 0; lane < 32; ++lane) text += fmt::format("{}{:#x}", lane == 0 ? "" : ", ", value(lane, i));
    text += "}\n";
  }
  return text;
}
std::string tagged_columns(unsigned count) {
  return "reg R2 0x0\nreg R3 0x0\n" + presets(count, [](unsigned lane, unsigned column) { return tag({lane, column}); });
}

/// Registers of the loads, on their way to where they are expected.
std::string write_results(unsigned count, unsigned first = loaded_register) {
  std::string text;
  for (unsigned i = 0; i < count; ++i)
    text += fmt::format("/*{:04x}*/ STG.E [R2.64], R{} @ {:#x}+4\n", 16 * i, first + i, results + 128 * i);
  return text;
}
std::string expectation(unsigned count, const std::function<unsigned(unsigned, unsigned)>& value) {
  std::string text = fmt::format("memory {:#x} {} zero\nexpect {:#x} {} hex ", results, 128 * count, results, 128 * count);
  for (unsigned i = 0; i < count; ++i)
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned byte = 0; byte < 4; ++byte) text += fmt::format("{:02x}", value(lane, i) >> (8 * byte) & 0xff);
  return text + "\n";
}

/// The instructions and presets of a warp that is alone, without its EXIT.
std::string one_warp(const std::string& body, const std::string& more = "") {
  return header(1, 1, more) + cta_line(0) + warp_line(0) + body + leave;
}

/// The kernel does what it should, and nothing that deserves a warning.
void expect_finished(const run_result& result) {
  EXPECT_EQ(result.status, run_status::finished);
  EXPECT_EQ(result.mismatches(), 0U);
  EXPECT_TRUE(result.warnings().empty()) << result.warnings().front();
  expect_cycles_accounted(result);
}

/// Tagged columns, which a load reads into `count` registers: register i of thread t is expected to be what `value` says.
void expect_loaded(const std::string& form, unsigned count, const std::function<unsigned(unsigned, unsigned)>& value, unsigned address = 0,
                   const std::string& offset = "") {
  constexpr unsigned columns = 32;
  const std::string body = tagged_columns(columns) + allocate(32) + store("32x32b.x32", columns, 0) + wait_for_stores +
                           load(form, count, address, loaded_register, offset) + wait_for_loads + write_results(count) + deallocate(0, 32);
  expect_finished(result_of(one_warp(body, expectation(count, value))));
}

struct shape_case {
  const char* name;
  const char* form;
  unsigned count;
  unsigned address;
  const char* offset;
  /// The cell of a register of a thread, as the PTX ISA and CuTe's copy traits have it.
  cell (*place)(unsigned thread, unsigned reg);
};

constexpr std::array shapes{shape_case{"of_32x32b", "32x32b.x4", 4, 0x3, "",
                                       [](unsigned thread, unsigned reg) {
                                         return cell{thread, reg + 3};
                                       }},
                            shape_case{"of_16x64b", "16x64b.x2", 2, 0x0, "",
                                       [](unsigned thread, unsigned reg) {
                                         return cell{thread / 4 + 8 * (thread % 2), thread % 4 / 2 + 2 * reg};
                                       }},
                            shape_case{"of_16x128b", "16x128b.x2", 4, 0x100000, "",
                                       [](unsigned thread, unsigned reg) {
                                         return cell{16 + thread / 4 + 8 * (reg % 2), thread % 4 + 4 * (reg / 2)};
                                       }},
                            shape_case{"of_16x256b", "16x256b.x2", 8, 0x0, "",
                                       [](unsigned thread, unsigned reg) {
                                         return cell{thread / 4 + 8 * (reg / 2 % 2), 2 * (thread % 4) + reg % 2 + 8 * (reg / 4)};
                                       }},
                            shape_case{"of_16x32bx2", "16x32bx2.x2", 2, 0x0, ", 16", [](unsigned thread, unsigned reg) {
                                         return cell{thread % 16, reg + thread / 16 * 16};
                                       }}};

class tensor_shape : public testing::TestWithParam<shape_case> {};

INSTANTIATE_TEST_SUITE_P(shape, tensor_shape, testing::ValuesIn(shapes), [](const auto& of) { return of.param.name; });

TEST_P(tensor_shape, loads_its_cells) {
  const shape_case& shape = GetParam();
  expect_loaded(
      shape.form, shape.count, [&shape](unsigned thread, unsigned reg) { return tag(shape.place(thread, reg)); }, shape.address,
      shape.offset);
}

/// Zeros, then the shape's cells; what lies around them stays.
TEST_P(tensor_shape, stores_its_cells_and_no_others) {
  const shape_case& shape = GetParam();
  std::map<std::pair<unsigned, unsigned>, unsigned> stored;
  for (unsigned reg = 0; reg < shape.count; ++reg)
    for (unsigned thread = 0; thread < 32; ++thread) {
      const cell at = shape.place(thread, reg);
      stored[{at.lane, at.column}] = 100 * thread + reg + 1;
    }
  const auto expected = [&stored](unsigned lane, unsigned column) {
    const auto found = stored.find({lane, column});
    return found == stored.end() ? tag({lane, column}) : found->second;
  };
  constexpr unsigned stored_register = 64;
  const std::string body = presets(
                               shape.count, [](unsigned thread, unsigned reg) { return 100 * thread + reg + 1; }, stored_register) +
                           tagged_columns(32) + allocate(32) + store("32x32b.x32", 32, 0) + wait_for_stores +
                           store(shape.form, shape.count, shape.address, stored_register, shape.offset) + wait_for_stores +
                           load("32x32b.x32", 32, 0) + wait_for_loads + write_results(32) + deallocate(0, 32);
  expect_finished(result_of(one_warp(body, expectation(32, expected))));
}

TEST(tensor_load, packs_the_lower_halves_of_neighbours) {
  expect_loaded("32x32b.x2.pack::16b", 2, [](unsigned t, unsigned r) { return tag({t, 2 * r}) | tag({t, 2 * r + 1}) << 16; });
}

TEST(tensor_store, unpacks_halves_to_cells) {
  const std::string body = presets(2, [](unsigned t, unsigned r) { return (t + 2 * r) | (t + 2 * r + 1) << 16; }) + allocate(32) +
                           store("32x32b.x2.unpack::16b", 2, 0) + wait_for_stores + load("32x32b.x4", 4, 0) + wait_for_loads +
                           write_results(4) + deallocate(0, 32);
  expect_finished(result_of(one_warp(body, expectation(4, [](unsigned t, unsigned r) { return t + r; }))));
}

TEST(tensor_load, is_waited_for_by_who_reads_its_registers) {
  const std::string body = tagged_columns(4) + allocate(32) + store("32x32b.x4", 4, 0) + wait_for_stores + load("32x32b.x4", 4, 0) +
                           "/*0000*/ MOV R80, R67\n" + write_results(1, 80) + deallocate(0, 32);
  const run_result result = result_of(one_warp(body, expectation(1, [](unsigned t, unsigned) { return tag({t, 3}); })));
  expect_finished(result);
  EXPECT_GE(result.stalls[subcore::stall_cause::scoreboard], 22U);
}

TEST(tensor_load, of_cells_that_nobody_has_written_is_reported_where_they_are_used) {
  const run_result result =
      result_of(one_warp(tagged_columns(2) + allocate(32) + store("32x32b.x2", 2, 0) + wait_for_stores + deallocate(0, 32) + allocate(32) +
                             load("32x32b.x1", 1, 0) + wait_for_loads + write_results(1) + deallocate(0, 32),
                         expectation(1, [](unsigned t, unsigned) {
                           return tag({t, 0});
                         })));
  EXPECT_EQ(result.status, run_status::finished);
  ASSERT_FALSE(result.warnings().empty());
  EXPECT_NE(result.warnings().back().find("tcgen05.ld"), std::string::npos) << result.warnings().back();
}

TEST(tensor_store, of_a_register_without_a_value_is_reported) {
  const run_result result = result_of(one_warp(allocate(32) + store("32x32b.x2", 2, 0) + wait_for_stores + deallocate(0, 32)));
  EXPECT_EQ(result.status, run_status::finished);
  ASSERT_FALSE(result.warnings().empty());
  EXPECT_NE(result.warnings().back().find("tcgen05.st"), std::string::npos) << result.warnings().back();
}

/// Cycles between the clock reads of a run, the slot of a clock read itself not among them.
std::vector<std::uint64_t> intervals(const run_result& result) {
  std::vector<std::uint64_t> cycles;
  for (std::size_t i = 0; i + 1 < result.clock_reads.size(); ++i)
    cycles.push_back(result.clock_reads[i + 1].cycle - result.clock_reads[i].cycle - 1);
  return cycles;
}

constexpr unsigned latency = 22;  // public SASS documentation project: 22 + 8 n cycles for n loads of 16 columns

struct service {
  const char* form;
  unsigned registers, column, cycles;
};

/// Service cycles of a load alone (public SASS documentation project).
TEST(tensor_load, takes_the_cycles_that_its_shape_needs_of_the_banks) {
  constexpr std::array services{service{"32x32b.x1", 1, 0, 1},
                                service{"32x32b.x2", 2, 1, 2},
                                service{"32x32b.x16", 16, 0, 8},
                                service{"32x32b.x16", 16, 1, 9},
                                service{"32x32b.x128", 128, 0, 64},
                                service{"16x32bx2.x16", 16, 0, 16},
                                service{"16x64b.x2", 2, 0, 2},
                                service{"16x64b.x16", 16, 0, 16},
                                service{"16x128b.x4", 8, 0, 8},
                                service{"16x128b.x16", 32, 0, 32},
                                service{"16x256b.x1", 4, 0, 8},
                                service{"16x256b.x4", 16, 0, 32},
                                service{"32x32b.x16.pack::16b", 16, 0, 16},
                                service{"16x64b.x16.pack::16b", 16, 0, 32},
                                service{"16x128b.x4.pack::16b", 8, 0, 16},
                                service{"16x256b.x1.pack::16b", 4, 0, 16}};
  std::string body = allocate(512) + read_clock;
  for (const service& each : services)
    body += load(each.form, each.registers, each.column, loaded_register, std::string(each.form).find("x2.") == 6 ? ", 16" : "") +
            wait_for_loads + read_clock;
  const std::vector<std::uint64_t> cycles = intervals(result_of(one_warp(body + deallocate(0, 512))));
  ASSERT_EQ(cycles.size(), services.size());
  for (std::size_t i = 0; i < services.size(); ++i) EXPECT_EQ(cycles[i], latency + services[i].cycles) << services[i].form;
}

/// 1536 loads of 16 columns, to eight sets of registers in turn.
std::string stream(unsigned column) {
  std::string text = read_clock;
  for (unsigned i = 0; i < 1536; ++i) text += load("32x32b.x16", 16, column, loaded_register + i % 8 * 16);
  return text + wait_for_loads + read_clock;
}

TEST(tensor_load, streams_at_the_rate_of_the_banks) {
  const std::vector<std::uint64_t> cycles = intervals(result_of(one_warp(allocate(32) + stream(0) + stream(1) + deallocate(0, 32))));
  ASSERT_EQ(cycles.size(), 3U);
  EXPECT_EQ(cycles[0], 12310U);
  EXPECT_EQ(cycles[2], 13846U);
}

TEST(tensor_wait, is_for_the_accesses_of_its_kind) {
  const std::string body = tagged_columns(16) + allocate(32) + read_clock + store("32x32b.x16", 16, 0) + wait_for_loads + read_clock +
                           wait_for_stores + read_clock + load("32x32b.x16", 16, 0) + wait_for_stores + read_clock + deallocate(0, 32);
  const run_result result = result_of(one_warp(body));
  const std::vector<std::uint64_t> cycles = intervals(result);
  ASSERT_EQ(cycles.size(), 3U);
  EXPECT_LT(cycles[0], 10U);
  EXPECT_GT(cycles[1], 16U);
  EXPECT_LT(cycles[2], 10U);
  EXPECT_GT(result.stalls[subcore::stall_cause::tensor_memory_wait], 16U);
  expect_finished(result);
}

std::string pause(unsigned instructions) {
  std::string text;
  for (unsigned i = 0; i < instructions; ++i) text += "/*0300*/ NOP\n";
  return text;
}

/// Loads an address that an allocation has written to shared memory, and stores it to the results.
std::string publish(unsigned number) {
  return fmt::format("/*0200*/ LDS R40, [R2] @ {:#x}\n/*0210*/ STG.E [R2.64], R40 @ {:#x}+4\n", addresses + 4 * number,
                     results + 128 * number);
}

TEST(tensor_allocation, takes_the_lowest_aligned_free_columns) {
  constexpr std::array<unsigned, 5> columns{0, 256, 384, 448, 384};
  const std::string address = "reg R2 0x0\nreg R3 0x0\n", meet = "/*0100*/ BAR.SYNC 0x0\n";
  std::string text = header(1, 2, expectation(5, [&](unsigned, unsigned number) { return columns[number]; })) + cta_line(0);
  text += warp_line(0) + address + allocate(256) + allocate(128, 1) + allocate(64, 2) + allocate(64, 3) + meet;
  for (unsigned i = 0; i < 4; ++i) text += publish(i);
  text += pause(2000);
  text += deallocate(384, 64) + deallocate(448, 64) + deallocate(0, 256) + deallocate(256, 128) + leave;
  text += warp_line(1) + address + meet + allocate(32, 4) + publish(4) + deallocate(384, 32) + leave;
  const run_result result = result_of(text);
  expect_finished(result);
  EXPECT_GT(result.stalls[subcore::stall_cause::tensor_allocation], 2000U);
}

TEST(tensor_allocation, waits_for_another_cta_and_finds_its_columns_without_content) {
  const std::string text = header(2, 1,
                                  expectation(1,
                                              [](unsigned thread, unsigned) {
                                                return tag({thread, 0});
                                              })) +
                           cta_line(0) + warp_line(0) + tagged_columns(1) + allocate(512) + store("32x32b.x1", 1, 0) + wait_for_stores +
                           deallocate(0, 512) + leave + cta_line(1) + warp_line(0) + tagged_columns(1) + pause(200) + allocate(512) +
                           load("32x32b.x1", 1, 0) + wait_for_loads + write_results(1) + deallocate(0, 512) + leave;
  const run_result result = result_of(text, {"sms=1"});
  EXPECT_EQ(result.status, run_status::finished);
  EXPECT_EQ(result.mismatches(), 0U) << "it holds what was there";
  ASSERT_FALSE(result.warnings().empty());
}

TEST(tensor_allocation, costs_more_beside_another) {
  std::string text = header(1, 2) + cta_line(0);
  for (unsigned warp = 0; warp < 2; ++warp)
    text += warp_line(warp) + read_clock + allocate(64, warp) + read_clock + deallocate(64 * warp, 64) + leave;
  const run_result result = result_of(text);
  ASSERT_EQ(result.clock_reads.size(), 4U);
  std::map<unsigned, std::vector<std::uint64_t>> clocks;
  for (const auto& read : result.clock_reads) clocks[read.warp].push_back(read.cycle);
  EXPECT_EQ(clocks[0][1] - clocks[0][0] - 1, 253U);
  EXPECT_EQ(clocks[1][1] - clocks[1][0] - 1, 1030U);
}

TEST(tensor_allocation, that_never_finds_columns_is_named) {
  const run_result result = result_of(one_warp(allocate(512) + allocate(512, 1)));
  EXPECT_EQ(result.status, run_status::stuck);
  std::string all;
  for (const std::string& line : result.waiting) all += line + '\n';
  EXPECT_NE(all.find("waits for tensor_allocation"), std::string::npos) << all;
  EXPECT_NE(all.find("warp 0 of CTA 0 waits for 512 columns of tensor memory; 0 are free"), std::string::npos) << all;
}

struct mistake_case {
  const char* name;
  std::string body;
  const char* type;
  const char* part;  ///< of the message
};

class tensor_mistake : public testing::TestWithParam<mistake_case> {};

constexpr const char* of_access = "/tc/tensor_memory/access";
constexpr const char* of_rule = "/tc/allocation/rule";

INSTANTIATE_TEST_SUITE_P(
    of, tensor_mistake,
    testing::Values(
        mistake_case{"foreign_chunk", allocate(32) + load("32x32b.x1", 1, 0x200000), of_access,
                     "[0x200000]: the lane of .32x32b by warp 0 must be 0, not 32"},
        mistake_case{"columns_of_nobody", allocate(32) + load("32x32b.x4", 4, 30), of_access,
                     "columns 30 to 33 are not all allocated to CTA 0: tcgen05.alloc comes first"},
        mistake_case{"columns_that_do_not_exist", allocate(512) + load("32x32b.x4", 4, 510), of_access,
                     "columns 510 to 513 of .32x32b.x4 are not all below 512"},
        mistake_case{"second_half_beyond", allocate(32) + load("16x32bx2.x2", 2, 0, loaded_register, ", 31"), of_access,
                     "columns 31 to 32 are not all allocated"},
        mistake_case{"growing", allocate(32) + allocate(64, 1), of_rule, "64: an allocation must not be larger than the one before"},
        mistake_case{"relinquished", allocate(64) + relinquish + allocate(32, 1), of_rule, "the CTA has relinquished the permit"},
        mistake_case{"deallocation_of_nothing", deallocate(0, 32), of_rule, "no allocation of the CTA has returned these columns"},
        mistake_case{"second_deallocation", allocate(32) + deallocate(0, 32) + deallocate(0, 32), of_rule, "have been deallocated"},
        mistake_case{"deallocation_of_a_part", allocate(64) + deallocate(0, 32), of_rule, "0x0, 32: no allocation of the CTA"},
        mistake_case{"deallocation_in_a_lane", allocate(64) + deallocate(0x200000, 64), of_rule, "no allocation of the CTA"},
        mistake_case{"end_without_deallocation", allocate(64), "/tc/allocation/left",
                     "64: CTA 0 ends without having deallocated columns 0 to 63: tcgen05.dealloc comes before"}),
    [](const auto& of) { return of.param.name; });

TEST_P(tensor_mistake, is_an_error_with_instruction_and_rule) {
  EXPECT_THROW(
      try { result_of(one_warp(GetParam().body)); } catch (const sc_core::sc_report& report) {
        EXPECT_STREQ(report.get_msg_type(), GetParam().type);
        EXPECT_NE(std::string(report.get_msg()).find(GetParam().part), std::string::npos) << report.get_msg();
        EXPECT_NE(std::string(report.get_msg()).find("line "), std::string::npos) << report.get_msg();
        throw;
      },
      sc_core::sc_report);
}

TEST(tensor_mistake, is_an_allocation_of_more_than_there_is) {
  EXPECT_THROW(result_of(one_warp(allocate(512)), {"sm.tensor_memory.columns=256"}), sc_core::sc_report);
}

}  // namespace
}  // namespace tc::device::test
