// SPDX-License-Identifier: Apache-2.0
#include "convolution_traffic.hpp"

#include <tc/kernels/shift_window.hpp>

namespace tc::kernels {
namespace {

/// Pixels of a tile's windows in a row of the filter that are outside the image, and its disabled lanes; of one block of channels.
class row_walk {
 public:
  row_walk(const convolution_plan& plan, unsigned tile)
      : plan_(plan), sequence_(plan.sequence_of(tile)), lanes_(sequence_, plan.first_position(tile)) {}

  std::uint64_t outside_pixels(unsigned r) const {
    std::uint64_t count = 0;
    if (plan_.options.method == convolution_method::im2col) {
      for (unsigned s = 0; s < plan_.problem.filter.width; ++s) count += outside_window(r, s);
      return count;
    }
    for (unsigned step = 1; step < plan_.steps; ++step)
      for (const std::int64_t position : lanes_.refills(step)) count += is_outside(position, r, 0) ? 1U : 0U;
    return count + outside_window(r, 0);
  }

  std::uint64_t disabled_lanes() const {
    std::uint64_t count = 0;
    if (plan_.options.method == convolution_method::im2col) return count;
    for (unsigned step = 0; step < plan_.steps; ++step)
      for (unsigned lane = 0; lane < isa::tensor_lanes; ++lane) count += lanes_.has_tap(lane, step) ? 0U : 1U;
    return count;
  }

 private:
  std::uint64_t outside_window(unsigned r, unsigned s) const {
    std::uint64_t count = 0;
    for (unsigned lane = 0; lane < isa::tensor_lanes; ++lane) count += is_outside(lanes_.position(lane, 0), r, s) ? 1U : 0U;
    return count;
  }

  bool is_outside(std::int64_t position, unsigned r, unsigned s) const {
    const pixel_place pixel = sequence_.pixel(position, r, s);
    return pixel.image < 0 || pixel.image >= plan_.problem.batch || !sequence_.h.is_inside(pixel.h) || !sequence_.w.is_inside(pixel.w);
  }

  const convolution_plan& plan_;
  const pixel_sequence& sequence_;
  shift_window lanes_;
};

}  // namespace

convolution_traffic traffic_of(const convolution_plan& plan) {
  constexpr std::uint64_t window_bytes = isa::tensor_lanes * convolution_plan::step_bytes,
                          refill_bytes = isa::tensor_chunks * convolution_plan::step_bytes;
  convolution_traffic all;
  all.ctas = std::uint64_t{plan.position_tiles()} * plan.filter_tiles;
  const std::uint64_t windows = all.ctas * plan.windows(), taps = windows * plan.steps, moves = taps - windows;
  all.products = taps * plan.block_steps();
  all.window_copies = windows * plan.block_steps();
  all.refills = moves * plan.block_steps();
  all.shifts = plan.options.shift_with_product ? 0 : all.refills;
  all.commits = windows + taps + all.ctas + (plan.options.shift_with_product ? moves : 0);
  all.bulk_copies = windows + moves * isa::tensor_chunks + taps;

  all.shared_activations = all.window_copies * window_bytes + all.refills * refill_bytes;
  all.global_activations = all.shared_activations;  // each byte is copied to tensor memory once
  all.shared_filters = all.global_filters = all.products * plan.tile_filters * convolution_plan::step_bytes;
  all.tensor_activations = all.products * window_bytes;
  const std::uint64_t sums = std::uint64_t{isa::tensor_lanes} * plan.tile_filters * convolution_problem::result_bytes;
  all.tensor_sums_written = (all.products + (plan.clears ? all.ctas : 0)) * sums;
  all.tensor_sums_read = (all.products + (plan.clears ? all.ctas : 0)) * sums;  // the first product, or the last load, included

  const std::uint64_t of_rows = std::uint64_t{plan.filter_tiles} * plan.problem.padded_channels() / convolution_plan::step_channels;
  for (unsigned tile = 0; tile < plan.position_tiles(); ++tile) {
    const row_walk walk(plan, tile);
    for (unsigned r = 0; r < plan.problem.filter.height; ++r)
      all.shared_padding += walk.outside_pixels(r) * of_rows * convolution_plan::step_bytes;
    all.disabled_lanes += walk.disabled_lanes() * of_rows * plan.problem.filter.height;
  }
  const std::uint64_t kept = all.disabled_lanes * plan.tile_filters * convolution_problem::result_bytes;  // neither read nor written
  all.tensor_sums_written -= kept;
  all.tensor_sums_read -= kept;
  return all;
}

}  // namespace tc::kernels
