#pragma once

#include <cstdint>
#include <string>

#include <tc/isa/architecture.hpp>

#include "instruction_templates.hpp"

namespace tcsim::random_programs {

inline constexpr std::uint32_t all_lanes = 0xffffffff, first_lane = 1;

/// The lines of a warp in a trace.
class warp_text {
 public:
  /// `with_control`: most instructions have control codes, which say anything.
  warp_text(random_numbers& random, tc::isa::architecture arch, bool with_control)
      : random_(random), arch_(arch), with_control_(with_control) {}

  /// A machine instruction. Throws tc::isa::syntax_error if it is none of the architecture.
  void add(const std::string& instruction, std::uint32_t mask = all_lanes, const std::string& addresses = {});
  /// One of PTX.
  void add_ptx(const std::string& instruction, std::uint32_t mask = all_lanes);

  const std::string& lines() const { return lines_; }
  unsigned instructions() const { return instructions_; }

 private:
  std::string random_control(const std::string& instruction);

  random_numbers& random_;
  tc::isa::architecture arch_;
  bool with_control_;
  std::string lines_;
  unsigned instructions_ = 0;
};

}  // namespace tcsim::random_programs
