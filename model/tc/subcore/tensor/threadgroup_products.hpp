// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <systemc>
#include <tlm>

#include <tc/fabric/transfer_pool.hpp>
#include <tc/links/matrix_shape.hpp>
#include <tc/links/tensor_core_links.hpp>
#include <tc/links/unit_makers.hpp>
#include <tc/subcore/tensor/dot_product_units.hpp>

namespace tc::subcore {

/// The dot-product units of a tensor core where those of some threadgroups are a user's. Each threadgroup's units are asked for its
/// own part alone: its rows of A and C, all of the B that it multiplies, and its part of D. All others are the model's.
/// The whole is complete when the last part is.
class threadgroup_products final : public sc_core::sc_module {
 public:
  fabric::transfer_target<links::dot_product_protocol> products{"products"};

  /// By threadgroup of the tensor core, the lower ones of its octets first; without sockets: the model's.
  using made_units = std::vector<links::made_dot_products>;

  threadgroup_products(const sc_core::sc_module_name& module_name, const links::dot_product_site& site, made_units units);
  ~threadgroup_products() override;

 private:
  struct job;
  /// What the units of a threadgroup are asked, with its values.
  struct part final : links::dot_product_transfer {
    job* owner = nullptr;
    std::vector<std::uint32_t> own_a, own_c, own_d;
  };
  /// A matrix instruction.
  struct job {
    links::dot_product_transfer* asked = nullptr;
    std::vector<part> parts;      ///< by threadgroup
    std::size_t outstanding = 0;  ///< threadgroups, and the call that asks them
  };
  /// Rows of a product: the first, how many, and the distance between two.
  struct rows {
    unsigned product, first, step, count;
  };

  rows rows_of(const links::dot_product_transfer& whole, unsigned threadgroup) const;
  tlm::tlm_sync_enum multiply(links::dot_product_transfer& whole, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void ask(job& owner, unsigned threadgroup);
  void take(part& sums);
  void came_late(part& sums);
  void scatter(const part& sums, const rows& which) const;

  const unsigned threadgroups_;
  dot_product_units model_;
  made_units units_;
  links::request_initiator<links::dot_product_protocol> ask_model_{"ask_model"};
  sc_core::sc_vector<links::request_initiator<links::dot_product_protocol>> ask_;  ///< of other makes
  std::vector<links::request_initiator<links::dot_product_protocol>*> links_;      ///< by threadgroup
  fabric::transfer_pool<job> jobs_;
};

}  // namespace tc::subcore
