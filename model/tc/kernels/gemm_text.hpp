#pragma once

#include <cstdint>
#include <streambuf>
#include <string>
#include <vector>

#include <tc/kernels/gemm_address.hpp>
#include <tc/kernels/gemm_problem.hpp>

namespace tc::kernels {

/// The contents of a GEMM's matrices, packed, the first element in the lowest bits of a byte.
struct gemm_matrices {
  std::vector<std::uint8_t> a;  ///< row after row
  std::vector<std::uint8_t> b;  ///< column after column
  std::vector<std::uint8_t> d;  ///< what the kernel must compute, row after row; empty: nothing is expected
};

/// A warp of a grid.
struct warp_place {
  unsigned cta_x = 0, cta_y = 0, warp = 0;
};

/// " @ {...}": the addresses, `offset` bytes further, of a warp's lanes.
std::string address_list(const linear_address& address, std::uint64_t offset, warp_place place);

/// The trace of a GEMM kernel as text that is made while it is read, warp by warp, so that its length takes no memory.
class gemm_text : public std::streambuf {
 public:
  /// The name that traces give the kernel: "gemm_mixed_128x128x128".
  static std::string kernel_name(const gemm_problem& problem);

 protected:
  /// Of a grid of CTAs with so many warps.
  gemm_text(unsigned grid_x, unsigned grid_y, unsigned warps) : grid_x_(grid_x), grid_y_(grid_y), warps_(warps) {}

  int_type underflow() final;

  /// Appends all lines in front of the first CTA.
  virtual void append_header(std::string& text) const = 0;
  /// Appends the instructions of a warp.
  virtual void append_warp(std::string& text, warp_place place) const = 0;

  /// Appends the header's lines about constant and global memory: addresses of A, B and D as the kernel's arguments, A, B, and what D is
  /// to be in the end.
  static void append_memory(std::string& text, const gemm_problem& problem, const matrix_placement& memory, std::uint32_t parameter_offset,
                            const gemm_matrices& matrices);

 private:
  void append_next_warp();

  unsigned grid_x_, grid_y_, warps_;
  warp_place next_;
  std::string text_;  ///< what is being read
  bool has_begun_ = false;
};

}  // namespace tc::kernels
