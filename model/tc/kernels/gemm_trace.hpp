#pragma once

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
  void append_header(std::string& text) const override;
  void append_warp(std::string& text, warp_place place) const override;

 private:
  void append_pass(std::string& text, const block_visit& pass, warp_place place) const;

  const gemm_plan& plan_;
  const gemm_program& program_;
  const gemm_matrices& matrices_;
  std::vector<std::vector<std::string>> code_;  ///< pc, control code and operation of each instruction, by block
};

}  // namespace tc::kernels
