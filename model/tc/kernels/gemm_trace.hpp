#pragma once

#include <cstdint>
#include <iosfwd>
#include <streambuf>
#include <string>
#include <vector>

#include <tc/kernels/gemm_program.hpp>

namespace tc::kernels {

/// The contents of a GEMM's matrices, packed, the first element in the lowest bits of a byte.
struct gemm_matrices {
  std::vector<std::uint8_t> a;  ///< row after row
  std::vector<std::uint8_t> b;  ///< column after column
  std::vector<std::uint8_t> d;  ///< what the kernel must compute, row after row; empty: nothing is expected
};

/// The trace of a GEMM kernel as text that is made while it is read, so that its length takes no memory.
class gemm_trace final : public std::streambuf {
 public:
  /// What is given must outlive the trace.
  gemm_trace(const gemm_plan& plan, const gemm_program& program, const gemm_matrices& matrices);

  /// The name that the trace gives the kernel: "gemm_mixed_128x128x128".
  static std::string kernel_name(const gemm_problem& problem);

 protected:
  int_type underflow() override;

 private:
  void write_header();
  void write_warp();
  void write_pass(const block_visit& pass);
  void write_addresses(const memory_operand& memory, unsigned tile);

  const gemm_plan& plan_;
  const gemm_program& program_;
  const gemm_matrices& matrices_;
  std::string text_;                            ///< what is being read
  std::vector<std::vector<std::string>> code_;  ///< pc, control code and operation of each instruction, by block
  unsigned cta_x_ = 0, cta_y_ = 0, warp_ = 0;   ///< that come next
  bool has_begun_ = false;
};

}  // namespace tc::kernels
