// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tlm>

namespace tc::fabric {

/// Says which transactions of an initiator go through the banks of a shared memory together: those with the same access and index. A peer
/// that does not know the extension takes every transaction by itself.
///
/// With TLM_IGNORE_COMMAND it announces an access: "`count` wavefronts will arrive after the delay of this call". A memory that several
/// units share then knows all competitors for a cycle before the first of them asks, so that its choice does not depend on who is called
/// first. The transactions themselves are sent at least one cycle after the announcement, and arrive when it said.
///
/// The operands of an asynchronous tensor core and bulk copies come as a stream instead: wavefront i arrives `interval` cycles after the
/// one before, and they keep no other distance. Transactions of a stream that are sent later than their wavefront arrived take part in it
/// all the same: a whole stream may be read in the cycle of its last wavefront.
///
/// Ignorable and sticky: every field is rewritten on each use.
struct wavefront final : tlm::tlm_extension<wavefront> {
  std::uint64_t access = 0;    ///< number of the access among those of its initiator, ascending from 1
  std::uint32_t index = 0;     ///< of the wavefront in its access
  std::uint32_t count = 1;     ///< wavefronts of the access
  std::uint32_t interval = 0;  ///< of a stream: cycles between the arrivals of its wavefronts; 0: all arrive at once
  /// Bytes of the wavefront besides those of the transaction, if nobody wants values and the other transactions are not sent: memories
  /// count them.
  std::uint32_t further_bytes = 0;
  bool conflict = false;  ///< the wavefront is needed only because several words lie in one bank
  bool noted = false;     ///< set by a memory that heeds announcements

  tlm::tlm_extension_base* clone() const override { return new wavefront(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const wavefront&>(other); }

  /// The payload's extension; attached on first use and owned by the payload from then on.
  static wavefront& of(tlm::tlm_generic_payload& payload) {
    auto* extension = payload.get_extension<wavefront>();
    if (extension == nullptr) payload.set_extension(extension = new wavefront);
    return *extension;
  }

  /// Bytes that a memory counts for a transaction.
  static std::uint64_t bytes_of(const tlm::tlm_generic_payload& payload) {
    const auto* const extension = payload.get_extension<wavefront>();
    return std::uint64_t{payload.get_data_length()} + (extension != nullptr ? extension->further_bytes : 0);
  }
};

}  // namespace tc::fabric
