// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tc/importers/import_report.hpp>
#include <tc/importers/kernel_launch.hpp>
#include <tc/lanes/lane_interpreter.hpp>
#include <tc/listings/sass_program.hpp>
#include <tc/trace/lanes.hpp>

namespace tc::importers {

/// Everything that the warps of a kernel have in common.
struct execution_setting {
  const listings::sass_kernel& kernel;
  const std::vector<listings::program_instruction>& program;  ///< all of the kernel, in the order of the pcs
  const kernel_launch& launch;
};

/// One warp on its way through a kernel of which memory is not known: its lines of a trace. Registers are computed as far as they depend
/// on thread numbers and constants alone; these decide predicates, branches and addresses.
class warp_execution {
 public:
  /// `warp`, which has constants, must outlive this.
  warp_execution(const execution_setting& setting, const warp::warp_context& warp, trace::lane_mask lanes, import_report& report)
      : setting_(setting), warp_(warp), report_(report), registers_(warp), active_(lanes), whole_warp_(lanes) {}

  /// Appends the lines up to the warp's EXIT. Masks and addresses that cannot be computed are noted in the report. Throws
  /// trace::trace_error where the way of the warp is not known or not that of all its lanes, where it goes out of the kernel, for too many
  /// instructions, and for an address that the instruction cannot access. False if the warp came to an unknown instruction, and stands
  /// there.
  bool run(std::string& text);

 private:
  /// Lanes that execute an instruction, and those of them in which its predicate operands hold.
  struct lane_choice {
    trace::lane_mask executing = 0, holding = 0;
  };

  const listings::program_instruction& at_pc() const;
  void execute(const listings::program_instruction& next, std::string& text);
  void execute_plain(const listings::program_instruction& next, std::string& text);
  void leave(const listings::program_instruction& next, std::string& text);
  void branch(const listings::program_instruction& next, std::string& text);
  bool takes_branch(const listings::program_instruction& next, const lane_choice& lanes) const;
  std::uint32_t target_of(const listings::program_instruction& next) const;
  lane_choice choice_of(const listings::program_instruction& next) const;
  void append(std::string_view line, trace::lane_mask mask, const trace::address_list& addresses, std::string& text) const;

  bool find_addresses(const listings::program_instruction& next, trace::lane_mask mask, trace::address_list& addresses);
  void take_addresses(const listings::program_instruction& next, const std::string& given, trace::lane_mask lanes,
                      trace::address_list& addresses) const;
  bool compute_addresses(const listings::program_instruction& next, trace::lane_mask lanes, trace::address_list& addresses);

  std::optional<std::string> barrier_line(const listings::program_instruction& next, trace::lane_mask lanes);

  void note_unknown(const listings::program_instruction& next, const std::string& what, const std::string& reg,
                    const isa::instruction* origin);
  std::string unknown_register(const isa::memory_reference& memory, trace::lane_mask lanes) const;
  [[noreturn]] void fail(const listings::program_instruction& at, const std::string& message) const;

  const execution_setting& setting_;
  const warp::warp_context& warp_;
  import_report& report_;
  lanes::lane_interpreter registers_;
  trace::lane_mask active_;  ///< lanes that have not exited
  trace::lane_mask whole_warp_;
  std::uint32_t pc_ = 0;
  std::uint64_t instructions_ = 0;
};

}  // namespace tc::importers
