// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "kernel_memory.hpp"
#include "lane_mover.hpp"
#include "matrix_instruction.hpp"
#include "random_numbers.hpp"
#include "tensor_arrays.hpp"
#include "warp_access.hpp"

namespace tc::tensor_programs {

struct column_shift {
  unsigned first_column;
};
using engine_operation = std::variant<tile_copy, column_shift, matrix_instruction>;

/// The waits that a program needs because instructions meet the same cells. One of them may be left out.
struct wait_counter {
  std::optional<unsigned> left_out{};
  unsigned needed = 0;

  bool leaves_out() { return needed++ == left_out; }
};

/// Writes the instructions of a warp, executes those on tensor memory, one after the other, and adds the waits that the PTX ISA demands.
class warp_writer {
 public:
  /// What all warps of a program share.
  struct surroundings {
    random_numbers& random;
    kernel_memory& memory;
    tensor_arrays& arrays;
    wait_counter& waits;
  };

  warp_writer(unsigned number, const surroundings& all) : number_(number), all_(all) {}

  /// The mbarrier of a warp in shared memory, behind what the system keeps for itself.
  static unsigned barrier(unsigned warp) { return 0x400 + 8 * warp; }

  void add(const std::string& instruction, bool one_lane = false);
  /// With a pc of its own.
  void add_machine(const std::string& instruction);

  /// A load, whose registers go to global memory some time later, or a store of random words.
  void access(const warp_access& what, kernel_memory::pool words = kernel_memory::pool::any);
  /// One lane's. False if it would need a wait, and there is none because `may_wait` is false.
  bool issue(const engine_operation& what, bool may_wait);
  /// A commit and a wait for everything that was issued.
  void wait_for_engine();
  /// Everything that is on its way is complete, and no other warp overtakes this one.
  void meet_others();

  const std::string& text() const { return text_; }

 private:
  struct issued {
    engine_operation what;
    footprint touched;
    std::set<std::size_t> ordered{};  ///< of those issued before, which take effect before it
  };
  struct loaded {
    unsigned first_register;
    warp_registers values;
  };

  /// Lets what was issued go on, or even end: with the others it may meet at any time.
  void pause(unsigned instructions);
  void wait_for_loads();
  void wait_for_stores();
  unsigned take_registers(unsigned count);
  warp_registers load_words(unsigned first_register, unsigned count, kernel_memory::pool from);
  void store_results();
  void add_wait_for_engine();

  unsigned number_;
  surroundings all_;
  std::string text_;
  unsigned machine_instructions_ = 0, commits_ = 0;
  std::vector<footprint> loads_, stores_;
  std::vector<loaded> results_;
  std::vector<issued> issued_;
};

}  // namespace tc::tensor_programs
