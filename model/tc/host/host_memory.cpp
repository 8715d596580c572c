// SPDX-License-Identifier: Apache-2.0
#include "host_memory.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace tc::host {

namespace {

constexpr std::uint64_t default_bytes = std::uint64_t{1} << 32;

fabric::access_rules rules_of(const tcsim_options& options) {
  fabric::access_rules rules;
  rules.size_bytes = options.read_memory != nullptr ? std::numeric_limits<sc_dt::uint64>::max()
                     : options.memory_bytes != 0    ? options.memory_bytes
                                                    : default_bytes;
  return rules;
}

/// Calls `visit` with the bytes of each page that an access touches, how many were before them, and their number. False if not all exist.
template <class Visit>
bool for_each_page(memory::paged_storage& storage, std::uint64_t address, std::size_t bytes, Visit visit) {
  constexpr std::size_t page_bytes = memory::paged_storage::page_bytes;
  if (!storage.contains(address, bytes)) return false;
  for (std::size_t done = 0, part = 0; done < bytes; done += part) {
    part = std::min<std::size_t>(bytes - done, page_bytes - (address + done) % page_bytes);
    visit(storage.at(address + done), done, part);
  }
  return true;
}

}  // namespace

host_memory::host_memory(const sc_core::sc_module_name& module_name, const tcsim_options& options)
    : sc_module(module_name),
      port("port", rules_of(options),
           {[this](unsigned, tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
              if (!execute(payload)) payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
              return delay + latency_;
            },
            [this](tlm::tlm_generic_payload& payload) { return execute(payload) ? payload.get_data_length() : 0; },
            {},
            {}}),
      options_(options),
      latency_(sc_core::sc_time(static_cast<double>(options.memory_latency_ps), sc_core::SC_PS)) {
  if (options_.read_memory == nullptr) storage_.add_region(0, rules_of(options_).size_bytes, {});
}

host_memory::~host_memory() = default;

template <class Callback, class Data>
bool host_memory::ask(Callback* callback, std::uint64_t address, Data* data, std::size_t bytes) {
  is_asking_ = true;
  const bool has_them = callback(options_.memory_user, address, data, bytes) == 0;
  is_asking_ = false;
  return has_them;
}

bool host_memory::read(std::uint64_t address, std::uint8_t* data, std::size_t bytes) {
  if (options_.read_memory != nullptr) return ask(options_.read_memory, address, data, bytes);
  return for_each_page(storage_, address, bytes,
                       [data](std::uint8_t* in_page, std::size_t done, std::size_t part) { std::memcpy(data + done, in_page, part); });
}

bool host_memory::write(std::uint64_t address, const std::uint8_t* data, std::size_t bytes) {
  if (options_.write_memory != nullptr) return ask(options_.write_memory, address, data, bytes);
  return for_each_page(storage_, address, bytes,
                       [data](std::uint8_t* in_page, std::size_t done, std::size_t part) { std::memcpy(in_page, data + done, part); });
}

bool host_memory::execute(tlm::tlm_generic_payload& payload) {
  return payload.is_read() ? read(payload.get_address(), payload.get_data_ptr(), payload.get_data_length())
                           : write(payload.get_address(), payload.get_data_ptr(), payload.get_data_length());
}

}  // namespace tc::host
