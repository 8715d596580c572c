// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <systemc>

#include <tc/warp/warp_context.hpp>

namespace tc::links {

/// Where a warp's instructions come from. The sub-core asks for the next one when its instruction buffer has room.
class instruction_stream : public virtual sc_core::sc_interface {
 public:
  /// Fills in the next instruction of the warp in a slot; false at its end.
  virtual bool next(std::uint32_t slot, warp::warp_step& step) = 0;
};

}  // namespace tc::links
