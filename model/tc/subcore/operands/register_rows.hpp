// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tlm>

#include <tc/links/instruction_protocol.hpp>
#include <tc/subcore/operands/register_file.hpp>
#include <tc/warp/lane_vector.hpp>

namespace tc::subcore {

/// Registers of a warp, more than a warp_instruction holds, on their way between a unit and the "accumulator" links of the register banks.
/// They are kept in the order of the banks, so that those which follow each other in a bank are one transaction.
class register_rows {
 public:
  /// Rows that one transaction moves.
  struct run {
    std::uint32_t bank;
    std::uint64_t address;  ///< byte address in the bank
    std::size_t first, rows;
  };

  /// Makes a row of each of these registers, without RZ; what the rows hold is not specified. The mapping is always the same one.
  void arrange(const register_mapping& mapping, unsigned warp_slot, const std::vector<std::uint8_t>& registers);

  std::size_t size() const { return order_.size(); }
  /// Place of a row's register in the list that was arranged.
  unsigned number(std::size_t row) const { return order_[row]; }
  warp::lane_vector& operator[](std::size_t row) { return rows_[row]; }

  const std::vector<run>& runs() const { return runs_; }
  /// Data of a run's transaction, and how many bytes.
  unsigned char* data(const run& which) { return reinterpret_cast<unsigned char*>(rows_[which.first].data()); }
  static unsigned bytes(const run& which) { return static_cast<unsigned>(which.rows) * links::bank_protocol::row_bytes; }

  /// What all these transactions would do, arriving in a cycle: for an owner who has register_file::direct_banks().
  void access_directly(const std::vector<register_bank*>& banks, tlm::tlm_command command, cycle_t arrival);

 private:
  unsigned warp_slot_ = 0;
  std::vector<std::uint8_t> registers_;  // that were arranged last
  std::vector<std::uint8_t> order_;
  std::vector<warp::lane_vector> rows_;
  std::vector<run> runs_;
};

}  // namespace tc::subcore
