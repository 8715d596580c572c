// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>

#include <tlm>

namespace tc::memory {

/// Whether a byte of the data takes part (IEEE 1666-2011, section 14.12: the enables repeat).
inline bool is_enabled(const tlm::tlm_generic_payload& payload, unsigned byte) {
  const unsigned char* enable = payload.get_byte_enable_ptr();
  return enable == nullptr || enable[byte % payload.get_byte_enable_length()] == TLM_BYTE_ENABLED;
}

/// Moves the enabled of `count` bytes between storage and the payload's data from byte `offset` on, in the direction of the command.
inline void transfer(tlm::tlm_generic_payload& payload, unsigned offset, unsigned char* storage, unsigned count) {
  unsigned char* const data = payload.get_data_ptr() + offset;
  const unsigned char* const from = payload.is_write() ? data : storage;
  unsigned char* const to = payload.is_write() ? storage : data;
  if (payload.get_byte_enable_ptr() == nullptr) {
    std::memcpy(to, from, count);
    return;
  }
  for (unsigned i = 0; i < count; ++i)
    if (is_enabled(payload, offset + i)) to[i] = from[i];
}

}  // namespace tc::memory
