// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm>

namespace tc::fabric {

/// Tells an initiator which of its own jobs a payload belongs to, when the answer comes. Only the initiator that attached it looks at it;
/// a peer that has never heard of it still works. Unlike warp_tag, which everybody may read and change, the type of the job keeps it
/// private. Sticky: allocated once per payload, so it is rewritten on each use.
template <class Job>
struct owner_tag final : tlm::tlm_extension<owner_tag<Job>> {
  Job* job = nullptr;

  tlm::tlm_extension_base* clone() const override { return new owner_tag(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const owner_tag&>(other); }

  /// The payload's tag; attached on first use and owned by the payload from then on.
  static owner_tag& of(tlm::tlm_generic_payload& payload) {
    auto* tag = payload.get_extension<owner_tag>();
    if (tag == nullptr) payload.set_extension(tag = new owner_tag);
    return *tag;
  }
};

}  // namespace tc::fabric
