// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>

#include <tc/isa/instruction.hpp>
#include <tc/lanes/lane_operations.hpp>
#include <tc/warp/lane_vector.hpp>
#include <tc/warp/warp_context.hpp>

namespace tc::lanes {

/// A value in each lane, and in which lanes it is known.
template <class Value>
struct known_lanes {
  Value value{};
  std::uint32_t known = 0;                   ///< bit per lane; the others have no meaning
  const isa::instruction* origin = nullptr;  ///< of a lane that is not known: what left it so; null: never written
};

/// The registers of one warp, from what its integer instructions, moves, conversions and loads of constants compute in program order,
/// without time. The results of all other instructions are unknown, as are clocks, and what is computed from something unknown.
class lane_interpreter {
 public:
  /// `warp`, the constants it points to, and the instructions must outlive the interpreter.
  explicit lane_interpreter(const warp::warp_context& warp) : warp_(warp) {}

  /// Executes an instruction in the lanes of `mask`.
  void execute(const isa::instruction& code, std::uint32_t mask);
  /// Makes everything unknown that an instruction may write, where it is not known which lanes execute it.
  void forget_results(const isa::instruction& code) { write_unknown(code, every_lane); }

  /// The addresses that the registers hold for a memory operand, modulo 2^64.
  known_lanes<std::array<std::uint64_t, warp::lanes_per_warp>> addresses(const isa::memory_reference& memory) const;
  /// The lanes, as bits of `value`, in which a predicate operand holds.
  known_lanes<std::uint32_t> predicate(isa::register_file file, unsigned index, bool inverted) const;
  /// What a register holds; a predicate as 0 or 1.
  known_lanes<warp::lane_vector> value(isa::register_file file, unsigned index) const { return read(file, index); }
  /// Whether a register is known in all lanes of `mask`.
  bool knows(isa::register_file file, unsigned index, std::uint32_t mask) const { return (mask & ~read(file, index).known) == 0; }

  /// Instructions that were executed with known results, and with unknown ones.
  std::uint64_t computed() const { return computed_; }
  std::uint64_t not_computed() const { return not_computed_; }

 private:
  static constexpr std::uint32_t every_lane = 0xffffffff;

  using lane_register = known_lanes<warp::lane_vector>;
  /// The registers of one operand.
  struct fetched {
    lane_register low, high;
    std::uint32_t predicate = 0;
  };

  static void add_unknown(lane_register& to, const lane_register& from);
  lane_register read(isa::register_file file, unsigned index) const;
  lane_register constant(const isa::operand& operand, unsigned word) const;
  fetched fetch(const isa::operand& operand, unsigned registers) const;
  void write(const isa::operand& destination, unsigned i, const lane_register& value, std::uint32_t mask);
  void write_unknown(const isa::instruction& code, std::uint32_t mask);
  void write_result(const isa::instruction& code, const lane_result& result, const lane_register& known, std::uint32_t mask);
  bool execute_special(const isa::instruction& code, std::uint32_t mask);
  bool execute_part_load(const isa::instruction& code, std::uint32_t mask);
  bool execute_constant_load(const isa::instruction& code, std::uint32_t mask);
  void execute_lane_operation(const isa::instruction& code, std::uint32_t mask);

  const warp::warp_context& warp_;
  std::map<std::pair<isa::register_file, unsigned>, lane_register> registers_;
  std::uint64_t computed_ = 0, not_computed_ = 0;
};

}  // namespace tc::lanes
