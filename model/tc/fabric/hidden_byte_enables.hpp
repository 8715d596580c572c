// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm>

namespace tc::fabric {

/// Takes the byte enables from a payload, and puts them back when it goes: debug transport ignores them, whatever is in them (IEEE
/// 1666-2011, section 11.3.4).
class hidden_byte_enables {
 public:
  explicit hidden_byte_enables(tlm::tlm_generic_payload& payload) : payload_(payload), enables_(payload.get_byte_enable_ptr()) {
    payload_.set_byte_enable_ptr(nullptr);
  }
  ~hidden_byte_enables() { payload_.set_byte_enable_ptr(enables_); }
  hidden_byte_enables(const hidden_byte_enables&) = delete;
  hidden_byte_enables& operator=(const hidden_byte_enables&) = delete;

 private:
  tlm::tlm_generic_payload& payload_;
  unsigned char* enables_;
};

}  // namespace tc::fabric
