// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <tc/fabric/recorder.hpp>
#include <tc/links/pipeline_observers.hpp>
#include <tc/recording/stage_recorder.hpp>

namespace tc::recording {

/// Records of a load-store unit: its queue, and what its accesses cost in the banks of shared memory.
class load_store_recorder final : public links::load_store_observer {
 public:
  using cycle_t = fabric::cycle_t;

  /// `load_store` is the path of the unit.
  load_store_recorder(fabric::recorder& records, const std::string& load_store);

  void queued(const links::warp_instruction& instruction, cycle_t cycle) override;
  void left(const links::warp_instruction& instruction, cycle_t cycle) override;
  void shared_access_begins(const links::warp_instruction& instruction, unsigned wavefronts, unsigned conflicts, cycle_t cycle) override;
  void shared_access_ends(const links::warp_instruction& instruction, cycle_t cycle) override;

 private:
  instruction_stage queue_, shared_;
};

}  // namespace tc::recording
