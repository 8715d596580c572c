#pragma once

#include <cstdint>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

#include <tc/kernels/gemm_address.hpp>

namespace tc::kernels {

/// A warp of a grid.
struct warp_place {
  unsigned cta_x = 0, cta_y = 0, warp = 0;
};

/// " @ {...}": the addresses, `offset` bytes further, of a warp's lanes.
std::string address_list(const linear_address& address, std::uint64_t offset, warp_place place);

/// The trace of a kernel as text that is made while it is read, warp by warp, so that its length takes no memory.
class kernel_text : public std::streambuf {
 protected:
  /// Of a grid of CTAs with so many warps.
  kernel_text(unsigned grid_x, unsigned grid_y, unsigned warps) : grid_x_(grid_x), grid_y_(grid_y), warps_(warps) {}

  int_type underflow() final;

  /// Appends all lines in front of the first CTA.
  virtual void append_header(std::string& text) const = 0;
  /// Appends the instructions of a warp.
  virtual void append_warp(std::string& text, warp_place place) const = 0;

  /// Appends the header's line about the first arguments of the kernel, 64-bit addresses.
  static void append_arguments(std::string& text, std::uint32_t parameter_offset, const std::vector<std::uint64_t>& addresses);
  /// Appends a header's line with bytes in global memory: "memory" or "expect".
  static void append_content(std::string& text, std::string_view keyword, std::uint64_t address, const std::vector<std::uint8_t>& bytes);

 private:
  void append_next_warp();

  unsigned grid_x_, grid_y_, warps_;
  warp_place next_;
  std::string text_;  ///< what is being read
  bool has_begun_ = false;
};

}  // namespace tc::kernels
