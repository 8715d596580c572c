// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tc::observe {

/// The changes of a VCD file, as text in a buffer of one time stamp.
class vcd_values {
 public:
  void time(std::uint64_t cycle);
  /// A number in the lowest `bits`; the digits before the first 1 are left out, as readers fill up with zeros.
  void number(std::uint64_t value, unsigned bits, std::string_view identifier);
  /// The first characters of a text that fit into the bits.
  void text(std::string_view value, unsigned bits, std::string_view identifier);
  /// A signal that nobody drives.
  void undriven(unsigned bits, std::string_view identifier);
  void keyword(std::string_view word) { (text_ += word) += '\n'; }

  std::string_view written() const { return text_; }
  void clear() { text_.clear(); }

 private:
  void end_vector(std::string_view identifier) { ((text_ += ' ') += identifier) += '\n'; }

  std::string text_;
};

}  // namespace tc::observe
