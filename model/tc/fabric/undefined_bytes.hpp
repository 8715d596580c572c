// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <tlm>

namespace tc::fabric {

/// With a read: which of the bytes nobody has ever written. The initiator attaches it and clears `any`; a memory that keeps count fills it
/// in, any other ignores it. Sticky.
struct undefined_bytes final : tlm::tlm_extension<undefined_bytes> {
  bool any = false;
  std::vector<unsigned char> flags;  ///< by byte of the data: not 0 if it is undefined; meaningful only if `any`

  /// The first of these bytes; only if `any`.
  std::uint32_t first() const {
    const auto is_set = [](unsigned char flag) { return flag != 0; };
    return static_cast<std::uint32_t>(std::find_if(flags.begin(), flags.end(), is_set) - flags.begin());
  }

  tlm::tlm_extension_base* clone() const override { return new undefined_bytes(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const undefined_bytes&>(other); }

  /// The payload's extension; attached on first use and owned by the payload from then on.
  static undefined_bytes& of(tlm::tlm_generic_payload& payload) {
    auto* extension = payload.get_extension<undefined_bytes>();
    if (extension == nullptr) payload.set_extension(extension = new undefined_bytes);
    return *extension;
  }
};

}  // namespace tc::fabric
