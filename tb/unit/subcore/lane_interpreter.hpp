#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <tc/isa/instruction.hpp>
#include <tc/subcore/lanes/lane_operations.hpp>
#include <tc/subcore/links/warp_context.hpp>
#include <tc/trace/step.hpp>

namespace tc::subcore::test {

/// Executes the integer instructions of one warp in program order, without time: registers in, registers out. What it does not compute
/// (loads, matrix instructions, floating point) leaves its destination undefined.
class lane_interpreter {
 public:
  explicit lane_interpreter(const warp_context& warp);

  void execute(const trace::step& step);

  /// The addresses that the registers hold for a memory operand; empty if a register it needs is undefined in a lane of `lanes`.
  std::vector<std::uint64_t> addresses(const isa::memory_reference& memory, std::uint32_t lanes) const;
  /// The lanes in which the guard holds; nothing known (false) if the predicate is undefined.
  bool guard(const isa::guard_predicate& guard, std::uint32_t& lanes) const;

  /// Instructions of which a source was undefined or that are not computed.
  std::uint64_t not_computed() const { return not_computed_; }
  std::uint64_t computed() const { return computed_; }

 private:
  struct lane_register {
    lane_vector value{};
    std::uint32_t defined = 0;  // bit per lane
  };
  /// Registers of one operand: value and where it is defined.
  struct fetched {
    lane_register low, high;
    std::uint32_t predicate = 0;
  };

  lane_register read(isa::register_file file, unsigned index) const;
  lane_register constant(const isa::operand& operand, unsigned word) const;
  fetched fetch(const isa::operand& operand, unsigned registers) const;
  void write(const isa::operand& destination, unsigned i, const lane_register& value, std::uint32_t mask);
  void write_undefined(const isa::instruction& code, std::uint32_t mask);
  bool execute_special(const isa::instruction& code, lane_result& result) const;
  bool execute_constant_load(const isa::instruction& code, std::uint32_t mask);
  void execute_lane_operation(const isa::instruction& code, std::uint32_t mask);
  void write_result(const isa::instruction& code, const lane_result& result, std::uint32_t defined, std::uint32_t mask);

  const warp_context& warp_;
  std::map<std::pair<isa::register_file, unsigned>, lane_register> registers_;
  std::uint64_t computed_ = 0, not_computed_ = 0;
};

}  // namespace tc::subcore::test
