#pragma once

#include <cstdint>

#include <systemc>

#include <tc/config/sub_core_parameters.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/subcore/operands/register_bank.hpp>

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
  register_location locate(unsigned warp_slot, unsigned index) const {
    return {bank(warp_slot, index), (std::uint64_t{warp_slot} * rows_per_warp() + index / banks_) * register_bank::row_bytes};
  }

 private:
  unsigned banks_;
  bool add_warp_;
};

/// The register file of a sub-core: its banks. Everybody reaches the registers through the banks' sockets.
class register_file final : public sc_core::sc_module {
 public:
  sc_core::sc_vector<register_bank> bank;

  /// Registers for `warp_slots` warps. `queues_reads`: see register_bank::params.
  register_file(const sc_core::sc_module_name& name, const config::register_file_parameters& parameters, unsigned warp_slots,
                bool queues_reads, fabric::clock_domain& clock);
  ~register_file() override;
};

}  // namespace tc::subcore
