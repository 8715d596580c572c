// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <systemc>
#include <tlm>

#include <tc/config/tensor_memory_parameters.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/completing_target.hpp>
#include <tc/fabric/extensions.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/tmem/bank_schedule.hpp>
#include <tc/tmem/extensions.hpp>
#include <tc/tmem/tensor_chunk.hpp>

namespace tc::tmem {

/// The tensor memory of an SM: 128 lanes of 32-bit cells in four chunks, each behind the socket of a sub-core, and sockets of the tensor
/// core onto all of them. What a chunk's socket or one of the engine's takes:
///
///   - Reads and writes of whole cells, from the engine at address_of() and within one chunk. They take effect in the order of the calls;
///     what is beyond the columns, or in two chunks, is answered with TLM_ADDRESS_ERROR_RESPONSE.
///   - From the engine, with TLM_IGNORE_COMMAND: shifts (lane_shift), one after the other for the whole memory and beside all accesses, and
///     columns that begin a new life without content (fabric::new_region).
///   - transport_dbg, at the same addresses.
class tensor_memory final : public sc_core::sc_module, public fabric::statistics_source, public fabric::resettable {
 public:
  sc_core::sc_vector<tensor_chunk> chunks;               ///< chunk i has lanes 32 i to 32 i + 31
  sc_core::sc_vector<fabric::completing_target> engine;  ///< links of the tensor core

  struct params {
    config::tensor_memory_parameters memory{};
    unsigned engine_links = 1;
    bool data = true;  ///< false: no bytes move, only time passes
  };

  tensor_memory(const sc_core::sc_module_name& name, const params& parameters, fabric::clock_domain& clock);
  ~tensor_memory() override;

  /// As after construction.
  void reset() override;

  void collect(fabric::statistics_sink& sink) const override;

 private:
  using cycle_t = fabric::cycle_t;

  fabric::completing_target* make_engine_link(const char* name, unsigned link);
  tensor_chunk& chunk_of(const tlm::tlm_generic_payload& payload);
  sc_core::sc_time access(unsigned link, tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  unsigned debug(tlm::tlm_generic_payload& payload);
  sc_core::sc_time notice(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  sc_core::sc_time shift(tlm::tlm_generic_payload& payload, lane_shift& request, const sc_core::sc_time& delay);
  void begin_region(fabric::new_region& region);

  const params params_;
  fabric::clock_domain& clock_;
  bank_schedule shift_banks_;
  cycle_t shift_free_ = 0;  // first cycle in which no shift is under way
  std::uint64_t shifts_ = 0, shift_cycles_ = 0;
};

}  // namespace tc::tmem
