// SPDX-License-Identifier: Apache-2.0
#include "convolution_trace.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tc::kernels {

convolution_trace::convolution_trace(const convolution_plan& plan, const convolution_program& program, const convolution_tensors& tensors)
    : kernel_text(plan.position_tiles(), plan.filter_tiles, convolution_plan::warps), plan_(plan), program_(program), tensors_(tensors) {}

std::string convolution_trace::kernel_name(const convolution_plan& plan) {
  const convolution_problem& problem = plan.problem;
  return fmt::format("conv_{}{}_{}x{}x{}x{}_{}x{}x{}", name(plan.options.method), plan.options.shift_with_product ? "_ashift" : "",
                     problem.batch, problem.image.height, problem.image.width, problem.channels, problem.filters, problem.filter.height,
                     problem.filter.width);
}

void convolution_trace::append_header(header_lines& header) const {
  append_launch(header, isa::name(plan_.arch), kernel_name(plan_), convolution_plan::registers, plan_.shared_bytes);
  for (std::size_t i = 0; i < plan_.pixel_maps.size(); ++i) {
    append_pixel_map(header, plan_.window_map(i), plan_.pixel_maps[i], convolution_plan::tile_positions);
    append_pixel_map(header, plan_.refill_map(i), plan_.pixel_maps[i], 1);
  }
  append_filter_map(header);
  header.add_arguments(isa::info(plan_.arch).parameter_offset, {plan_.input, plan_.filters, plan_.output});
  if (tensors_.input.empty()) return;
  header.add_content("memory", plan_.input, tensors_.input);
  header.add_content("memory", plan_.filters, tensors_.filters);
  header.add(fmt::format("memory {:#x} {} zero", plan_.output, plan_.problem.output_bytes()));
  header.add_content("expect", plan_.output, tensors_.output);
}

/// A map without a pixel is used for zeros only.
void convolution_trace::append_pixel_map(header_lines& header, std::uint64_t address, const convolution_plan::pixel_map& map,
                                         unsigned pixels) const {
  const convolution_problem& problem = plan_.problem;
  const pixel_direction &h = plan_.sequences[map.sequence].h, &w = plan_.sequences[map.sequence].w;
  const std::uint64_t pixel = problem.pixel_bytes(), row = pixel * problem.image.width;
  header.add(
      fmt::format("tensor-map {:#x} im2col f16 base {:#x} sizes {} {} {} {} strides {} {} {} lower {} {} upper {} {} channels {} pixels {} "
                  "element-strides 1 {} {} 1 swizzle 128B",
                  address, plan_.input + map.remainder_h * row + map.remainder_w * pixel, problem.padded_channels(),
                  std::max(w.elements(map.remainder_w), 1U), std::max(h.elements(map.remainder_h), 1U), problem.batch, pixel * w.apart(),
                  row * h.apart(), row * problem.image.height, w.lower_corner(), h.lower_corner(), w.upper_corner(map.remainder_w),
                  h.upper_corner(map.remainder_h), plan_.block_channels, pixels, w.step(), h.step()));
}

/// Dimensions C, taps, and filters.
void convolution_trace::append_filter_map(header_lines& header) const {
  const convolution_problem& problem = plan_.problem;
  const unsigned taps = problem.filter.height * problem.filter.width;
  header.add(fmt::format("tensor-map {:#x} tiled f16 base {:#x} sizes {} {} {} strides {} {} box {} 1 {} swizzle 128B", plan_.filter_map(),
                         plan_.filters, problem.padded_channels(), taps, problem.filters, problem.pixel_bytes(),
                         std::uint64_t{problem.pixel_bytes()} * taps, plan_.block_channels, plan_.tile_filters));
}

}  // namespace tc::kernels
