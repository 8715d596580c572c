// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tc::importers {

/// One kind of thing that a trace cannot hold as its source has it.
struct import_gap {
  std::string what;      ///< as "the opcode UTMALDG.2D is not known on sm_90"
  std::string stand_in;  ///< what the trace holds in its place, as "NOP"; "nothing" if it is left out
  std::uint64_t count = 0;
  std::string example;  ///< "file:line" of the first one
};

/// What an import took over, and what it could not.
class import_report {
 public:
  /// Notes an instruction that the trace executes, also one that only stands in for another.
  void add_instruction() { ++instructions_; }
  /// Notes one thing that could not be imported. Things of the same `what` and `stand_in` are counted together.
  void add_gap(std::string_view what, std::string_view stand_in, std::string_view file, std::uint64_t line);
  /// Notes what is to be known about the trace, though all is in it.
  void add_note(std::string note) { notes_.push_back(std::move(note)); }
  /// Adds what another report holds, as that of the next kernel.
  void add(const import_report& other);

  /// Warp instructions that the trace executes.
  std::uint64_t instructions() const { return instructions_; }
  /// In the order in which they first came. Empty: all of the source is in the trace.
  const std::vector<import_gap>& gaps() const { return gaps_; }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  import_gap& find_or_add(std::string_view what, std::string_view stand_in);

  std::uint64_t instructions_ = 0;
  std::vector<import_gap> gaps_;
  std::vector<std::string> notes_;
};

}  // namespace tc::importers
