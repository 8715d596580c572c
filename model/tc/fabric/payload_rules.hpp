// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <tlm>

namespace tc::fabric {

/// What a target must leave as it was in a request (IEEE 1666-2011, section 14.7).
struct request_attributes {
  explicit request_attributes(const tlm::tlm_generic_payload& payload);

  tlm::tlm_command command;
  sc_dt::uint64 address;
  const unsigned char* data;
  unsigned length;
  unsigned streaming_width;
  const unsigned char* byte_enable;
  unsigned byte_enable_length;
  std::uint64_t written;                                   ///< hash of the data of a write; 0 otherwise
  std::uint64_t enabled;                                   ///< hash of the byte enables
  std::vector<const tlm::tlm_extension_base*> extensions;  ///< by their id
};

/// What is wrong with the attributes of a request; null: nothing.
const char* mistake_in_request(const tlm::tlm_generic_payload& payload);

/// What is wrong with the attributes of a debug request, or of a request of direct access (sections 11.2.5 and 11.3.4); null: nothing.
const char* mistake_in_debug_request(const tlm::tlm_generic_payload& payload);
const char* mistake_in_direct_request(const tlm::tlm_generic_payload& payload);

/// What is wrong with the region that a target has granted for a request (section 11.2.5); null: nothing.
const char* mistake_in_region(const request_attributes& request, const tlm::tlm_dmi& region);

/// Which attribute is not as it was; null: none. `address_may_change`: an interconnect follows.
const char* changed_attribute(const request_attributes& sent, const tlm::tlm_generic_payload& payload, bool address_may_change);

/// Whether an extension of the request is gone or another one is in its place; new ones are fine (section 14.21).
bool lost_extension(const request_attributes& sent, const tlm::tlm_generic_payload& payload);

/// How many bytes a request moves: those of its data that are enabled (section 14.12: the enables repeat).
unsigned enabled_bytes(const tlm::tlm_generic_payload& payload);

/// Whether a response status is one of those that the standard names.
bool is_known_status(tlm::tlm_response_status status);

}  // namespace tc::fabric
