// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include <tc/kernels/convolution_plan.hpp>
#include <tc/kernels/kernel_text.hpp>
#include <tc/kernels/shift_window.hpp>
#include <tc/kernels/warp_listing.hpp>

namespace tc::kernels {

/// The code of a convolution's kernel, and what of it every warp executes. Warp 0 allocates tensor memory and initialises the mbarriers;
/// then its lane 0 fills the stages of windows and of filters, each when it is free. Lane 0 of warp 1 copies the windows to tensor memory,
/// shifts and refills them, and multiplies. In the end the four warps store their lanes' sums.
///
/// Only pairs of instructions that the PTX ISA pipelines follow each other without a wait (tcgen05, "Pipelined instructions"): cp and
/// shift before mma, shift before cp.4x256b, mma before shift and before mma. Windows are copied to columns that no mma reads any more: a
/// stage is filled again when a commit says that all that used it is complete. With .ashift, which moves the pixels by an mma, refills wait
/// for a commit too.
class convolution_program {
 public:
  /// `plan` must outlive the program.
  explicit convolution_program(const convolution_plan& plan);

  /// Lists what a warp executes.
  void list_warp(listing_target& target, warp_place place) const;

 private:
  void add_entry(warp_listing& list, warp_place place) const;
  void add_pointer(warp_listing& list, const pixel_sequence& sequence) const;
  void add_setup(warp_listing& list) const;
  void add_clear(warp_listing& list, unsigned warp) const;

  void add_producer(warp_listing& list, warp_place place) const;
  void add_window_copies(warp_listing& list, warp_place place, unsigned window) const;
  void add_filter_copy(warp_listing& list, warp_place place, unsigned window, unsigned step) const;

  void add_issuer(warp_listing& list, warp_place place) const;
  void add_products(warp_listing& list, const shift_window& lanes, unsigned window, unsigned step) const;
  void add_refill(warp_listing& list, unsigned stage, unsigned step, unsigned k_step) const;

  void add_results(warp_listing& list, warp_place place) const;
  void add_stores(warp_listing& list, warp_place place, unsigned column, unsigned count) const;

  bool has_shifts() const { return plan_.options.method == convolution_method::shift; }
  /// Whether tcgen05.mma moves the window on behind a step.
  bool moves_behind(unsigned step) const { return plan_.options.shift_with_product && step + 1 < plan_.steps; }

  const convolution_plan& plan_;
  code_block descriptor_;          ///< loads what stores to global memory need
  std::uint32_t instruction_ = 0;  ///< descriptor of the products
  std::uint32_t setup_end_ = 0, producer_end_ = 0, issuer_end_ = 0, exit_ = 0;
};

}  // namespace tc::kernels
