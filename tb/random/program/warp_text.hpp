// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <tc/isa/architecture.hpp>

#include "instruction_templates.hpp"

namespace tcsim::random_programs {

inline constexpr unsigned lanes_of_warp = 32;
inline constexpr std::uint32_t all_lanes = 0xffffffff;

/// The lines of a warp in a trace. Lanes without a thread, and those that have exited, execute nothing; when all have, nothing follows.
class warp_text {
 public:
  /// `with_control`: most instructions have control codes, which say anything. `threads`: the first lanes.
  warp_text(random_numbers& random, tc::isa::architecture arch, bool with_control, unsigned threads)
      : random_(random),
        arch_(arch),
        with_control_(with_control),
        existing_(threads < lanes_of_warp ? (std::uint32_t{1} << threads) - 1 : all_lanes),
        lanes_(existing_) {}

  /// A machine instruction. Throws tc::isa::syntax_error if it is none of the architecture.
  void add(const std::string& instruction, std::uint32_t mask = all_lanes, const std::string& addresses = {});
  /// One of PTX.
  void add_ptx(const std::string& instruction, std::uint32_t mask = all_lanes);
  /// Lanes exit, or all that are left.
  void exit(std::uint32_t mask = all_lanes);

  /// Lanes that execute what follows; masks and addresses are of these alone.
  std::uint32_t lanes() const { return lanes_; }
  /// The first of them, for what one thread does.
  std::uint32_t first_lane() const { return lanes_ & (~lanes_ + 1); }
  bool is_whole() const { return lanes_ == all_lanes; }
  bool has_lost_lanes() const { return lanes_ != existing_; }

  const std::string& lines() const { return lines_; }
  unsigned instructions() const { return instructions_; }

 private:
  std::string random_control(const std::string& instruction);
  std::string mask_text(std::uint32_t mask) const;

  random_numbers& random_;
  tc::isa::architecture arch_;
  bool with_control_;
  std::uint32_t existing_, lanes_;
  std::string lines_;
  unsigned instructions_ = 0;
};

}  // namespace tcsim::random_programs
