// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <systemc>

#include <boost/container/small_vector.hpp>

#include <tc/fabric/resettable.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/links/b_tile_link.hpp>
#include <tc/subcore/tensor/b_buffer_layout.hpp>
#include <tc/subcore/tensor/tile_ring.hpp>

namespace tc::subcore {

using fabric::cycle_t;

/// A B buffer: tiles of the registers (32 bits of each lane it serves) of one instruction. A transaction moves registers of one tile.
/// Filling takes a cycle for as many registers as the operand bus brings in one; a read is broadcast in the cycle it arrives in, and shows
/// the tile where it is. A fill of a tile that is yet to be read, and a read of a tile that is yet to be filled, are refused.
class b_buffer final : public sc_core::sc_module, public fabric::statistics_source, public fabric::resettable {
 public:
  using params = b_buffer_shape;

  fabric::transfer_target<links::b_tile_protocol> fill{"fill"};
  sc_core::sc_vector<fabric::transfer_target<links::b_tile_protocol>> read;  ///< one for each tensor core

  b_buffer(const sc_core::sc_module_name& module_name, const params& parameters);
  ~b_buffer() override;

  /// Its tiles, as they are promised to instructions.
  tile_ring& tiles() { return promised_; }

  void reset() override;
  void collect(fabric::statistics_sink& sink) const override;

 private:
  struct tile {
    cycle_t filled = 0;     ///< when the latest content is complete
    cycle_t last_read = 0;  ///< when it is read for the last time as far as known
  };

  tlm::tlm_sync_enum fill_tile(links::b_tile_transfer& transfer, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum read_tile(links::b_tile_transfer& transfer, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  unsigned show_tile(links::b_tile_transfer& transfer);
  bool has(const links::b_tile_transfer& transfer) const {
    return transfer.tile < params_.tiles && transfer.registers <= links::max_b_registers;
  }
  std::uint32_t* words_of(unsigned number) { return &content_[std::size_t{number} * params_.tile_words()]; }

  // What each transaction touches stands together.
  static constexpr std::size_t usual_tiles = 2;
  const params params_;
  std::uint64_t fills_ = 0, registers_filled_ = 0, reads_ = 0;
  boost::container::small_vector<tile, usual_tiles> tiles_;
  std::array<unsigned, links::max_b_registers + 1> fill_cycles_;  ///< by registers
  std::vector<std::uint32_t> content_;
  tile_ring promised_;
};

}  // namespace tc::subcore
