// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <systemc>

#include <tc/config/tensor_core_parameters.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/fabric/transfer_pool.hpp>
#include <tc/links/b_tile_link.hpp>
#include <tc/links/matrix_shape.hpp>
#include <tc/links/mma_table.hpp>
#include <tc/links/tensor_core_links.hpp>
#include <tc/subcore/tensor/b_buffer_layout.hpp>
#include <tc/subcore/tensor/tensor_operation.hpp>
#include <tc/subcore/tensor/threadgroups.hpp>

namespace tc::subcore {

using fabric::cycle_t;

/// One tensor core: the threadgroups of its octets. It takes A and accumulators from the operand buses, reads B from its B buffer, or from
/// that of each of its octets, in the cycle it starts to compute, has its dot-product units multiply them, and answers with the products.
/// Several reads may be outstanding, one for each tile of a B buffer, and any number of products.
class tensor_core final : public sc_core::sc_module, public fabric::statistics_source, public fabric::resettable {
 public:
  fabric::transfer_target<links::fragment_protocol> fragments{"fragments"};
  sc_core::sc_vector<links::request_initiator<links::b_tile_protocol>> b_read;  ///< by B buffer that it has
  links::request_initiator<links::dot_product_protocol> dot_products{"dot_products"};

  /// Tensor core `index` of parameters.count. Without `data` it neither stores nor computes values; time and statistics are the same.
  tensor_core(const sc_core::sc_module_name& module_name, unsigned index, const config::tensor_core_parameters& parameters, bool data,
              fabric::clock_domain& clock);
  ~tensor_core() override;

  /// Whether a read of a tile of its B buffers has not been answered.
  bool reads(unsigned b_tile) const { return waits_for_b_[b_tile]; }

  /// The tiles of its operand buffers.
  tile_ring& a_tiles() { return threadgroups_.a_tiles(); }
  tile_ring& accumulator_tiles() { return threadgroups_.accumulator_tiles(); }

  /// True if it has sent the products of all that it was filled with.
  bool idle() const { return jobs_.live() == 0; }

  void reset() override;
  void collect(fabric::statistics_sink& sink) const override;

 private:
  void end_of_elaboration() override;

  struct job;
  /// What a B buffer is asked.
  struct b_request final : links::b_tile_transfer {
    job* owner = nullptr;
  };

  /// What the tensor core derives once from an operation: first what each instruction needs of it.
  struct core_operation {
    core_operation(tensor_operation all, const links::octet_range& octets, const links::octet_range& b_octets, unsigned buffers);

    const product_layout* layout;
    links::product_shape shape;  ///< of its part
    unsigned first_b_word;       ///< of its part, in a B buffer that serves others too
    unsigned b_words;            ///< of its part in each of its B buffers
    unsigned a_bytes, accumulator_bytes, sums, beats;
    tensor_operation operation;
  };

  /// An instruction between its fill and its products; what the dot-product units are asked of it.
  struct job final : links::dot_product_transfer {
    job() {
      for (b_request& request : b_requests) request.owner = this;
    }

    const core_operation* operation = nullptr;
    links::fragment_transfer* part = nullptr;
    unsigned b_outstanding = 0;                       ///< B buffers, and the call that asks them
    std::array<b_request, max_b_buffers> b_requests;  ///< by B buffer
    links::accumulator_words sums;                    ///< D
    links::b_words columns{};                         ///< of several B buffers, one after the other
  };

  tlm::tlm_sync_enum take(links::fragment_transfer& part, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  job& fill(links::fragment_transfer& part);
  void hold(tile_ring& tiles, const char* buffer, unsigned tile, cycle_t begin, cycle_t release);
  bool read_b(job& started);
  void keep_b(b_request& request);
  void b_came_late(b_request& request);
  bool multiply(job& started);
  void give_products(job& done);
  void answer(job& done);

  const links::octet_range octets_, b_octets_;  ///< its own; whose B the B buffers have
  const unsigned buffers_;                      ///< B buffers that it has
  const bool data_;
  // What each instruction touches stands together.
  using b_sender = links::request_initiator<links::b_tile_protocol>::sender;
  std::array<b_sender, max_b_buffers> b_buffers_{};
  fabric::transfer_pool<job> jobs_;
  threadgroups threadgroups_;
  std::vector<bool> waits_for_b_;  ///< by tile of the B buffers: they have not answered in the call
  std::uint64_t fills_ = 0, a_bytes_ = 0, accumulator_bytes_ = 0, sums_ = 0, beats_ = 0;
  links::mma_table<core_operation> operations_;
  fabric::clock_domain& clock_;
};

}  // namespace tc::subcore
