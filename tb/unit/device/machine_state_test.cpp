// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/device/machine_state.hpp>
#include <tc/device/run_error.hpp>
#include <tc/device/sliced_simulation.hpp>

#include "tensor_kernel.hpp"
#include "test_machine.hpp"

// What is read of a machine's memories is what a trace has put there, when it has put it there.

namespace tc::device::test::machine_state_test {
namespace {

std::vector<std::uint8_t> bytes_of(gpu& device, const state_range& range) {
  check_state_range(device, range);
  std::vector<std::uint8_t> bytes;
  read_state(device, range, [&](const std::uint8_t* piece, std::size_t count) { bytes.insert(bytes.end(), piece, piece + count); });
  return bytes;
}

std::vector<std::uint32_t> words_of(gpu& device, const state_range& range) {
  const std::vector<std::uint8_t> bytes = bytes_of(device, range);
  std::vector<std::uint32_t> words(bytes.size() / sizeof(std::uint32_t));
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

state_range registers_of(state_place place, unsigned first, unsigned count = 1) {
  place.space = state_space::registers;
  return {place, std::uint64_t{first} * 128, std::uint64_t{count} * 128};
}

/// Lane 5 of R4 of the first warp, before each cycle.
class register_history final : public run_pauses {
 public:
  explicit register_history(gpu& device) : device_(device) {}

  std::optional<cycle_t> next() const override { return values.size() + 1; }
  void look(cycle_t) override { values.push_back(words_of(device_, {{state_space::registers}, 4 * 128 + 5 * 4, 4}).at(0)); }

  std::vector<std::uint32_t> values;  ///< the first before cycle 1

 private:
  gpu& device_;
};

TEST(machine_state, a_register_has_its_value_when_an_instruction_can_read_it) {
  const std::string text = kernel_header(1, 1) + cta_line(0) + warp_line(0) +
                           "reg R2 7\nreg R4 1\n/*0000*/ [B------:R-:W-:-:S04] IADD3 R4, R2, R2, RZ\n"
                           "/*0010*/ [B------:R-:W-:-:S06] IADD3 R6, R4, R4, RZ\n/*0020*/ [B------:R-:W-:-:S05] EXIT\n";
  test_machine machine(preset("turing"), {text});
  register_history history(machine.device());
  const accounting::run_result result = machine.device().run(&history);
  EXPECT_TRUE(result.hazards.empty()) << "four cycles are enough on Turing";
  ASSERT_GT(history.values.size(), 6U);
  unsigned changed = 0;
  while (history.values[changed] == 1) ++changed;
  for (std::size_t i = changed; i < history.values.size(); ++i) EXPECT_EQ(history.values[i], 14U);
  const cycle_t taken = 4 + machine.device().machine().sm.sub_core.operand_fetch.issue_to_dispatch_cycles;
  EXPECT_EQ(changed + 1, taken) << "the cycle in which the second instruction takes its operands";
  EXPECT_EQ(words_of(machine.device(), registers_of({}, 6)), std::vector<std::uint32_t>(32, 28)) << "what the warp has left";
}

TEST(machine_state, memories_hold_what_ctas_have_left) {
  test_machine machine(preset("turing"), {shared_image_kernel(3)});
  gpu& device = machine.device();
  EXPECT_THROW(bytes_of(device, {{state_space::shared, {}, {}, {}, 1}, 0, 4}), run_error) << "CTA 1 has not started";
  EXPECT_THROW(bytes_of(device, registers_of({}, 0)), run_error) << "no warp has started";
  ASSERT_EQ(machine.run().status, accounting::run_status::finished);
  EXPECT_EQ(bytes_of(device, {{}, 0x10000, 3 * 128}), std::vector<std::uint8_t>(3 * 128, 165));
  state_place cta{state_space::shared};
  cta.cta = 1;
  EXPECT_EQ(bytes_of(device, {cta, 0, 128}), std::vector<std::uint8_t>(128, 0)) << "overwritten at last";
  EXPECT_THROW(bytes_of(device, {cta, 0, 257}), run_error) << "behind its window";
  EXPECT_EQ(words_of(device, registers_of(cta, 4)), std::vector<std::uint32_t>(32, 0xa5a5a5a5));
  EXPECT_THROW(bytes_of(device, {{}, 0x10000 - 4, 8}), run_error) << "nothing is there";
}

TEST(machine_state, what_can_never_be_read_is_refused_with_the_reason) {
  test_machine machine(preset("turing"), {shared_image_kernel(1)});
  const auto message = [&](const state_range& range) {
    try {
      check_state_range(machine.device(), range);
    } catch (const run_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  state_place place{state_space::registers};
  EXPECT_EQ(message({place, 0, 255 * 128}), "");
  EXPECT_EQ(message({place, 128, 255 * 128}), "registers:0x80:32640: the memory ends at 32640 (0x7f80)");
  EXPECT_EQ(message({{}, 0x10000, 128}), "");
  EXPECT_EQ(message({{}, 0x10001, 128}), "global:0x10001:128: of global memory there is what the traces describe: 0x10000 to 0x1007f");
  place.warp = 99;
  EXPECT_EQ(message({place, 0, 4}), "warp99.registers:0x0:4: a sub-core has warp0 to warp7");
  place.sub_core = 4;
  EXPECT_EQ(message({place, 0, 4}), "subcore4.warp99.registers:0x0:4: an SM has subcore0 to subcore3");
  place.sm = 1;
  EXPECT_NE(message({place, 0, 4}).find("it has one sm, sm0"), std::string::npos) << message({place, 0, 4});
  place.sm = 1000;
  EXPECT_NE(message({place, 0, 4}).find("the machine has sm0 to sm"), std::string::npos) << message({place, 0, 4});
  state_place cta{state_space::registers};
  cta.cta = 1;
  EXPECT_EQ(message({cta, 0, 4}), "cta1.registers:0x0:4: no trace holds CTA 1");
  cta.cta = 0;
  cta.warp = 1;
  EXPECT_EQ(message({cta, 0, 4}), "cta0.warp1.registers:0x0:4: the CTA has one warp, warp0");
  EXPECT_NE(message({{state_space::tensor}, 0, 4}).find("no tensor memory"), std::string::npos);
  EXPECT_NE(message({{state_space::shared}, 0xffffffffffffffff, 2}).find("the memory ends at 65536"), std::string::npos);
}

TEST(machine_state, nothing_is_read_from_a_run_without_values) {
  run_options options;
  options.data = false;
  test_machine machine(preset("turing"), {shared_image_kernel(1)}, options);
  EXPECT_THROW(check_state_range(machine.device(), {{}, 0x10000, 4}), run_error);
}

TEST(machine_state, tensor_memory_is_lanes_of_columns) {
  const auto value = [](unsigned lane, unsigned column) { return 1000 * lane + column; };
  tensor::tensor_kernel kernel;
  kernel.fill({8, 4}, value);
  test_machine machine(preset("blackwell"), {kernel.text()});
  ASSERT_EQ(machine.run().status, accounting::run_status::finished);
  const state_place tensor{state_space::tensor};
  for (const unsigned lane : {0U, 31U, 32U, 127U}) {
    const std::vector<std::uint32_t> expected{value(lane, 8), value(lane, 9), value(lane, 10), value(lane, 11)};
    EXPECT_EQ(words_of(machine.device(), {tensor, lane * 2048 + 8 * 4, 16}), expected) << lane;
  }
  EXPECT_EQ(bytes_of(machine.device(), {tensor, 0, 128 * 2048}).size(), 128U * 2048);
}

}  // namespace
}  // namespace tc::device::test::machine_state_test
