// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <systemc>

#include <tc/fabric/record.hpp>

namespace tc::observe {

/// A signal that waves have for each stream of records of a type.
struct wave_signal {
  enum class source { open, count, attribute };

  std::string_view name;  ///< "active" or "open", "count", or the attribute's
  unsigned bits = 1;
  source what = source::attribute;
  std::size_t attribute = 0;  ///< its place among the type's
  bool is_text = false;       ///< 8 bits for each character
};

/// The signals of a type:
/// * `open`: how many records are open, called `active` if there is at most one;
/// * `count` (64 bits): how many have begun so far, so that what is counted in the waves can be compared with statistics;
/// * one for each attribute that has a width and is no other record: a number, the index of a choice in as many bits as that takes, or
/// ASCII
///   text, the last character in the lowest 8 bits, which viewers can show as text.
std::vector<wave_signal> wave_signals(const fabric::record_type& type);

/// "0 first, 1 second, ...": what the values of a choice mean.
std::string choice_text(const fabric::record_attribute& attribute);

/// The code of a signal in a VCD file, from its number: printable characters without the space, as few as will do.
std::string vcd_identifier(std::size_t number);

/// How times are written: in which unit, and how many of it a cycle takes.
struct vcd_timescale {
  std::string_view unit = "ns";
  std::uint64_t of_cycle = 1;
};

/// The coarsest of ns, ps and fs of which a period of SystemC's time is a whole number.
vcd_timescale timescale_of(const sc_core::sc_time& period);

/// The declarations at the head of a VCD file (IEEE 1364-2005, 18.2): a scope for each name in the path of a stream and one for its type,
/// with the type's wave_signals(). Signal 0 is `cycle`, outside all scopes; those of the streams follow in the order of `streams`. How
/// the attributes of a type are read stands in comments: "issue.pc: address", "issue.opcode: text", "stall.cause: 0 wait, 1 barrier", and
/// how long a cycle is. There is no date, so that the same run writes the same file.
std::string vcd_header(const std::vector<const fabric::record_stream*>& streams, const vcd_timescale& timescale, std::string_view version);

/// The changes of a VCD file, as text in a buffer of one time stamp.
class vcd_values {
 public:
  void time(std::uint64_t units);
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
