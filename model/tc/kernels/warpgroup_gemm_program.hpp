// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tc/kernels/gemm_address.hpp>
#include <tc/kernels/gemm_code.hpp>
#include <tc/kernels/gemm_text.hpp>
#include <tc/kernels/warp_listing.hpp>
#include <tc/kernels/warpgroup_gemm_plan.hpp>

namespace tc::kernels {

/// The code of a GEMM kernel of warpgroup instructions, and what of it every warp executes. The producer fills the stages one after the
/// other and waits for each until it is free again; the consumers wait for a full stage, multiply it, and free the one before it when its
/// products are done. With a single stage they wait for the products of each tile. In the end they store the sums.
class warpgroup_gemm_program {
 public:
  /// `plan` must outlive the program.
  explicit warpgroup_gemm_program(const warpgroup_gemm_plan& plan);

  /// Lists what a warp executes.
  void list_warp(listing_target& target, warp_place place) const;

 private:
  void add_entry(warp_listing& list, bool is_producer) const;

  void add_producer(warp_listing& list, warp_place place) const;
  void add_barriers(warp_listing& list) const;
  void add_copies(warp_listing& list, unsigned tile, warp_place place) const;

  void add_consumer(warp_listing& list, warp_place place) const;
  void add_products(warp_listing& list, unsigned tile, unsigned warpgroup) const;
  void add_release(warp_listing& list, unsigned tile) const;
  void add_stores(warp_listing& list, warp_place place) const;

  void add_start(warp_listing& list) const;

  unsigned stage_of(unsigned tile) const { return tile % plan_.tiling.stages; }
  unsigned round_of(unsigned tile) const { return tile / plan_.tiling.stages; }
  /// Which product of a stage.
  struct product_place {
    unsigned stage, step, warpgroup;
  };
  unsigned warpgroups() const { return plan_.consumer_warps() / warpgroup_gemm_plan::warpgroup_warps; }
  std::size_t number_of(const product_place& place) const {
    return (std::size_t{place.stage} * plan_.steps() + place.step) * warpgroups() + place.warpgroup;
  }
  std::string product_text(const product_place& place, bool accumulates) const;
  std::vector<std::string> product_texts() const;
  linear_address result_address() const;

  const warpgroup_gemm_plan& plan_;
  const linear_address d_global_;            ///< of a thread's first element of D
  const std::string accumulators_;           ///< "{R16, R17, ...}"
  const std::vector<std::string> products_;  ///< that add to a sum, by number_of()
  code_block pointers_;                      ///< computes d_global_
  std::uint32_t consumer_pc_ = 0;            ///< where the consumers' code begins
};

}  // namespace tc::kernels
