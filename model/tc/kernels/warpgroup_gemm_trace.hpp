// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <tc/kernels/gemm_text.hpp>
#include <tc/kernels/warpgroup_gemm_program.hpp>

namespace tc::kernels {

/// The trace of a GEMM kernel of warpgroup instructions.
class warpgroup_gemm_trace final : public gemm_text {
 public:
  /// What is given must outlive the trace.
  warpgroup_gemm_trace(const warpgroup_gemm_plan& plan, const warpgroup_gemm_program& program, const gemm_matrices& matrices);

 protected:
  void append_header(header_lines& header) const override;
  void list_warp(listing_target& target, warp_place place) const override { program_.list_warp(target, place); }

 private:
  /// Adds the header's line about one operand, of which a stage holds so many rows.
  void append_tensor_map(header_lines& header, std::uint64_t address, std::uint64_t matrix, unsigned rows, unsigned stage_rows) const;

  const warpgroup_gemm_plan& plan_;
  const warpgroup_gemm_program& program_;
  const gemm_matrices& matrices_;
};

}  // namespace tc::kernels
