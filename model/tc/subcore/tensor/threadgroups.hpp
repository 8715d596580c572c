// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <systemc>

#include <tc/fabric/clocked.hpp>
#include <tc/links/matrix_shape.hpp>
#include <tc/links/tensor_core_links.hpp>
#include <tc/subcore/tensor/product_layout.hpp>

namespace tc::subcore {

using fabric::cycle_t;

/// The threadgroups of a tensor core: four lanes of a warp each, with an A buffer and an accumulator buffer. They work in step: a tile is
/// taken in the buffers of all. They have no time of their own: the schedule that comes with the fragments says when each tile is taken and
/// given up.
class threadgroups {
 public:
  /// Depths of the buffers in tiles.
  threadgroups(unsigned a_tiles, unsigned accumulator_tiles) : a_(a_tiles), c_(accumulator_tiles) {}

  /// Takes a tile of each buffer from the schedule's dispatch until it is released. Earlier tenants must have left.
  void reserve_tiles(const links::tensor_schedule& schedule) {
    cycle_t& a_taken_until = a_[schedule.a_tile].taken_until;
    cycle_t& c_taken_until = c_[schedule.accumulator_tile].taken_until;
    sc_assert(schedule.dispatch >= a_taken_until && schedule.dispatch >= c_taken_until);
    a_taken_until = schedule.release;
    c_taken_until = schedule.accumulator_release;
  }

  /// Stores the fragments of some octets in the schedule's tiles, as the operation lays them out.
  void fill(const links::matrix_work& work, const links::octet_range& octets, const product_layout& layout) {
    layout.load_a(work.a.data(), octets, a_[work.schedule.a_tile].words.data());
    layout.load_c(work.c.data(), octets, c_[work.schedule.accumulator_tile].words.data());
  }

  /// What the schedule's tiles hold.
  const std::uint32_t* a(const links::tensor_schedule& schedule) const { return a_[schedule.a_tile].words.data(); }
  const std::uint32_t* c(const links::tensor_schedule& schedule) const { return c_[schedule.accumulator_tile].words.data(); }

 private:
  template <class Words>
  struct tile {
    cycle_t taken_until = 0;
    Words words{};
  };

  std::vector<tile<links::a_words>> a_;
  std::vector<tile<links::accumulator_words>> c_;
};

}  // namespace tc::subcore
