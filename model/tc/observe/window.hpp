// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <tc/fabric/clocked.hpp>

namespace tc::observe {

/// Which part of a run is recorded: a range of cycles or of instructions. Half-open: `first` is in it, `last` is the first behind it.
/// Instructions are counted from 0 on over the whole run, in the order in which the begins of the records of type "instruction" are told.
struct record_window {
  enum class unit : std::uint8_t { cycles, instructions };
  static constexpr std::uint64_t open_end = ~std::uint64_t{0};

  unit counted = unit::cycles;
  std::uint64_t first = 0;
  std::uint64_t last = open_end;

  bool is_whole_run() const { return first == 0 && last == open_end; }

  /// From the text of an option: "1000..2000", "cycles:1000..2000" or "instructions:500..700"; either end may be left out. Throws
  /// std::invalid_argument with what is wrong and what would be right.
  static record_window parse(std::string_view text);
};

/// What is inside a window, as a run goes on. Of a range of cycles: the records that overlap it. Of a range of instructions: these and the
/// records below them, and whatever belongs to no instruction and overlaps the time from the first begin of these instructions to the last
/// end.
class window_progress {
 public:
  explicit window_progress(const record_window& window);

  /// Counts an instruction, when its begin is told; true if it may be inside, always so in a window of cycles.
  bool instruction_begins(fabric::cycle_t cycle);
  /// One of which instruction_begins() said so has ended.
  void instruction_ended(fabric::cycle_t cycle);

  /// Whether a record that is no instruction, nor below one, is inside. In a window of instructions it must have ended by now.
  bool covers(fabric::cycle_t begins, fabric::cycle_t ends) const { return ends > first_ && begins < last_; }
  /// Whether a cycle is in the range, as far as it is known.
  bool contains(fabric::cycle_t cycle) const { return cycle >= first_ && cycle < last_; }

  bool of_instructions() const { return window_.counted == record_window::unit::instructions; }
  /// The range of cycles. As long as the first instruction has not begun, it begins never; as long as not all have ended, it ends never.
  fabric::cycle_t first() const { return first_; }
  fabric::cycle_t last() const { return last_; }

 private:
  record_window window_;
  std::uint64_t instructions_ = 0;  // begun
  std::size_t open_ = 0;            // of the window, begun and not ended
  fabric::cycle_t latest_end_ = 0;
  fabric::cycle_t first_ = 0;
  fabric::cycle_t last_ = record_window::open_end;
};

}  // namespace tc::observe
