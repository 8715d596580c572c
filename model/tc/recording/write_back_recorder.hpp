// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <unordered_map>

#include <tc/fabric/recorder.hpp>
#include <tc/links/warp_instruction.hpp>

namespace tc::recording {

/// Records of a write-back: results from where they leave their unit to where they are visible, the cycle before at least.
class write_back_recorder {
 public:
  using cycle_t = fabric::cycle_t;

  /// `write_back` is the path of the module.
  write_back_recorder(fabric::recorder& records, const fabric::clock_domain& clock, const std::string& write_back);

  /// A result comes, which could be visible in the cycle that the instruction names.
  void arrives(const links::warp_instruction& instruction) {
    if (!records_.is_over()) arrived_[instruction.record] = instruction.result;
  }
  /// It is visible in the cycle that the instruction names now.
  void visible(const links::warp_instruction& instruction);

 private:
  fabric::recorder& records_;
  const fabric::clock_domain& clock_;
  const fabric::record_stream& stream_;
  std::unordered_map<std::uint64_t, cycle_t> arrived_;  // by the record of the instruction
};

}  // namespace tc::recording
