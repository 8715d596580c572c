// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm>

namespace tc::fabric {

/// Says how an access uses the caches in front of a memory. Ignorable; sticky, so every field is rewritten on each use.
struct cache_hint final : tlm::tlm_extension<cache_hint> {
  bool bypass_l1 = false;  ///< the access goes to the cache that all SMs share

  tlm::tlm_extension_base* clone() const override { return new cache_hint(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const cache_hint&>(other); }

  /// The payload's extension; attached on first use and owned by the payload from then on.
  static cache_hint& of(tlm::tlm_generic_payload& payload) {
    auto* extension = payload.get_extension<cache_hint>();
    if (extension == nullptr) payload.set_extension(extension = new cache_hint);
    return *extension;
  }
};

}  // namespace tc::fabric
