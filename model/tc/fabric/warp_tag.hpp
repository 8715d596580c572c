// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tlm>

namespace tc::fabric {

/// Says who asked, for traces and fair arbitration. Ignorable: a peer that has never heard of it still works. Sticky: allocated once per
/// payload, so every field is rewritten on each use.
struct warp_tag final : tlm::tlm_extension<warp_tag> {
  unsigned warp = 0;         ///< warp within the sub-core
  std::uint64_t record = 0;  ///< id of the record of the instruction that asks; 0: none is kept

  tlm::tlm_extension_base* clone() const override { return new warp_tag(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const warp_tag&>(other); }

  /// The payload's tag; attached on first use and owned by the payload from then on.
  static warp_tag& of(tlm::tlm_generic_payload& payload) {
    auto* tag = payload.get_extension<warp_tag>();
    if (tag == nullptr) {
      tag = new warp_tag;
      payload.set_extension(tag);
    }
    return *tag;
  }

  /// Says it of a payload that is about to be sent.
  static void mark(tlm::tlm_generic_payload& payload, unsigned warp, std::uint64_t record) {
    warp_tag& tag = of(payload);
    tag.warp = warp;
    tag.record = record;
  }
};

}  // namespace tc::fabric
