#pragma once

#include <cstdint>
#include <vector>

#include <systemc>

#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/completing_target.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/subcore/links/bank_protocol.hpp>
#include <tc/subcore/warp/lane_vector.hpp>

namespace tc::subcore {

/// One bank of the register file: rows of 32 lanes x 32 bit behind the sockets of bank_protocol. A read occupies its port for one cycle a
/// row and port. Every transaction completes in the forward call, with the cycle in which the data is valid annotated.
///
/// A write arrives at an annotated time, as a result leaves a pipeline: until then reads see the old content, from then on the new one.
/// That is the bypass of a result on its way to the bank.
class register_bank final : public sc_core::sc_module, public fabric::statistics_source, public fabric::resettable {
 public:
  fabric::completing_target read;
  fabric::completing_target write;
  fabric::completing_target accumulator;

  struct params {
    unsigned rows = 256;
    unsigned read_ports = 1;   ///< rows a cycle
    bool queues_reads = true;  ///< reads wait for a port; false: the reader has booked it, and the data are there when the read arrives
  };

  register_bank(const sc_core::sc_module_name& name, const params& parameters, fabric::clock_domain& clock);
  ~register_bank() override;

  static constexpr unsigned row_bytes = bank_protocol::row_bytes;

  void reset() override;
  void collect(fabric::statistics_sink& sink) const override;

 private:
  using cycle_t = fabric::cycle_t;

  static constexpr std::uint32_t all_lanes = 0xffffffff;
  static constexpr cycle_t never = ~cycle_t{0};

  /// A row on its way.
  struct pending_write {
    cycle_t visible;
    std::uint32_t row;
    std::uint32_t lanes;  ///< bit per lane that is written
    lane_vector value;
  };

  sc_core::sc_time read_rows(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  sc_core::sc_time write_rows(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  sc_core::sc_time access_accumulators(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  unsigned debug_access(tlm::tlm_generic_payload& payload);
  void make_visible(cycle_t cycle);
  static fabric::access_rules rules(const params& parameters, bool readable, bool writable);

  const params params_;
  fabric::clock_domain& clock_;
  std::vector<lane_vector> rows_;
  std::vector<pending_write> pending_;  ///< in the order of the calls
  std::vector<pending_write> arrived_;  ///< of them, while they are written
  cycle_t next_visible_ = never;        ///< of them, the first that arrives
  cycle_t read_port_free_ = 0;
  std::uint64_t rows_read_ = 0, rows_written_ = 0, read_busy_ = 0, read_waits_ = 0;
};

}  // namespace tc::subcore
