#pragma once

#include <array>
#include <memory>
#include <vector>

#include <tc/subcore/operand_fetch.hpp>

namespace tc::subcore {

/// Operand fetch without collectors (Huerta et al., arXiv 2503.20481, section 5.3): an instruction leaves the scheduler only when the read
/// ports of its banks have room for its registers in the cycles of its read window, and reserves them. Operands then arrive a fixed time
/// after issue, in issue order. An instruction with more registers in a bank than the window has cycles reads on behind it.
class port_reservation final : public operand_fetch {
 public:
  port_reservation(const sc_core::sc_module_name& name, const params& parameters, const register_mapping& mapping, side_registers& side,
                   definedness& shadow, fabric::clock_domain& clock);

  availability earliest_issue(const isa::instruction& code, const warp_context& warp, cycle_t issue) override;
  void evaluate(cycle_t cycle) override;
  void commit(cycle_t) override {}

 private:
  /// The plan of an instruction, kept from the scheduler's question to its issue.
  struct planned {
    const isa::instruction* code = nullptr;
    std::uint32_t warp_slot = 0;
    std::uint64_t instructions = 0;
    operand_plan plan{};
  };

  bool is_gathering() const override { return !in_order_.empty(); }
  void accept(warp_instruction& instruction) override;
  void gathered(gathering& entry) override;
  const operand_plan& plan_of(const isa::instruction& code, std::uint32_t warp_slot);
  cycle_t port_cycles(unsigned registers) const { return (registers + params_.read_ports - 1) / params_.read_ports; }
  gathering& new_entry();

  std::array<cycle_t, operand_plan::max_banks> port_free_{};  ///< by bank, in cycles of issue: reads of an instruction begin with its issue
  planned planned_{};
  std::vector<std::unique_ptr<gathering>> entries_;
  std::vector<gathering*> free_, in_order_;
  bool reading_ = false;  ///< the first of in_order_ has sent its reads
};

}  // namespace tc::subcore
