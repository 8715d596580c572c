// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm>

#include <tc/isa/tcgen05/tensor_access.hpp>

namespace tc::tmem {

/// Says of which shape a warp's load or store is, from which follows in which order its registers go through the banks. The transaction
/// covers the columns of the access; of .16x32bx2 each half is a transaction of its own. One without the tag moves column after column, as
/// .32x32b does.
///
/// Ignorable and sticky: every field is rewritten on each use.
struct warp_access final : tlm::tlm_extension<warp_access> {
  isa::tensor_access_shape shape = isa::tensor_access_shape::lanes32_bits32;
  unsigned repeat = 1;
  bool packed = false;

  tlm::tlm_extension_base* clone() const override { return new warp_access(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const warp_access&>(other); }

  /// The payload's tag; attached on first use and owned by the payload from then on.
  static warp_access& of(tlm::tlm_generic_payload& payload) {
    auto* tag = payload.get_extension<warp_access>();
    if (tag == nullptr) payload.set_extension(tag = new warp_access);
    return *tag;
  }
};

}  // namespace tc::tmem
