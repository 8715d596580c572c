// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <systemc>

#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/recorder.hpp>

namespace tc::observe {

/// A clock and a recorder with a few streams like those of a sub-core, for records made by hand.
struct hand_made_records {
  using kind = fabric::attribute_kind;
  static constexpr std::array<std::string_view, 3> causes{"issued", "stall_count", "scoreboard"};
  static constexpr fabric::record_type instruction_type{
      "instruction",
      "An instruction",
      {{{"opcode", kind::text, 128}, {"text", kind::text, 0}, {"pc", kind::address, 32}, {"warp", kind::number, 6}}},
      8};
  static constexpr fabric::record_type stall_type{
      "stall", "A wait", {{{"cause", kind::choice, 5, causes.data(), causes.size()}, {"pc", kind::address, 32}}}};
  static constexpr fabric::record_type dependence_type{"dependence", "A read", {{{"producer", kind::record, 64}}}, 8};
  static constexpr fabric::record_type read_type{"read", "Registers read", {{{"warp", kind::number, 6}}}, 4};
  static constexpr fabric::record_type execute_type{"execute", "In a unit", {{{"warp", kind::number, 6}}}, 4};
  static constexpr fabric::record_type fetch_type{"operand_fetch", "Issue to dispatch", {{{"warp", kind::number, 6}}}, 4};
  static constexpr fabric::record_type transaction_type{"transaction", "A read of memory", {{{"warp", kind::number, 6}}}, 4};
  static constexpr fabric::record_type pass_type{"pass", "A pass", {}, 1, true};

  fabric::clock_domain clock{"clock", 1, sc_core::SC_NS};
  fabric::recorder recorder{"recorder", clock};
  const fabric::record_stream& instructions = recorder.add_stream("gpu.sm_0.sub_core_1.warp_3", instruction_type);
  const fabric::record_stream& stalls = recorder.add_stream("gpu.sm_0.sub_core_1.warp_3", stall_type);
  const fabric::record_stream& dependences = recorder.add_stream("gpu.sm_0.sub_core_1.warp_3", dependence_type);
  const fabric::record_stream& reads = recorder.add_stream("gpu.sm_0.sub_core_1.bank_0", read_type);
  const fabric::record_stream& executions = recorder.add_stream("gpu.sm_0.sub_core_1.fp32", execute_type);
  const fabric::record_stream& fetches = recorder.add_stream("gpu.sm_0.sub_core_1.operand_fetch", fetch_type);
  const fabric::record_stream& transactions = recorder.add_stream("gpu.sm_0.sub_core_1.load_store.shared", transaction_type);
  const fabric::record_stream& passes = recorder.add_stream("gpu.sm_0.sub_core_1.fp32", pass_type);

  void run_to(fabric::cycle_t cycle) { sc_core::sc_start(clock.delay_to(cycle)); }

  std::uint64_t begin_instruction(fabric::cycle_t cycle, std::string_view opcode, std::string_view text = "text", std::uint64_t pc = 0x10) {
    return recorder.begin(instructions, cycle, {opcode, text, pc, std::uint64_t{3}});
  }
  std::uint64_t instruction(fabric::cycle_t begins, fabric::cycle_t ends, std::string_view opcode, std::string_view text = "text",
                            std::uint64_t pc = 0x10) {
    const std::uint64_t id = begin_instruction(begins, opcode, text, pc);
    recorder.end(instructions, id, ends);
    return id;
  }
  std::uint64_t stall(fabric::cycle_t begins, fabric::cycle_t ends, std::uint64_t cause) {
    return recorder.span(stalls, begins, ends, {cause, std::uint64_t{0x20}});
  }
  std::uint64_t stage(const fabric::record_stream& stream, fabric::cycle_t begins, fabric::cycle_t ends, std::uint64_t instruction) {
    return recorder.span(stream, begins, ends, {std::uint64_t{3}}, instruction);
  }
  void depend(fabric::cycle_t cycle, std::uint64_t consumer, std::uint64_t producer) {
    recorder.span(dependences, cycle, cycle, {producer}, consumer);
  }
};

}  // namespace tc::observe
