#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tc/kernels/gemm_code.hpp>
#include <tc/kernels/kernel_text.hpp>

namespace tc::kernels {

/// Instructions that a warp executes, as lines of a trace without control codes: the scoreboard keeps them in order.
class warp_listing {
 public:
  /// Appends to `text`, beginning with the instruction at `pc`.
  explicit warp_listing(std::string& text, std::uint32_t pc = 0) : text_(text), pc_(pc) {}

  /// Byte address of the next instruction.
  std::uint32_t pc() const { return pc_; }
  /// A branch to an instruction that has been there before, or that lies ahead.
  void go_to(std::uint32_t pc) { pc_ = pc; }

  /// Executed by all lanes.
  void add(std::string_view instruction) { add_line(instruction, ""); }
  /// Executed by lane 0.
  void add_for_one(std::string_view instruction) { add_line(instruction, " mask 00000001"); }
  /// Predicated off.
  void add_idle(std::string_view instruction) { add_line(instruction, " mask 00000000"); }
  /// Code that accesses no memory.
  void add(const code_block& block);
  /// A global access by all lanes, `offset` bytes behind an address.
  void add_access(std::string_view instruction, const linear_address& address, std::uint64_t offset, warp_place place);
  /// An access by the lanes of a mask, lowest first, with the address of each of them.
  void add_access(std::string_view instruction, std::uint32_t mask, const std::vector<std::uint64_t>& addresses);
  /// Counts a round of a loop in a register, and goes back to `begin` unless it is the last one. P1 is whether there are more.
  void add_loop_end(unsigned counter, unsigned rounds, unsigned round, std::uint32_t begin);

 private:
  void add_line(std::string_view instruction, std::string_view behind);

  std::string& text_;
  std::uint32_t pc_;
};

}  // namespace tc::kernels
