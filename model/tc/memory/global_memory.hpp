// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include <systemc>
#include <tlm>

#include <tc/config/machine.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/jitter.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/memory/memory_hierarchy.hpp>
#include <tc/memory/memory_target.hpp>
#include <tc/memory/paged_storage.hpp>
#include <tc/memory/touched_bytes.hpp>
#include <tc/memory/undefined_ranges.hpp>

namespace tc::memory {

/// Global memory: regions of bytes behind a fixed latency, or behind caches, without limit of bandwidth. An access to an address outside
/// every region is answered with TLM_ADDRESS_ERROR_RESPONSE, one to a page that there is no room for (max_bytes) is a fault, and answered
/// with TLM_GENERIC_ERROR_RESPONSE. Direct access (DMI) is offered a page at a time and revoked by reset(); there is none past caches.
///
/// Bytes whose last write says that they have no value (fabric::undefined_bytes) are remembered, and told with reads, debug transport
/// included. As long as there are any, there is no direct access, which would neither tell nor define them.
class global_memory final : public sc_core::sc_module, public fabric::statistics_source, public fabric::resettable {
 public:
  memory_target port;  ///< any number of links, those of an SM next to each other

  struct params {
    config::global_memory_parameters memory{};
    unsigned links_per_sm = 1;  ///< links that share an L1 cache
    bool data = true;           ///< false: no bytes move and every address exists; only time passes
    config::jitter_parameters jitter{};
  };

  global_memory(const sc_core::sc_module_name& name, const params& parameters, fabric::clock_domain& clock);
  ~global_memory() override;

  /// Adds a region; `initial` gives its content, zero if empty. Where it overlaps an earlier one, its content replaces what is there.
  /// Reports a region that is empty or passes the end of the address space.
  void add_region(std::uint64_t base, std::uint64_t bytes, paged_storage::content initial = {});

  /// A kernel begins: nothing is in the L1 caches.
  void begin_kernel() { caches_.invalidate_l1(); }

  /// Which bytes accesses have read and written.
  struct touched {
    touched_bytes read, written;
  };
  /// Keeps that from now on, if bytes move. Before simulation, since direct access (DMI) is no longer offered.
  void keep_touched_bytes();
  /// Null if it is not kept.
  const touched* touched_since_begin() const { return touched_.get(); }

  /// Of the L2 cache and DRAM; nothing without the hierarchy.
  const memory_hierarchy::shared_traffic& traffic() const { return caches_.traffic(); }

  /// All regions have their initial content again, the caches are empty, and the statistics start from zero.
  void reset() override;
  /// As after construction: without regions.
  void clear();

  void collect(fabric::statistics_sink& sink) const override;

 private:
  memory_target::callbacks callbacks();
  sc_core::sc_time access(unsigned link, tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  void report_full(std::uint64_t address) const;
  cycle_t answer(bool is_write, const memory_hierarchy::request& request);
  cycle_t undelayed_answer(bool is_write, const memory_hierarchy::request& request);
  unsigned debug(tlm::tlm_generic_payload& payload);
  bool direct(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& region);
  void touch(const tlm::tlm_generic_payload& payload);
  void move(tlm::tlm_generic_payload& payload);
  void mark(const tlm::tlm_generic_payload& payload);
  void mark(std::uint64_t address, unsigned bytes, const unsigned char* undefined);
  void tell_undefined(tlm::tlm_generic_payload& payload) const;
  template <class Visit>
  void for_each_page(std::uint64_t address, unsigned bytes, const Visit& visit);

  const params params_;
  fabric::clock_domain& clock_;
  paged_storage storage_;
  undefined_ranges undefined_;
  std::unique_ptr<touched> touched_;  // null: it is not kept
  bool has_lent_pages_ = false;       // for direct access, since it was revoked last
  memory_hierarchy caches_;
  const fabric::jitter jitter_;
  std::uint64_t reads_ = 0, writes_ = 0, bytes_read_ = 0, bytes_written_ = 0, errors_ = 0;
};

}  // namespace tc::memory
