// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tensor_traces.hpp"

// Loads and stores of tensor memory, and waits for them, as traces run them.

namespace tc::device::test::tensor::tensor_memory_run_test {
namespace {

/// Tagged columns, which a load reads into `count` registers: register i of thread t is expected to be what `value` says.
void expect_loaded(const std::string& form, unsigned count, const register_values& value, unsigned address = 0,
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
  const accounting::run_result result = result_of(one_warp(body, expectation(1, [](unsigned t, unsigned) { return tag({t, 3}); })));
  expect_finished(result);
  EXPECT_GE(result.stalls[links::stall_cause::scoreboard], 22U);
}

TEST(tensor_load, of_cells_that_nobody_has_written_is_reported_where_they_are_used) {
  const accounting::run_result result =
      result_of(one_warp(tagged_columns(2) + allocate(32) + store("32x32b.x2", 2, 0) + wait_for_stores + deallocate(0, 32) + allocate(32) +
                             load("32x32b.x1", 1, 0) + wait_for_loads + write_results(1) + deallocate(0, 32),
                         expectation(1, [](unsigned t, unsigned) {
                           return tag({t, 0});
                         })));
  EXPECT_EQ(result.status, accounting::run_status::finished);
  ASSERT_FALSE(result.warnings().empty());
  EXPECT_NE(result.warnings().back().find("tcgen05.ld"), std::string::npos) << result.warnings().back();
}

TEST(tensor_store, of_a_register_without_a_value_is_reported) {
  const accounting::run_result result = result_of(one_warp(allocate(32) + store("32x32b.x2", 2, 0) + wait_for_stores + deallocate(0, 32)));
  EXPECT_EQ(result.status, accounting::run_status::finished);
  ASSERT_FALSE(result.warnings().empty());
  EXPECT_NE(result.warnings().back().find("tcgen05.st"), std::string::npos) << result.warnings().back();
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

TEST(tensor_load, of_a_column_or_two_is_let_in_three_times_in_five_cycles) {
  std::string body = allocate(32) + read_clock;
  for (unsigned i = 0; i < 90; ++i) body += load("32x32b.x2", 2, 0, loaded_register + i % 45 * 2);
  const std::vector<std::uint64_t> cycles = intervals(result_of(one_warp(body + wait_for_loads + read_clock + deallocate(0, 32))));
  EXPECT_EQ(cycles.at(0), 90 / 3 * 5 - 2 + latency) << "the last three follow each other";
}

TEST(tensor_load, takes_the_same_cycles_without_data) {
  const std::string body = tagged_columns(16) + allocate(32) + store("32x32b.x16", 16, 0) + wait_for_stores + read_clock +
                           load("32x32b.x16", 16, 0) + load("32x32b.x16", 16, 0, loaded_register + 16) + wait_for_loads + read_clock +
                           deallocate(0, 32);
  EXPECT_EQ(intervals(result_of(one_warp(body), {}, false)).at(0), 2 * 8 + latency);
}

TEST(tensor_load, goes_through_operand_collectors) {
  const std::string body = tagged_columns(4) + allocate(32) + store("32x32b.x4", 4, 0) + wait_for_stores + load("32x32b.x4", 4, 0) +
                           write_results(4) + wait_for_loads + deallocate(0, 32);
  expect_finished(result_of(one_warp(body, expectation(4,
                                                       [](unsigned thread, unsigned reg) {
                                                         return tag({thread, reg});
                                                       })),
                            {"sm.sub_core.operand_fetch.policy=collectors", "sm.sub_core.operand_fetch.collector_units=4"}));
}

/// Shifts of columns of their own, the engine's slowest instructions, and the wait for them.
std::string shifts(unsigned count) {
  std::string text = "mbarrier.init.shared::cta.b64 [0x500], 1 mask 00000001\n" + allocate(512) + read_clock;
  for (unsigned i = 0; i < count; ++i) text += fmt::format("tcgen05.shift.cta_group::1.down [{:#x}] mask 00000001\n", 8 * i);
  return text + read_clock +
         "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [0x500] mask 00000001\n"
         "mbarrier.try_wait.parity.shared::cta.b64 [0x500], 0\n" +
         deallocate(0, 512);
}

TEST(tensor_queue, has_places_for_as_many_instructions_as_the_machine_says) {
  const accounting::run_result result = result_of(one_warp(shifts(20)), {"sm.tensor_engine.queue_entries=1"});
  EXPECT_EQ(result.status, accounting::run_status::finished);
  EXPECT_GT(result.stalls[links::stall_cause::tensor_queue], 19 * 6U) << "each waits until the one before has been taken";
  expect_cycles_accounted(result);
}

TEST(tensor_queue, that_is_not_full_holds_nobody_up) {
  const accounting::run_result result = result_of(one_warp(shifts(6)));
  EXPECT_EQ(result.status, accounting::run_status::finished);
  EXPECT_EQ(intervals(result).at(0), 6U);
}

TEST(tensor_wait, is_for_the_accesses_of_its_kind) {
  const std::string body = tagged_columns(16) + allocate(32) + read_clock + store("32x32b.x16", 16, 0) + wait_for_loads + read_clock +
                           wait_for_stores + read_clock + load("32x32b.x16", 16, 0) + wait_for_stores + read_clock + deallocate(0, 32);
  const accounting::run_result result = result_of(one_warp(body));
  const std::vector<std::uint64_t> cycles = intervals(result);
  ASSERT_EQ(cycles.size(), 3U);
  EXPECT_LT(cycles[0], 10U);
  EXPECT_GT(cycles[1], 16U);
  EXPECT_LT(cycles[2], 10U);
  EXPECT_GT(result.stalls[links::stall_cause::tensor_memory_wait], 16U);
  expect_finished(result);
}

}  // namespace
}  // namespace tc::device::test::tensor::tensor_memory_run_test
