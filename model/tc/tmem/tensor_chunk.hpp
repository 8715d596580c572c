// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <systemc>
#include <tlm>

#include <tc/config/tensor_memory_parameters.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/completing_target.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/isa/tcgen05/tensor_address.hpp>
#include <tc/tmem/bank_schedule.hpp>
#include <tc/tmem/time_in_use.hpp>

namespace tc::tmem {

/// The bytes of a chunk of tensor memory, and which of them were written since their columns began a new life.
class chunk_storage {
 public:
  chunk_storage();

  /// Moves the enabled bytes of a read or write between the payload and the bytes from `address` on, all of them in the chunk. A read that
  /// asks for it (fabric::undefined_bytes) is told which ones nobody has written.
  void transfer(tlm::tlm_generic_payload& payload, unsigned address);

  /// In `columns` columns every lane takes the cell of the next lane; the last one keeps its own.
  void shift(unsigned first_column, unsigned columns);

  /// Nobody has written these bytes; what they hold stays. Those beyond the chunk do not exist.
  void begin(std::uint64_t address, std::uint64_t bytes);

  void reset();

 private:
  void tell_undefined(tlm::tlm_generic_payload& payload, unsigned address) const;

  std::vector<unsigned char> bytes_;
  std::vector<unsigned char> written_;  // by byte: 1 if it was
};

/// 32 lanes of tensor memory, those that the warps of a sub-core reach, with banks of their own. Paths lead to the banks: one for loads and
/// stores together, and, for each link of the tensor core, one for reads and one for writes. Each serves one access after another, in the
/// order of the calls; none takes cycles from another (on a B200 a running matrix product costs loads and stores 3 %: public SASS
/// documentation project).
class tensor_chunk final : public sc_core::sc_module, public fabric::statistics_source {
 public:
  /// Loads and stores: cells at address_in_chunk(), in whole 32-bit words, with byte enables for some of the lanes. A warp_access says how
  /// the registers of a warp go through the banks; one that is none, or not of the columns of the transaction, is answered with
  /// TLM_GENERIC_ERROR_RESPONSE.
  fabric::completing_target access;

  struct params {
    config::tensor_memory_parameters memory{};
    unsigned engine_links = 1;
    bool data = true;  ///< false: no bytes move, only time passes
  };

  tensor_chunk(const sc_core::sc_module_name& name, const params& parameters, fabric::clock_domain& clock);
  ~tensor_chunk() override;

  using cycle_t = fabric::cycle_t;

  /// For the tensor core, at the same addresses plus those of the chunks before: whether the chunk has the bytes; an access to them over a
  /// link, which returns the first cycle after it; and one that takes no time.
  bool contains(const tlm::tlm_generic_payload& payload) const;
  cycle_t serve_engine(unsigned link, tlm::tlm_generic_payload& payload, cycle_t arrival);
  void debug(tlm::tlm_generic_payload& payload);

  /// Moves the cells of these columns to the lane before. Takes no time: that is up to who shifts all chunks.
  void shift(isa::column_range columns);

  /// Nobody has written these bytes.
  void begin(std::uint64_t address, std::uint64_t bytes) { storage_.begin(address, bytes); }

  /// As after construction.
  void reset();

  void collect(fabric::statistics_sink& sink) const override;

 private:
  /// Accesses that take turns.
  struct path {
    cycle_t free = 0;  // first cycle in which nobody uses it
    std::uint64_t busy_cycles = 0, wait_cycles = 0;

    /// Returns the first cycle after the access.
    cycle_t take(cycle_t arrival, unsigned cycles, time_in_use& in_use);
  };

  sc_core::sc_time serve_warp(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  static std::uint64_t busy_cycles(const std::vector<path>& paths);
  unsigned cycles_of(const tlm::tlm_generic_payload& payload);
  void move(tlm::tlm_generic_payload& payload);

  const params params_;
  fabric::clock_domain& clock_;
  chunk_storage storage_;
  bank_schedule warp_banks_, engine_banks_;
  time_in_use in_use_;  ///< on any path
  path warp_path_;
  std::vector<path> engine_reads_, engine_writes_;  // by link
  std::uint64_t reads_ = 0, writes_ = 0, bytes_read_ = 0, bytes_written_ = 0;
  std::uint64_t engine_bytes_read_ = 0, engine_bytes_written_ = 0, bytes_shifted_ = 0;
};

}  // namespace tc::tmem
