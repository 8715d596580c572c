// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <unordered_map>
#include <utility>
#include <vector>

#include <systemc>
#include <tlm>

#include "random_target.hpp"

namespace tc::stand_ins {

/// A memory that keeps to the protocol and is as hard to live with as that allows: it answers after random times, in random ways and in any
/// order, holds back END_REQ, and carries an access out when it answers it. Bytes read zero until they are written. By way of blocking
/// transport it may offer pointers to its pages, and takes them back.
class random_memory final : public sc_core::sc_module {
 public:
  struct params {
    unsigned ports = 1;
    unsigned seed = 1;
    unsigned max_delay_ns = 50;  ///< of each step of an answer
    answer way = answer::random;
    bool direct = false;                                              ///< offers pointers
    sc_dt::uint64 bytes = std::numeric_limits<sc_dt::uint64>::max();  ///< addresses from here on do not exist
  };

  sc_core::sc_vector<random_target> port;  ///< bind port[i].socket

  random_memory(const sc_core::sc_module_name& module_name, const params& parameters)
      : sc_module(module_name),
        port("port", parameters.ports,
             [&](const char* child, std::size_t i) {
               return new random_target(child, parameters.way, parameters.seed * 97 + static_cast<unsigned>(i), parameters.max_delay_ns);
             }),
        params_(parameters),
        random_(parameters.seed) {
    for (random_target& each : port) {
      each.access = [this](auto& payload) { access(payload); };
      each.debug = [this](auto& payload) { return debug(payload); };
      each.direct = [this](auto& payload, auto& region) { return grant(payload, region); };
    }
  }

  unsigned requests() const {
    unsigned sum = 0;
    for (const random_target& each : port) sum += each.requests;
    return sum;
  }

  unsigned char& at(sc_dt::uint64 address) { return page_of(address)[address % page_bytes]; }

 private:
  static constexpr sc_dt::uint64 page_bytes = 256;
  using page = std::array<unsigned char, page_bytes>;

  page& page_of(sc_dt::uint64 address) {
    auto& found = pages_[address / page_bytes];
    if (found == nullptr) found = std::make_unique<page>();
    return *found;
  }

  bool contains(const tlm::tlm_generic_payload& payload) const {
    return payload.get_address() < params_.bytes && payload.get_data_length() <= params_.bytes - payload.get_address();
  }

  void access(tlm::tlm_generic_payload& payload) {
    payload.set_response_status(contains(payload) ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    if (!contains(payload)) return;
    move(payload);
    if (!params_.direct) return;
    payload.set_dmi_allowed(random_() % 2 == 0);
    if (random_() % 4 == 0) take_back(payload.get_address());
  }

  unsigned debug(tlm::tlm_generic_payload& payload) {
    if (!contains(payload)) return 0;
    move(payload);
    return payload.get_data_length();
  }

  void move(tlm::tlm_generic_payload& payload) {
    const unsigned char* const enables = payload.get_byte_enable_ptr();
    for (unsigned i = 0; i < payload.get_data_length(); ++i) {
      if (enables != nullptr && enables[i % payload.get_byte_enable_length()] != TLM_BYTE_ENABLED) continue;
      if (payload.is_read()) payload.get_data_ptr()[i] = at(payload.get_address() + i);
      if (payload.is_write()) at(payload.get_address() + i) = payload.get_data_ptr()[i];
    }
  }

  bool grant(const tlm::tlm_generic_payload& payload, tlm::tlm_dmi& region) {
    if (!params_.direct || !contains(payload) || random_() % 4 == 0) return false;
    const sc_dt::uint64 first = payload.get_address() / page_bytes * page_bytes;
    region.set_dmi_ptr(page_of(first).data());
    region.set_start_address(first);
    region.set_end_address(std::min(first + page_bytes, params_.bytes) - 1);
    region.set_granted_access(static_cast<tlm::tlm_dmi::dmi_access_e>(payload.is_read() ? 1 + 2 * (random_() % 2) : 2 + random_() % 2));
    region.set_read_latency(sc_core::sc_time(3, sc_core::SC_NS));
    region.set_write_latency(sc_core::sc_time(5, sc_core::SC_NS));
    return true;
  }

  /// The page is elsewhere from now on: who still uses the old pointer reads and writes the wrong bytes.
  void take_back(sc_dt::uint64 address) {
    const sc_dt::uint64 first = address / page_bytes * page_bytes;
    for (random_target& each : port) each.socket->invalidate_direct_mem_ptr(first, first + page_bytes - 1);
    old_.push_back(std::exchange(pages_[first / page_bytes], std::make_unique<page>(page_of(first))));
    old_.back()->fill(0xa5);
  }

  const params params_;
  std::mt19937 random_;
  std::unordered_map<sc_dt::uint64, std::unique_ptr<page>> pages_;
  std::vector<std::unique_ptr<page>> old_;  // a pointer that was kept is no crash, but wrong
};

}  // namespace tc::stand_ins
