// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <systemc>

#include <tc/config/fetch_parameters.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/shared_tag_array.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/fabric/tag_array.hpp>

namespace tc::subcore {

using fabric::cycle_t;

/// Brings the instructions of a sub-core's warps into their instruction buffers, through an L0 cache with a stream buffer, and the L1 cache
/// of the SM (Huerta et al., arXiv 2503.20481, section 5.2). A buffer takes an instruction when it has room, and is emptied by a jump.
/// Behind the L0 cache lines come one after another at the width of the level that has them.
///
/// The trace tells which instruction is next; here is decided when it is there.
class instruction_fetch final : public sc_core::sc_module, public fabric::statistics_source, public fabric::resettable {
 public:
  /// `l1`: the tags of the SM's cache, which its sub-cores share; they outlive this unit.
  instruction_fetch(const sc_core::sc_module_name& name, const config::fetch_parameters& parameters, unsigned warp_slots,
                    fabric::shared_tag_array& l1);
  ~instruction_fetch() override;

  /// A warp begins in a slot: its buffer is empty.
  void launch(std::uint32_t slot);

  /// The cycle from which on the warp's next instruction, at `pc` of a kernel, is in its buffer. `cycle` is when the instruction before it
  /// issued, or when the warp begins.
  cycle_t next(std::uint32_t slot, std::uint32_t kernel, std::uint32_t pc, cycle_t cycle);

  /// A kernel begins: its code is in no cache, and nothing of the one before is on its way.
  void begin_kernel();

  void reset() override;
  void collect(fabric::statistics_sink& sink) const override;

 private:
  /// The instruction buffer of a warp.
  struct buffer {
    bool running = false;  // holds the instruction before the next one
    std::uint64_t last_address = 0;
    std::uint64_t line = 0;  // of the last instruction
    cycle_t line_there = 0;
    cycle_t last_fetch = 0;
    std::vector<cycle_t> issued;  // of the latest instructions, as many as there are entries, in a ring
    std::size_t oldest = 0;
  };

  cycle_t room(buffer& b, cycle_t issued);
  cycle_t line_there(std::uint64_t line, cycle_t fetch, cycle_t asked);
  cycle_t request(std::uint64_t line, cycle_t fetch, cycle_t asked);

  const config::fetch_parameters params_;
  std::vector<buffer> buffers_;  // by warp slot
  fabric::tag_array l0_;
  fabric::shared_tag_array& l1_;
  cycle_t link_free_ = 0;  // when the next line can leave the caches behind
  std::uint64_t instructions_ = 0, jumps_ = 0, l0_hits_ = 0, l0_misses_ = 0, prefetches_ = 0, l1_hits_ = 0, l1_misses_ = 0;
};

}  // namespace tc::subcore
