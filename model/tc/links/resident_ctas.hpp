// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <systemc>

#include <tc/warp/warp_context.hpp>

namespace tc::links {

/// The CTAs that are resident in an SM.
class resident_ctas : public virtual sc_core::sc_interface {
 public:
  /// A warp of the CTA with this number in its grid; null if the CTA is not there.
  virtual const warp::warp_context* warp_of(std::uint32_t cta) const = 0;
};

}  // namespace tc::links
