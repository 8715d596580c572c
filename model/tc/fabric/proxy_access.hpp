// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tlm>

namespace tc::fabric {

/// What makes the bytes that a read takes unreliable, although somebody has written them.
enum class proxy_hazard : std::uint8_t {
  none,
  unfenced,  ///< a warp wrote them, and no fence.proxy.async came between that and a read of the asynchronous proxy
  arriving,  ///< they lie in the destination of a bulk copy for which nobody has waited
};

/// Says through which proxy an access to shared memory comes: loads and stores of warps through the generic one, which is also meant
/// without this extension; operands of asynchronous tensor cores and bulk copies through the asynchronous one (PTX ISA, "Proxies"). A
/// memory that keeps count tells with a read whether its bytes can be relied on; visibility_change tells the memory what orders accesses.
///
/// Ignorable and sticky: every field is rewritten on each use.
struct proxy_access final : tlm::tlm_extension<proxy_access> {
  bool asynchronous = false;
  proxy_hazard found = proxy_hazard::none;  ///< cleared by the initiator, set by the memory with a read
  std::uint32_t first = 0;                  ///< byte of the data at which the hazard begins; meaningful only if there is one

  tlm::tlm_extension_base* clone() const override { return new proxy_access(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const proxy_access&>(other); }

  /// The payload's extension, as of an access with no hazard found yet; attached on first use and owned by the payload from then on.
  static proxy_access& start(tlm::tlm_generic_payload& payload, bool is_asynchronous) {
    auto* extension = payload.get_extension<proxy_access>();
    if (extension == nullptr) payload.set_extension(extension = new proxy_access);
    extension->asynchronous = is_asynchronous;
    extension->found = proxy_hazard::none;
    return *extension;
  }
};

}  // namespace tc::fabric
