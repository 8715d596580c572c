// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

#include <tc/kernels/gemm_address.hpp>
#include <tc/trace/kernel_header.hpp>
#include <tc/trace/lanes.hpp>
#include <tc/trace/limits.hpp>
#include <tc/trace/trace.hpp>
#include <tc/trace/trace_builder.hpp>

namespace tc::kernels {

/// Takes the instructions that a warp executes, one after the other: a text, or a trace.
class listing_target {
 public:
  virtual ~listing_target() = default;
  /// `code` is `[control] [@predicate] OPCODE operands`; without a mask, of which the text says nothing then, all lanes are active.
  virtual void add(std::uint32_t pc, std::string_view code, std::optional<trace::lane_mask> mask, const trace::address_list& addresses) = 0;

 protected:
  listing_target() = default;
  listing_target(const listing_target&) = default;
  listing_target& operator=(const listing_target&) = default;
};

/// The lines in front of the first CTA of a kernel's trace. Contents of memory stay where they are, and must outlive the lines.
class header_lines {
 public:
  /// A line as the text has it: `text`, and behind it the digits of bytes.
  struct line {
    std::string text;
    const std::uint8_t* bytes = nullptr;  ///< null: no digits
    std::size_t count = 0;
  };

  /// Adds a line.
  void add(std::string text) { lines_.push_back({std::move(text)}); }
  /// Adds the line about the first arguments of the kernel, 64-bit addresses.
  void add_arguments(std::uint32_t parameter_offset, const std::vector<std::uint64_t>& addresses);
  /// Adds what is in global memory, "memory", or is to be there in the end, "expect". Long contents take several lines, as a line of a
  /// trace is bounded.
  void add_content(std::string_view keyword, std::uint64_t address, const std::vector<std::uint8_t>& bytes);
  /// Adds samples of what `size` bytes of global memory must hold in the end: `bytes` has those of one sample behind those of another. A
  /// text has a line for each, and a trace that is made an expected image. Once.
  void add_samples(std::uint64_t address, std::uint64_t size, const std::vector<trace::byte_range>& samples,
                   const std::vector<std::uint8_t>& bytes);

  const std::vector<line>& lines() const { return lines_; }

  /// A trace with this header, to which nothing else has been added, and no more than `limits` can be; `name` stands for the file in
  /// messages. Contents and samples must outlive the trace. Throws trace_error.
  trace::trace_builder begin_trace(const std::string& name, const trace::size_limits& limits) const;

 private:
  struct sampled_content {
    std::size_t first_line, line_count;
    std::uint64_t address, size;
    const std::vector<trace::byte_range>* samples;
    const std::uint8_t* bytes;
  };

  void add_digits(std::string_view keyword, std::uint64_t address, const std::uint8_t* bytes, std::size_t count);

  std::vector<line> lines_;
  std::optional<sampled_content> sampled_;
};

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
