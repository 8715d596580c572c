// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <systemc>
#include <tlm>

#include <tc/engine/product/cell_block.hpp>
#include <tc/engine/tensor/tensor_job.hpp>
#include <tc/fabric/base_protocol_initiator.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/payload_pool.hpp>
#include <tc/links/run_observer.hpp>

namespace tc::engine {

/// Moves cells between tensor memory and an engine, the columns of a chunk with one transaction. A part of the module that has the socket.
class cell_mover {
 public:
  /// A transaction of a job is answered: cells that were read are there, or others in their place, in a cycle.
  using callback = std::function<void(tensor_job& job, bool read, cycle_t valid)>;

  struct surroundings {
    fabric::base_protocol_initiator& memory;
    fabric::clock_domain& clock;
    sc_core::sc_port_b<links::run_observer>& observer;
    const sc_core::sc_object& owner;  ///< for messages
  };

  /// Columns of a chunk that are written.
  struct columns_to_write {
    unsigned chunk = 0;
    isa::column_range columns{};
    std::uint32_t* cells = nullptr;         ///< column after column, 32 lanes each
    unsigned char* byte_enables = nullptr;  ///< of a column; null: all lanes
    unsigned first_lane = 0, lanes = 32;    ///< of the chunk; fewer than 32 only without byte enables and of one column
    cycle_t wave_begin = 0;                 ///< when the first columns move
  };

  /// What is referred to outlives the mover.
  cell_mover(const surroundings& around, callback done) : around_(around), done_(std::move(done)) {}

  /// Reads all cells of a block; a callback for each chunk.
  void read(tensor_job& job, cell_block& block, cycle_t arrival);
  /// Reads those of a chunk; one callback. `byte_enables` are of a column; null: all lanes.
  void read_chunk(tensor_job& job, cell_block& block, unsigned chunk, unsigned char* byte_enables, cycle_t arrival);
  /// Writes columns; one callback.
  void write(tensor_job& job, const columns_to_write& what, cycle_t arrival);

  /// The memory's answer; for the callback of the socket.
  void answered(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);

  /// Of the cells that were asked for since the last reset().
  std::uint64_t bytes_read() const { return bytes_read_; }
  std::uint64_t bytes_written() const { return bytes_written_; }
  void reset() { bytes_read_ = bytes_written_ = 0; }

  /// True if no payload is in use.
  bool idle() const { return payloads_.live() == 0; }

 private:
  void look_at(tensor_job& job, const tlm::tlm_generic_payload& payload) const;

  const surroundings around_;
  callback done_;
  fabric::payload_pool payloads_;
  std::uint64_t bytes_read_ = 0, bytes_written_ = 0;
};

}  // namespace tc::engine
