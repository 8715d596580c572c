#pragma once

#include <cstdint>
#include <vector>

#include <systemc>

#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/completing_target.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/subcore/tensor/b_buffer_layout.hpp>

namespace tc::subcore {

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
  /// A tile is filled from the cycle `begin` on, and then each tensor core reads it. Nobody is there who could find the values, so they do
  /// not come here.
  void pass_directly(unsigned number, cycle_t begin, unsigned bytes, cycle_t read_cycle) {
    tile& passed = tiles_[number];
    sc_assert(bytes <= params_.tile_bytes() && begin >= passed.last_read);
    count_fill(passed, begin, bytes);
    sc_assert(read_cycle >= passed.filled);
    passed.last_read = read_cycle;
    reads_ += params_.readers;
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
  void count_fill(tile& target, cycle_t begin, unsigned bytes) {
    target.filled = begin + fill_cycles(bytes);
    ++fills_;
    registers_filled_ += latest_fill_.registers;
  }
  void measure_fill(unsigned bytes);
  bool crosses_tiles(const tlm::tlm_generic_payload& payload) const;

  const params params_;
  fabric::clock_domain& clock_;
  std::vector<unsigned char> content_;
  std::vector<tile> tiles_;
  struct {
    unsigned bytes = 0, registers = 0, cycles = 0;
  } latest_fill_;  ///< most are like the one before
  std::uint64_t fills_ = 0, registers_filled_ = 0, reads_ = 0;
};

}  // namespace tc::subcore
