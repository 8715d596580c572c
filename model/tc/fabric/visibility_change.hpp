// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tlm>

namespace tc::fabric {

/// With TLM_IGNORE_COMMAND: from now on, accesses to these bytes of a shared memory are ordered in another way (proxy_access). It takes
/// effect in the order of the calls, in no time.
///
/// Ignorable; a payload that carries it is used for nothing else.
struct visibility_change final : tlm::tlm_extension<visibility_change> {
  enum class kind : std::uint8_t {
    fenced,    ///< what warps have written there is visible to the asynchronous proxy: fence.proxy.async
    arriving,  ///< a bulk copy writes there, and nobody may look
    settled,   ///< somebody has waited for the bulk copies that wrote there: everybody may look
  };

  kind what = kind::fenced;
  std::uint64_t base = 0, bytes = 0;

  tlm::tlm_extension_base* clone() const override { return new visibility_change(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const visibility_change&>(other); }

  /// The payload's extension; attached on first use and owned by the payload from then on.
  static visibility_change& of(tlm::tlm_generic_payload& payload) {
    auto* extension = payload.get_extension<visibility_change>();
    if (extension == nullptr) payload.set_extension(extension = new visibility_change);
    return *extension;
  }
};

}  // namespace tc::fabric
