// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include <systemc>
#include <tlm>

#include <tc/engine/product/operand_matrix.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/transfer_pool.hpp>
#include <tc/links/run_observer.hpp>
#include <tc/links/shared_memory_initiator.hpp>

namespace tc::engine {

using fabric::cycle_t;

/// What an instruction is reading from shared memory.
struct operand_read {
  links::asynchronous_origin reader{};
  unsigned outstanding = 0;  ///< core matrices, and one while they are being sent
  cycle_t there = 0;         ///< when everything is that was asked for up to now
  bool failed = false;       ///< refused before it was sent, or by the memory: only time passes
  bool hazard_told = false;
  std::uint64_t record = 0;  ///< id of the record of the instruction that asks; 0: none is kept
};

/// Reads matrix operands from shared memory, through the asynchronous proxy and a core matrix of 128 bytes at a time. A part of the module
/// that has the socket.
class operand_reader {
 public:
  /// Everything that was asked for up to now is there.
  using callback = std::function<void(operand_read& read)>;

  struct surroundings {
    links::shared_memory_initiator& memory;
    fabric::clock_domain& clock;
    std::function<links::asynchronous_observer&()> observer;
    const sc_core::sc_object& owner;                  ///< for messages
    const char* memory_report;                        ///< type of the message that the memory answered with an error
    bool data = true;                                 ///< false: no bytes move, only time passes
    unsigned row_bytes = operand_matrix::core_bytes;  ///< width of all banks of the memory
  };

  /// What is referred to outlives the reader.
  operand_reader(const surroundings& around, callback there) : around_(around), there_(std::move(there)) {}

  /// Whether bytes of a matrix are in the CTA's window; if not, says so in a message of this type, and the read has failed.
  bool check_window(operand_read& read, const isa::byte_range& bytes, const char* type) const;

  /// Reads a core matrix, or `lines` of its units: those that follow each other in memory are a run. Without data the first one tells the
  /// time, if all banks are as wide as a core matrix, so that it has no conflicts.
  void read_core(operand_read& read, operand_matrix& matrix, unsigned core, cycle_t arrival,
                 unsigned lines = isa::shared_matrix::core_lines);

  /// The memory's answer; for the callback of the socket.
  void answered(links::shared_memory_transfer& access);

  /// True if no payload is in use.
  bool idle() const { return requests_.live() == 0; }

 private:
  /// A core matrix that is read.
  struct request {
    links::shared_memory_transfer access;
    std::array<links::access_run, isa::shared_matrix::core_lines> runs;
    operand_read* owner = nullptr;
  };

  void find_runs(request& asked, operand_matrix& matrix, unsigned core, unsigned lines);
  void tell_hazard(operand_read& read, const links::shared_memory_transfer& seen) const;
  void report(const char* type, const operand_read& read, const std::string& text) const;

  const surroundings around_;
  callback there_;
  fabric::transfer_pool<request> requests_;
  std::uint64_t number_ = 0;                                          // of the core matrix
  std::array<unsigned char, operand_matrix::core_bytes> unwanted_{};  // where memory puts data in a run without
};

}  // namespace tc::engine
