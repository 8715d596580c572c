// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <systemc>
#include <tlm>

#include <tc/config/sub_core_parameters.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/isa/register_use.hpp>
#include <tc/links/bank_protocol.hpp>
#include <tc/links/instruction_protocol.hpp>
#include <tc/links/link_binder.hpp>
#include <tc/links/unit_makers.hpp>
#include <tc/subcore/operands/bank_adapter.hpp>
#include <tc/subcore/operands/register_bank.hpp>
#include <tc/warp/lane_vector.hpp>

namespace tc::subcore {

/// Where a register of a warp lies.
struct register_location {
  std::uint32_t bank, row;
};

/// The mapping of registers to banks and rows: consecutive registers lie in consecutive banks, so an operand of n registers occupies rows
/// that follow each other in each bank.
class register_mapping {
 public:
  /// Register numbers a warp can name.
  static constexpr unsigned registers_per_warp = isa::register_numbers;

  /// The number of banks is a power of two.
  explicit register_mapping(const config::register_file_parameters& parameters)
      : banks_(parameters.banks), add_warp_(parameters.mapping == config::bank_mapping::register_plus_warp_modulo) {
    while (1U << bank_bits_ < banks_) ++bank_bits_;
    sc_assert(1U << bank_bits_ == banks_);
  }

  unsigned banks() const { return banks_; }
  unsigned rows_per_warp() const { return registers_per_warp >> bank_bits_; }
  unsigned bank(unsigned warp_slot, unsigned index) const { return (index + (add_warp_ ? warp_slot : 0)) & (banks_ - 1); }
  /// How many of `count` consecutive registers lie in the bank of the `i`th of them, from that one on.
  unsigned registers_in_bank(unsigned count, unsigned i) const { return (count - i + banks_ - 1) >> bank_bits_; }
  /// The row at which those of a warp begin, in every bank.
  std::uint32_t first_row(unsigned warp_slot) const { return warp_slot * rows_per_warp(); }
  register_location locate(unsigned warp_slot, unsigned index) const {
    return {bank(warp_slot, index), first_row(warp_slot) + (index >> bank_bits_)};
  }

 private:
  unsigned banks_, bank_bits_ = 0;
  bool add_warp_;
};

/// The register file of a sub-core: its banks, the model's or, each behind an adapter, a user's. Registers are reached through the banks'
/// sockets alone.
class register_file final : public sc_core::sc_module {
 public:
  struct params {
    config::register_file_parameters machine{};
    unsigned warp_slots = 16;   ///< warps that it has registers for
    bool queues_reads = true;   ///< see register_bank::params
    bool accumulators = false;  ///< the third link of each bank is used
    bool data = true;
  };
  using link = links::link_target<links::bank_protocol>;

  /// The links of a user's banks are bound through the binder.
  register_file(const sc_core::sc_module_name& name, const params& parameters, const links::unit_source& units, fabric::clock_domain& clock,
                links::link_binder& binder);
  ~register_file() override;

  unsigned banks() const { return static_cast<unsigned>(links_.size()); }
  link& read(unsigned bank) { return *links_[bank].read; }
  link& write(unsigned bank) { return *links_[bank].write; }
  link& accumulator(unsigned bank) { return *links_[bank].accumulator; }  ///< of params::accumulators

 private:
  struct bank_links {
    link *read, *write, *accumulator;
  };

  std::vector<std::unique_ptr<register_bank>> own_;
  std::vector<links::made_memory> made_;
  std::vector<std::unique_ptr<bank_adapter>> adapters_;  ///< of the made ones
  std::vector<bank_links> links_;                        ///< by bank
};

/// Registers of a warp, more than a warp_instruction holds, on their way between a unit and the "accumulator" links of the register banks.
/// They are kept in the order of the banks, so that those which follow each other in a bank are one transaction.
class register_rows {
 public:
  /// What one transaction moves: ranges of one bank that follow each other.
  struct bank_ranges {
    std::uint32_t bank;
    std::uint32_t first, count;
  };

  /// Makes a row of each of these registers, without RZ; what the rows hold is not specified. The mapping is always the same one.
  void arrange(const register_mapping& mapping, unsigned warp_slot, const std::vector<std::uint8_t>& registers);

  std::size_t size() const { return order_.size(); }
  /// Place of a row's register in the list that was arranged.
  unsigned number(std::size_t row) const { return order_[row]; }
  warp::lane_vector& operator[](std::size_t row) { return rows_[row]; }

  const std::vector<bank_ranges>& banks() const { return banks_; }
  /// Sets what the transaction with a bank asks of it.
  void set(links::bank_transfer& transfer, const bank_ranges& of_bank, tlm::tlm_command command, cycle_t arrival);

 private:
  unsigned warp_slot_ = 0;
  std::vector<std::uint8_t> registers_;  // that were arranged last
  std::vector<std::uint8_t> order_;
  std::vector<warp::lane_vector> rows_;
  std::vector<links::row_range> ranges_;  // in the order of the banks
  std::vector<bank_ranges> banks_;
};

}  // namespace tc::subcore
