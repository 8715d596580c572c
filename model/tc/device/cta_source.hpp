// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <systemc>

#include <tc/fabric/clocked.hpp>

namespace tc::device {

using fabric::cycle_t;

/// Who gives CTAs to an SM.
class cta_source : public virtual sc_core::sc_interface {
 public:
  /// The last warp of a CTA has drained; from `cycle` on its place can be released.
  virtual void cta_finished(unsigned sm, std::uint32_t cta_slot, cycle_t cycle) = 0;
};

}  // namespace tc::device
