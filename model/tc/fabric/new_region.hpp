// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include <tlm>

namespace tc::fabric {

/// A debug request with TLM_IGNORE_COMMAND that carries this says: these bytes begin a new life, with this content. Global memory gets one
/// for each image of a kernel, shared memory one for the bytes of each CTA; tensor memory, whose columns CTAs allocate as they run, by
/// transport. Ignorable: to a memory that takes no notice the initiator writes the content by debug writes. One that does may fetch it when
/// somebody looks.
struct new_region final : tlm::tlm_extension<new_region> {
  /// Copies `count` bytes from `offset` on.
  using content = std::function<void(std::uint64_t offset, std::uint8_t* destination, std::size_t count)>;

  std::uint64_t base = 0, bytes = 0;
  content initial{};   ///< empty: nobody has written the bytes
  bool noted = false;  ///< set by a memory that takes notice

  tlm::tlm_extension_base* clone() const override { return new new_region(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const new_region&>(other); }
};

}  // namespace tc::fabric
