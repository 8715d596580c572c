// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <systemc>

#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/completing_target.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/subcore/tensor/b_buffer_layout.hpp>
#include <tc/subcore/tensor/tensor_operation.hpp>

namespace tc::subcore {

using fabric::cycle_t;

/// A B buffer: tiles of the registers (32 bits of each lane it serves) of one instruction behind base-protocol sockets. Tiles follow each
/// other; a transaction moves registers of one tile. Filling takes a cycle for as many registers as the operand bus brings in one; a read
/// is broadcast in the cycle it arrives in. A fill of a tile that is yet to be read, and a read of a tile that is yet to be filled, get an
/// error response.
class b_buffer final : public sc_core::sc_module, public fabric::statistics_source, public fabric::resettable {
 public:
  using params = b_buffer_shape;
  using cycle_t = fabric::cycle_t;

  fabric::completing_target fill;
  sc_core::sc_vector<fabric::completing_target> read;  ///< one for each tensor core

  b_buffer(const sc_core::sc_module_name& module_name, const params& parameters, fabric::clock_domain& clock);
  ~b_buffer() override;

  // For an owner who knows that no one else is on the links.

  /// How long it takes to fill a tile with so many bytes, which are whole registers.
  unsigned fill_cycles(unsigned bytes) {
    if (bytes != latest_fill_.bytes) measure_fill(bytes);
    return latest_fill_.cycles;
  }
  /// Tiles of these operations are filled, and then each tensor core reads them. Nobody is there who could find the values, so they do
  /// not come here.
  void connect_directly(const counted_operations& passed) { passed_ = &passed; }
  /// For assertions, which alone keep the times of such tiles: whether one is free from the cycle `begin` on, and complete when it is read.
  bool passes(unsigned number, cycle_t begin, unsigned bytes, cycle_t read_cycle) {
    tile& passed = tiles_[number];
    const bool is_free = bytes <= params_.tile_bytes() && begin >= passed.last_read;
    passed = {begin + fill_cycles(bytes), read_cycle};
    return is_free && read_cycle >= passed.filled;
  }

  void reset() override;
  void collect(fabric::statistics_sink& sink) const override;

 private:
  struct tile {
    cycle_t filled = 0;     ///< when the latest content is complete
    cycle_t last_read = 0;  ///< when it is read for the last time as far as known
  };

  sc_core::sc_time fill_tile(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  sc_core::sc_time read_tile(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  unsigned debug_access(tlm::tlm_generic_payload& payload);
  static fabric::access_rules rules(const params& parameters, bool fills);
  unsigned registers_of(unsigned bytes) const { return bytes / params_.register_bytes(); }
  void measure_fill(unsigned bytes);
  bool crosses_tiles(const tlm::tlm_generic_payload& payload) const;

  const params params_;
  fabric::clock_domain& clock_;
  std::vector<unsigned char> content_;
  std::vector<tile> tiles_;
  struct {
    unsigned bytes = 0, cycles = 0;
  } latest_fill_;                               ///< most are like the one before
  const counted_operations* passed_ = nullptr;  ///< null: they come over the links
  std::uint64_t fills_ = 0, registers_filled_ = 0, reads_ = 0;
};

}  // namespace tc::subcore
