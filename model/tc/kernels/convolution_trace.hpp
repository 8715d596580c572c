// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tc/kernels/convolution_program.hpp>
#include <tc/kernels/kernel_text.hpp>

namespace tc::kernels {

/// The contents of a convolution's tensors, packed, the lowest byte of an element first. Without input, a trace gives memory no contents:
/// the kernel works on what is there.
struct convolution_tensors {
  std::vector<std::uint8_t> input;    ///< NHWC, C padded
  std::vector<std::uint8_t> filters;  ///< KRSC, C padded
  std::vector<std::uint8_t> output;   ///< what the kernel must compute, NPQK; empty: nothing is expected
};

/// The trace of a convolution's kernel.
class convolution_trace final : public kernel_text {
 public:
  /// What is given must outlive the trace.
  convolution_trace(const convolution_plan& plan, const convolution_program& program, const convolution_tensors& tensors);

  /// The name that traces give the kernel: "conv_shift_2x9x9x64_32x3x3".
  static std::string kernel_name(const convolution_plan& plan);

 protected:
  void append_header(header_lines& header) const override;
  void list_warp(listing_target& target, warp_place place) const override { program_.list_warp(target, place); }

 private:
  void append_pixel_map(header_lines& header, std::uint64_t address, const convolution_plan::pixel_map& map, unsigned pixels) const;
  void append_filter_map(header_lines& header) const;

  const convolution_plan& plan_;
  const convolution_program& program_;
  const convolution_tensors& tensors_;
};

}  // namespace tc::kernels
