// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <utility>

#include <systemc>
#include <tlm>

#include <tc/fabric/base_protocol_initiator.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/clocked.hpp>
#include <tc/fabric/payload_pool.hpp>

namespace tc::platform {

/// Moves bytes between buffers and memory, one job after the other, in requests that stay within a line of 128 bytes.
class memory_transfers final : public sc_core::sc_module, private fabric::clocked {
 public:
  fabric::base_protocol_initiator port;

  static constexpr unsigned line_bytes = 128;

  /// Called in an edge of the clock when all of a job is done; false: memory answered with an error.
  using done_callback = std::function<void(bool ok)>;

  /// `outstanding`: most requests at a time.
  memory_transfers(const sc_core::sc_module_name& name, unsigned outstanding, fabric::clock_domain& clock);
  ~memory_transfers() override;

  /// The buffer must live until the job is done, or dropped and idle().
  void read(std::uint64_t address, std::uint8_t* destination, std::uint64_t bytes, done_callback done);
  void write(std::uint64_t address, std::uint8_t* source, std::uint64_t bytes, done_callback done);

  /// Forgets all jobs; nobody is told. Requests that have left are still answered.
  void drop();
  /// No request is on its way, and no job waits.
  bool idle() const { return jobs_.empty() && port.outstanding() == 0 && !is_dropping_; }
  /// Called in an edge in which the last answer to a dropped job is there.
  void on_dropped(std::function<void()> dropped) { dropped_ = std::move(dropped); }

 private:
  struct job {
    tlm::tlm_command command;
    std::uint64_t address;
    std::uint8_t* data;
    std::uint64_t bytes;
    done_callback done;
  };

  void add(job next);
  void evaluate(fabric::cycle_t cycle) override;
  void send();
  void wake();
  void answered(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);

  fabric::clock_domain& clock_;
  const std::size_t id_;
  const unsigned most_;
  fabric::payload_pool payloads_;
  std::deque<job> jobs_;      // the first is in progress
  std::uint64_t sent_ = 0;    // bytes of it
  bool has_failed_ = false;   // it has
  bool is_dropping_ = false;  // answers are to come that nobody wants
  bool is_sending_ = false;
  sc_core::sc_time valid_;  // when all its answers so far are
  std::function<void()> dropped_;
};

}  // namespace tc::platform
