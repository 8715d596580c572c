#include "convolution_trace.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include <tc/trace/lanes.hpp>

namespace tc::kernels {

convolution_trace::convolution_trace(const convolution_plan& plan, const convolution_program& program, const convolution_tensors& tensors)
    : kernel_text(plan.position_tiles(), plan.filter_tiles, convolution_plan::warps), plan_(plan), program_(program), tensors_(tensors) {}

std::string convolution_trace::kernel_name(const convolution_plan& plan) {
  const convolution_problem& problem = plan.problem;
  return fmt::format("conv_{}{}_{}x{}x{}x{}_{}x{}x{}", name(plan.options.method), plan.options.shift_with_product ? "_ashift" : "",
                     problem.batch, problem.image.height, problem.image.width, problem.channels, problem.filters, problem.filter.height,
                     problem.filter.width);
}

void convolution_trace::append_header(std::string& text) const {
  auto out = std::back_inserter(text);
  fmt::format_to(out, "tcsim-trace 1\narch {}\nkernel {}\ngrid {} {} 1\nblock {} 1 1\nregisters {}\nshared {}\n", isa::name(plan_.arch),
                 kernel_name(plan_), plan_.position_tiles(), plan_.filter_tiles, convolution_plan::warps * trace::warp_lanes,
                 convolution_plan::registers, plan_.shared_bytes);
  for (std::size_t i = 0; i < plan_.pixel_maps.size(); ++i) {
    append_pixel_map(text, plan_.window_map(i), plan_.pixel_maps[i], convolution_plan::tile_positions);
    append_pixel_map(text, plan_.refill_map(i), plan_.pixel_maps[i], 1);
  }
  append_filter_map(text);
  append_arguments(text, isa::info(plan_.arch).parameter_offset, {plan_.input, plan_.filters, plan_.output});
  if (tensors_.input.empty()) return;
  append_content(text, "memory", plan_.input, tensors_.input);
  append_content(text, "memory", plan_.filters, tensors_.filters);
  fmt::format_to(out, "memory {:#x} {} zero\n", plan_.output, plan_.problem.output_bytes());
  if (!tensors_.output.empty()) append_content(text, "expect", plan_.output, tensors_.output);
}

/// A map without a pixel is used for zeros only.
void convolution_trace::append_pixel_map(std::string& text, std::uint64_t address, const convolution_plan::pixel_map& map,
                                         unsigned pixels) const {
  const convolution_problem& problem = plan_.problem;
  const pixel_direction &h = plan_.sequences[map.sequence].h, &w = plan_.sequences[map.sequence].w;
  const std::uint64_t pixel = problem.pixel_bytes(), row = pixel * problem.image.width;
  fmt::format_to(std::back_inserter(text),
                 "tensor-map {:#x} im2col f16 base {:#x} sizes {} {} {} {} strides {} {} {} lower {} {} upper {} {} channels {} pixels {} "
                 "element-strides 1 {} {} 1 swizzle 128B\n",
                 address, plan_.input + map.remainder_h * row + map.remainder_w * pixel, problem.padded_channels(),
                 std::max(w.elements(map.remainder_w), 1U), std::max(h.elements(map.remainder_h), 1U), problem.batch, pixel * w.apart(),
                 row * h.apart(), row * problem.image.height, w.lower_corner(), h.lower_corner(), w.upper_corner(map.remainder_w),
                 h.upper_corner(map.remainder_h), plan_.block_channels, pixels, w.step(), h.step());
}

/// Dimensions C, taps, and filters.
void convolution_trace::append_filter_map(std::string& text) const {
  const convolution_problem& problem = plan_.problem;
  const unsigned taps = problem.filter.height * problem.filter.width;
  fmt::format_to(std::back_inserter(text), "tensor-map {:#x} tiled f16 base {:#x} sizes {} {} {} strides {} {} box {} 1 {} swizzle 128B\n",
                 plan_.filter_map(), plan_.filters, problem.padded_channels(), taps, problem.filters, problem.pixel_bytes(),
                 std::uint64_t{problem.pixel_bytes()} * taps, plan_.block_channels, plan_.tile_filters);
}

}  // namespace tc::kernels
