// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <engine/tensor_mma_cases.hpp>
#include <filesystem>
#include <functional>
#include <generated_block.hpp>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/fabric/link_tap.hpp>

#include "run_apart.hpp"
#include "tapping_binder.hpp"
#include "tensor_kernel.hpp"
#include "test_machine.hpp"

// The table of docs/architecture.md that tells how often one matrix instruction calls over each link, counted in runs.

namespace tc::device::test::link_calls_test {
namespace {

using call_counts = std::map<std::string, unsigned>;

template <class Protocol>
class counting_tap final : public fabric::link_tap<Protocol> {
 public:
  counting_tap(const sc_core::sc_module_name& module_name, unsigned& calls) : fabric::link_tap<Protocol>(module_name), calls_(calls) {}

 private:
  tlm::tlm_sync_enum forward(typename Protocol::tlm_payload_type& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    ++calls_;
    return fabric::link_tap<Protocol>::forward(payload, phase, delay);
  }

  unsigned& calls_;
};

/// Counts the calls on every link of a machine, by the kind of link.
class counting_binder final : public tapping_binder<counting_binder> {
 public:
  call_counts calls;

 private:
  friend class tapping_binder<counting_binder>;

  template <class Protocol>
  std::unique_ptr<counting_tap<Protocol>> make_tap(const char* link, const links::link_initiator<Protocol>&,
                                                   const links::link_target<Protocol>&) {
    return std::make_unique<counting_tap<Protocol>>(sc_core::sc_gen_unique_name("tap"), calls[link]);
  }
};

/// The same kernel with this many of the instruction.
struct repeated_instruction {
  std::string name, machine;
  std::function<std::string(unsigned)> kernel;
};

/// Of a run in a process of its own; none if it does not finish.
call_counts calls_of(const repeated_instruction& repeated, unsigned count) {
  std::istringstream told(run_apart([&] {
    counting_binder binder;
    run_options options;
    options.binder = &binder;
    options.timing_of_preset = true;
    test_machine machine(preset(repeated.machine), {repeated.kernel(count)}, options);
    std::string text;
    if (machine.run().status == accounting::run_status::finished)
      for (const auto& [link, calls] : binder.calls) text += fmt::format("{} {}\n", link, calls);
    return text;
  }));
  call_counts counts;
  std::string link;
  for (unsigned calls = 0; told >> link >> calls;) counts[link] = calls;
  EXPECT_FALSE(counts.empty()) << repeated.name;
  return counts;
}

std::string times(unsigned count, const std::string& text) {
  std::string all;
  for (; count > 0; --count) all += text;
  return all;
}

std::string presets(unsigned count) {
  std::string text;
  for (unsigned r = 0; r < count; ++r) text += fmt::format("reg R{} 0x0\n", r);
  return text;
}

repeated_instruction in_registers(const std::string& name, const std::string& machine, const std::string& arch,
                                  const std::string& instruction) {
  return {name, machine, [=](unsigned count) {
            return kernel_header(1, 1, "", arch) + cta_line(0) + warp_line(0) + presets(28) +
                   times(count, "/*0000*/ " + instruction + "\n") + "/*f000*/ EXIT\n";
          }};
}

repeated_instruction of_warpgroup() {
  return {"wgmma m64n8k16", "hopper", [](unsigned count) {
            std::string text = kernel_header(1, 4, "shared 16384\nshared-memory 0x400 8192 zero\n", "sm_90") + cta_line(0);
            for (unsigned warp = 0; warp < 4; ++warp)
              text += warp_line(warp) + presets(28) + "wgmma.fence.sync.aligned\n" +
                      times(count,
                            "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {R24, R25, R26, R27}, 0x0000001000080040, "
                            "0x00000010000800c0, 1, 1, 1, 0, 0\n") +
                      "wgmma.commit_group.sync.aligned\nwgmma.wait_group.sync.aligned 0\n/*f000*/ EXIT\n";
            return text;
          }};
}

repeated_instruction of_tensor_memory() {
  return {"tcgen05.mma m128n16k16", "blackwell", [](unsigned count) {
            const engine::test::typed_kind types = engine::test::typed_kinds().front();
            const isa::tensor_mma_operation operation = engine::test::operations_in_every_layout(types).front().operation;
            engine::test::integer_matrices matrices(operation, types, 1);
            return tensor::kernel_of(times(count, tensor::multiply(operation)), matrices.bench()).text();
          }};
}

/// In the order in which an instruction comes to them.
constexpr std::array links_in_order{
    "issue",        "dispatch",       "bank_read",         "b_fill",        "fragments",          "b_read",
    "dot_products", "tensor_request", "warpgroup_request", "shared_memory", "warpgroup_operands", "tensor_memory",
    "accumulator",  "result",         "bank_write",        "retire"};

TEST(link_calls, of_one_matrix_instruction_are_those_of_the_table) {
  const std::vector<repeated_instruction> all{
      in_registers("HMMA.16816.F32", "hopper", "sm_90", "HMMA.16816.F32 R12, R4, R8, R12"),
      in_registers("HMMA.1688.F32", "turing", "sm_75", "HMMA.1688.F32 R12, R4, R8, R12"),
      in_registers("HMMA.884.F32.F32.STEP0", "volta", "sm_70", "HMMA.884.F32.F32.STEP0 R8, R24.ROW, R22.COL, R8"), of_warpgroup(),
      of_tensor_memory()};
  std::string header = "| link |", rule = "| --- |";
  std::map<std::string, std::string> rows;
  for (const repeated_instruction& each : all) {
    header += fmt::format(" {} |", each.name);
    rule += " ---: |";
    call_counts once = calls_of(each, 1), twice = calls_of(each, 2);
    for (const auto& [link, calls] : twice)
      EXPECT_TRUE(calls == once[link] || std::count(links_in_order.begin(), links_in_order.end(), link) == 1) << link;
    for (const char* link : links_in_order) {
      const unsigned calls = twice[link] - once[link];
      rows[link] += calls == 0 ? " |" : fmt::format(" {} |", calls);
    }
  }
  std::string text = header + "\n" + rule + "\n";
  for (const char* link : links_in_order) text += fmt::format("| `{}` |{}\n", link, rows[link]);
  expect_generated(std::filesystem::path(TC_SOURCE_DIR) / "docs/architecture.md", "calls", text);
}

}  // namespace
}  // namespace tc::device::test::link_calls_test
