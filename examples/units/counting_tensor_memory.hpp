// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include <systemc>

#include <tc/fabric/completing_target.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/links/unit_makers.hpp>
#include <tc/tmem/cell_address.hpp>
#include <tc/tmem/extensions.hpp>

/// A tensor memory without banks, which answers everybody after the same time and counts the accesses to each column.
class counting_tensor_memory final : public sc_core::sc_module, public tc::fabric::statistics_source {
 public:
  sc_core::sc_vector<tc::fabric::completing_target> link;  ///< in the order of the site

  counting_tensor_memory(const sc_core::sc_module_name& module_name, const tc::links::tensor_memory_site& site)
      : sc_module(module_name),
        link("link"),
        data_(site.data),
        latency_(site.tensor_memory.latency_cycles * site.clock.period()),
        bytes_(tc::tmem::tensor_bytes) {
    link.init(site.sockets(), [this](const char* child, std::size_t i) { return make_link(child, static_cast<unsigned>(i)); });
  }

  void collect(tc::fabric::statistics_sink& sink) const override {
    const auto used = [](std::uint64_t count) { return count != 0; };
    sink.count("cells_accessed", cells_, "cells", "Cells read and written");
    sink.count("columns_used", static_cast<std::uint64_t>(std::count_if(columns_.begin(), columns_.end(), used)), "columns",
               "Columns that were read or written");
    sink.count("busiest_column", *std::max_element(columns_.begin(), columns_.end()), "accesses", "Most accesses to one column");
  }

 private:
  static constexpr unsigned chunks = tc::links::tensor_memory_site::chunks;

  /// The first links lead to one chunk each, the others to all.
  tc::fabric::completing_target* make_link(const char* child, unsigned number) {
    const unsigned base = number < chunks ? number * tc::tmem::chunk_bytes : 0;
    const sc_core::sc_time latency = number < chunks ? latency_ : sc_core::SC_ZERO_TIME;
    tc::fabric::access_rules rules;
    rules.size_bytes = number < chunks ? tc::tmem::chunk_bytes : tc::tmem::tensor_bytes;
    rules.alignment_bytes = tc::tmem::cell_bytes;
    rules.byte_enables = true;
    return new tc::fabric::completing_target(
        child, rules,
        [this, base, latency](tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
          count(base, payload);
          if (data_) transfer(base, payload);
          return delay + latency;
        },
        [this, base](tlm::tlm_generic_payload& payload) {
          transfer(base, payload);
          return payload.get_data_length();
        },
        [this](tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
          if (auto* const shift = payload.get_extension<tc::tmem::lane_shift>()) shift_lanes(*shift);
          return delay;
        });
  }

  void count(unsigned base, const tlm::tlm_generic_payload& payload) {
    const auto first = static_cast<unsigned>(base + payload.get_address());
    const unsigned last = first + payload.get_data_length() - 1;
    cells_ += payload.get_data_length() / tc::tmem::cell_bytes;
    for (unsigned column = first / tc::tmem::column_bytes; column <= last / tc::tmem::column_bytes; ++column)
      ++columns_[column % tc::isa::tensor_columns];
  }

  void transfer(unsigned base, tlm::tlm_generic_payload& payload) {
    const unsigned char* const enables = payload.get_byte_enable_ptr();
    for (unsigned i = 0; i < payload.get_data_length(); ++i) {
      if (enables != nullptr && enables[i % payload.get_byte_enable_length()] != TLM_BYTE_ENABLED) continue;
      unsigned char& byte = bytes_[static_cast<std::size_t>(base + payload.get_address() + i)];
      if (payload.is_read())
        payload.get_data_ptr()[i] = byte;
      else
        byte = payload.get_data_ptr()[i];
    }
  }

  /// In each chunk and column, lane l takes the cell of lane l + 1, and the last lane keeps its own.
  void shift_lanes(tc::tmem::lane_shift& shift) {
    shift.noted = true;
    for (unsigned chunk = 0; chunk < chunks; ++chunk)
      for (unsigned column = shift.first_column; column < shift.first_column + tc::tmem::lane_shift::columns; ++column) {
        unsigned char* const cells = bytes_.data() + chunk * tc::tmem::chunk_bytes + column * tc::tmem::column_bytes;
        std::memmove(cells, cells + tc::tmem::cell_bytes, tc::tmem::column_bytes - tc::tmem::cell_bytes);
      }
  }

  const bool data_;
  const sc_core::sc_time latency_;
  std::vector<unsigned char> bytes_;
  std::array<std::uint64_t, tc::isa::tensor_columns> columns_{};
  std::uint64_t cells_ = 0;
};
