// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <streambuf>
#include <string>
#include <string_view>

#include <tc/kernels/gemm_address.hpp>
#include <tc/kernels/header_lines.hpp>
#include <tc/kernels/listing_target.hpp>
#include <tc/trace/limits.hpp>
#include <tc/trace/trace.hpp>
#include <tc/trace/trace_builder.hpp>

namespace tc::kernels {

/// A warp of a grid.
struct warp_place {
  unsigned cta_x = 0, cta_y = 0, warp = 0;
};

/// The addresses, `offset` bytes further, of a warp's lanes.
trace::address_list addresses_of(const linear_address& address, std::uint64_t offset, warp_place place);

/// The trace of a kernel as text that is made while it is read, warp by warp, so that its length takes no memory; or the same trace without
/// a text.
class kernel_text : public std::streambuf {
 public:
  /// The trace that reading the text gives, lines included; `name` stands for the file in messages. What is in memory is not copied and
  /// must outlive the trace; so must nothing else. Throws trace::trace_error if it is larger than `limits`.
  trace::trace made(const std::string& name, const trace::size_limits& limits = {}) const;

 protected:
  /// Of a grid of CTAs with so many warps.
  kernel_text(unsigned grid_x, unsigned grid_y, unsigned warps) : grid_x_(grid_x), grid_y_(grid_y), warps_(warps) {}

  int_type underflow() final;

  /// Appends all lines in front of the first CTA.
  virtual void append_header(header_lines& header) const = 0;
  /// Lists the instructions of a warp.
  virtual void list_warp(listing_target& target, warp_place place) const = 0;

  /// Adds all CTAs to a trace whose header has so many lines.
  virtual trace::trace finished(trace::trace_builder trace, std::size_t header_lines) const;

  /// Adds the lines that every kernel has: what it is called, and what each of its CTAs takes, with so many registers of a thread.
  void append_launch(header_lines& header, std::string_view arch, std::string_view kernel, unsigned registers,
                     std::uint64_t shared_bytes) const;

  unsigned grid_x() const { return grid_x_; }
  unsigned grid_y() const { return grid_y_; }
  unsigned warps() const { return warps_; }

 private:
  void append_next_piece();
  void append_next_warp();

  unsigned grid_x_, grid_y_, warps_;
  warp_place next_;
  std::string text_;  ///< what is being read
  header_lines header_;
  std::size_t header_line_ = 0, header_digits_ = 0;  ///< of the header: the next line, and bytes of it whose digits have been read
};

}  // namespace tc::kernels
