// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include <tlm>

namespace tc::fabric {

/// What a memory-like target accepts on one socket. Targets answer a bad request with a response status; they never assert on what a
/// peer sent.
struct access_rules {
  sc_dt::uint64 base_address = 0;                                    ///< first byte that can be addressed
  sc_dt::uint64 size_bytes = 0;                                      ///< bytes from there on
  unsigned alignment_bytes = 1;                                      ///< address and length are multiples of it
  unsigned max_length_bytes = std::numeric_limits<unsigned>::max();  ///< of one transaction
  bool readable = true;
  bool writable = true;
  bool byte_enables = false;  ///< whether requests with byte enables are executed

  /// Those of a memory with all addresses but the last, 2^64 - 1, byte by byte: no range that ends behind it has an end that is a 64-bit
  /// number.
  static access_rules whole_address_space();

  /// Whether [address, address + length) lies inside.
  bool contains(sc_dt::uint64 address, sc_dt::uint64 length) const {
    return address >= base_address && length <= size_bytes && address - base_address <= size_bytes - length;
  }

  /// The response a request deserves (IEEE 1666-2011, section 14.17): TLM_OK_RESPONSE if it can be executed, otherwise the error of
  /// the first attribute that is wrong, in the order command, data pointer, byte enables, length and streaming width (burst), address.
  /// TLM_IGNORE_COMMAND is fine: it asks for nothing.
  tlm::tlm_response_status check(const tlm::tlm_generic_payload& payload) const;
};

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
