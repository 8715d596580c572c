#pragma once

#include <cstdint>
#include <vector>

#include <systemc>

#include <tc/config/sub_core_parameters.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/subcore/links/bank_protocol.hpp>
#include <tc/subcore/links/unit_makers.hpp>

namespace tc::subcore {

/// Where a register of a warp lies.
struct register_location {
  std::uint32_t bank;
  std::uint64_t address;  ///< byte address in the bank
};

/// The mapping of registers to banks and rows: consecutive registers lie in consecutive banks, so an operand of n registers occupies rows
/// that follow each other in each bank.
class register_mapping {
 public:
  /// Register numbers a warp can name.
  static constexpr unsigned registers_per_warp = 256;

  explicit register_mapping(const config::register_file_parameters& parameters)
      : banks_(parameters.banks), add_warp_(parameters.mapping == config::bank_mapping::register_plus_warp_modulo) {}

  unsigned banks() const { return banks_; }
  unsigned rows_per_warp() const { return registers_per_warp / banks_; }
  unsigned bank(unsigned warp_slot, unsigned index) const { return (index + (add_warp_ ? warp_slot : 0)) % banks_; }
  /// How many of `count` consecutive registers lie in the bank of the `i`th of them, from that one on.
  unsigned registers_in_bank(unsigned count, unsigned i) const { return (count - i + banks_ - 1) / banks_; }
  /// Byte address at which the rows of a warp begin, in every bank.
  std::uint64_t first_row(unsigned warp_slot) const { return std::uint64_t{warp_slot} * rows_per_warp() * bank_protocol::row_bytes; }
  register_location locate(unsigned warp_slot, unsigned index) const {
    return {bank(warp_slot, index), first_row(warp_slot) + std::uint64_t{index / banks_} * bank_protocol::row_bytes};
  }

 private:
  unsigned banks_;
  bool add_warp_;
};

/// The register file of a sub-core: its banks, the model's or a user's. Everybody reaches the registers through the banks' sockets.
class register_file final : public sc_core::sc_module {
 public:
  struct params {
    config::register_file_parameters machine{};
    unsigned warp_slots = 16;   ///< warps that it has registers for
    bool queues_reads = true;   ///< see register_bank::params
    bool accumulators = false;  ///< the third link of each bank is used
    bool data = true;
  };
  using link = link_target<link_binder::memory_protocol>;

  register_file(const sc_core::sc_module_name& name, const params& parameters, const unit_source& units, fabric::clock_domain& clock);
  ~register_file() override;

  unsigned banks() const { return static_cast<unsigned>(banks_.size()); }
  link& read(unsigned bank) { return *banks_[bank].sockets[0]; }
  link& write(unsigned bank) { return *banks_[bank].sockets[1]; }
  link& accumulator(unsigned bank) { return *banks_[bank].sockets[2]; }  ///< of params::accumulators

 private:
  std::vector<made_memory> banks_;
};

}  // namespace tc::subcore
