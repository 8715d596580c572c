// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tc/kernels/gemm_program.hpp>
#include <tc/kernels/gemm_text.hpp>

namespace tc::kernels {

/// The trace of a GEMM kernel that multiplies in registers.
class gemm_trace final : public gemm_text {
 public:
  /// What is given must outlive the trace.
  gemm_trace(const gemm_plan& plan, const gemm_program& program, const gemm_matrices& matrices);

 protected:
  void append_header(header_lines& header) const override;
  void list_warp(listing_target& target, warp_place place) const override;
  /// With steps that are made when a warp plays them.
  trace::trace finished(trace::trace_builder trace, std::size_t header_lines) const override;

 private:
  const gemm_plan& plan_;
  const gemm_program& program_;
  const gemm_matrices& matrices_;
  std::vector<std::uint32_t> first_pcs_;         ///< by block
  std::vector<std::vector<std::string>> texts_;  ///< of each instruction, by block
};

}  // namespace tc::kernels
