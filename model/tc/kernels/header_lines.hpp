// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tc/trace/kernel_header.hpp>
#include <tc/trace/trace_builder.hpp>

namespace tc::kernels {

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

}  // namespace tc::kernels
