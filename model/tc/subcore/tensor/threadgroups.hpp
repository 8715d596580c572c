// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <tc/fabric/clocked.hpp>
#include <tc/links/matrix_shape.hpp>
#include <tc/links/tensor_core_links.hpp>
#include <tc/subcore/tensor/product_layout.hpp>
#include <tc/subcore/tensor/tile_ring.hpp>

namespace tc::subcore {

using fabric::cycle_t;

/// An operand buffer of threadgroups, which have all a tile of it in use at the same time.
template <class Words>
class operand_buffer {
 public:
  explicit operand_buffer(unsigned depth_tiles) : tiles(depth_tiles), words_(depth_tiles) {}

  std::uint32_t* words(unsigned tile) { return words_[tile].data(); }
  const std::uint32_t* words(unsigned tile) const { return words_[tile].data(); }

  tile_ring tiles;

 private:
  std::vector<Words> words_;
};

/// The threadgroups of a tensor core: four lanes of a warp each, with an A buffer and an accumulator buffer. They work in step: a tile is
/// taken in the buffers of all.
class threadgroups {
 public:
  /// Depths of the buffers in tiles.
  threadgroups(unsigned a_tiles, unsigned accumulator_tiles) : a_(a_tiles), c_(accumulator_tiles) {}

  tile_ring& a_tiles() { return a_.tiles; }
  tile_ring& accumulator_tiles() { return c_.tiles; }

  /// Stores the fragments of some octets in the schedule's tiles, as the operation lays them out.
  void fill(const links::matrix_work& work, const links::octet_range& octets, const product_layout& layout) {
    layout.load_a(work.a.data(), octets, a_.words(work.schedule.a_tile));
    layout.load_c(work.c.data(), octets, c_.words(work.schedule.accumulator_tile));
  }

  /// What the schedule's tiles hold.
  const std::uint32_t* a(const links::tensor_schedule& schedule) const { return a_.words(schedule.a_tile); }
  const std::uint32_t* c(const links::tensor_schedule& schedule) const { return c_.words(schedule.accumulator_tile); }

 private:
  operand_buffer<links::a_words> a_;
  operand_buffer<links::accumulator_words> c_;
};

}  // namespace tc::subcore
