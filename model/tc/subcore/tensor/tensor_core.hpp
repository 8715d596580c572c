// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <systemc>

#include <tc/config/tensor_core_parameters.hpp>
#include <tc/fabric/base_protocol_initiator.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/payload_pool.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/links/matrix_shape.hpp>
#include <tc/links/mma_table.hpp>
#include <tc/links/tensor_core_links.hpp>
#include <tc/subcore/tensor/b_buffer_layout.hpp>
#include <tc/subcore/tensor/product_layout.hpp>
#include <tc/subcore/tensor/tensor_operation.hpp>

namespace tc::subcore {

using fabric::cycle_t;

/// The threadgroups of a tensor core: four lanes of a warp each, with an A buffer and an accumulator buffer. They work in step: a tile is
/// taken in the buffers of all. They have no time of their own: the schedule that comes with the fragments says when each tile is taken and
/// given up.
class threadgroups {
 public:
  /// Depths of the buffers in tiles.
  threadgroups(unsigned a_tiles, unsigned accumulator_tiles);

  /// Takes a tile of each buffer from the schedule's dispatch until it is released. Earlier tenants must have left.
  void reserve_tiles(const links::tensor_schedule& schedule) {
    cycle_t& a_taken_until = a_[schedule.a_tile].taken_until;
    cycle_t& c_taken_until = c_[schedule.accumulator_tile].taken_until;
    sc_assert(schedule.dispatch >= a_taken_until && schedule.dispatch >= c_taken_until);
    a_taken_until = schedule.release;
    c_taken_until = schedule.accumulator_release;
  }

  /// Stores the fragments of the transfer's octets in the schedule's tiles, as the operation lays them out.
  void fill(const links::fragment_transfer& operands, const product_layout& layout);

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

/// One tensor core: the threadgroups of its octets. It takes A and accumulators from the operand buses, reads B from its B buffer, or from
/// that of each of its octets, in the cycle it starts to compute, has its dot-product units multiply them, and gives the products to the
/// result assembly. Several reads may be outstanding, one for each tile of a B buffer, and any number of products.
class tensor_core final : public sc_core::sc_module, public fabric::statistics_source, public fabric::resettable {
 public:
  links::fragment_target<tensor_core> fill{"fill"};
  sc_core::sc_vector<fabric::base_protocol_initiator> b_read;  ///< by B buffer that it has
  links::dot_product_initiator<tensor_core> dot_products{"dot_products"};
  links::fragment_initiator<tensor_core> products{"products"};

  /// Tensor core `index` of parameters.count. Without `data` it neither stores nor computes values; time and statistics are the same.
  tensor_core(const sc_core::sc_module_name& module_name, unsigned index, const config::tensor_core_parameters& parameters, bool data,
              fabric::clock_domain& clock);
  ~tensor_core() override;

  /// Whether a read of a tile of its B buffers has not been answered.
  bool reads(unsigned b_tile) const { return reads_outstanding_[b_tile] != 0; }

  /// True if no payload is in use.
  bool idle() const { return payloads_.live() == 0; }

  // For an owner who knows that no one else is on the links and that all units are the model's own.

  /// It does these operations, and is not told of each.
  void connect_directly(const counted_operations& done) { done_ = &done; }
  /// For assertions, which alone keep the times of such tiles: takes those of an instruction, which must be free.
  bool passes(const links::tensor_schedule& schedule) {
    threadgroups_.reserve_tiles(schedule);
    return true;
  }
  /// The arithmetic of a whole warp, for all tensor cores: dot-product units have no state, and one product of all rows costs less than
  /// several of some. A and C are those of the transfer.
  void multiply_directly(const tensor_operation& operation, const links::fragment_transfer& operands, product_layout::registers b,
                         warp::lane_vector* const* d);

  void reset() override;
  void collect(fabric::statistics_sink& sink) const override;

 private:
  /// An instruction between its fill and its products; what the dot-product units are asked of it.
  struct job final : links::dot_product_transfer {
    const tensor_operation* operation = nullptr;
    links::tensor_schedule schedule{};
    links::octet_range octets{};
    links::b_words read_b{};        ///< from the B buffers, one after the other
    sc_core::sc_time b_time;        ///< when the last of B has arrived
    links::accumulator_words sums;  ///< D
    bool is_computing = false;      ///< the dot-product units have not answered
  };

  tlm::tlm_sync_enum filled(links::fragment_transfer& operands, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  struct counters {
    std::uint64_t fills = 0, a_bytes = 0, accumulator_bytes = 0, sums = 0, beats = 0;

    void add_fills(const tensor_operation& operation, const links::octet_range& octets, std::uint64_t times);
    void add_sums(const tensor_operation& operation, const links::octet_range& octets, std::uint64_t times);
  };

  void read_b(job& started, const links::fragment_transfer& operands, const sc_core::sc_time& delay);
  void b_arrived(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  void compute(job& started);
  tlm::tlm_sync_enum computed(links::dot_product_transfer& sums, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void answered(job& done, const tlm::tlm_phase& phase, const sc_core::sc_time& delay);
  void send_products(job& done, const sc_core::sc_time& delay);

  const bool data_;
  const links::octet_range octets_, b_octets_;  ///< its own; whose B the B buffers have
  fabric::clock_domain& clock_;
  fabric::payload_pool payloads_;
  links::mma_table<tensor_operation> operations_;
  threadgroups threadgroups_;
  std::vector<unsigned> reads_outstanding_;  ///< by tile of the B buffer
  std::vector<std::unique_ptr<job>> jobs_;
  std::vector<job*> free_jobs_;
  links::fragment_transfer products_{};
  counters counters_;
  const counted_operations* done_ = nullptr;  ///< null: it is told of each
};

}  // namespace tc::subcore
