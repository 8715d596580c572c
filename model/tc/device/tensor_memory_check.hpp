// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <tc/config/machine.hpp>
#include <tc/isa/tcgen05/tcgen05_operation.hpp>
#include <tc/trace/kernel_header.hpp>

namespace tc::device {

/// What a kernel may not ask of tensor memory as a whole.
class tensor_memory_check {
 public:
  /// Both must outlive it.
  tensor_memory_check(const config::machine& machine, const trace::kernel_header& header) : machine_(machine), header_(header) {}

  /// Why the machine does not run the next instruction of the kernel, in a line of its trace; empty if it does. All instructions of a
  /// kernel that have a .cta_group have the same (PTX ISA, tcgen05); pairs of CTAs need clusters of pairs, and a machine with pairs of SMs.
  std::string refusal(const isa::tcgen05_operation& operation, std::uint64_t line);

  /// Whether instructions so far work on pairs of CTAs.
  bool has_pairs() const { return group_ == isa::cta_group::two; }
  /// Of the first instruction that has a .cta_group.
  std::uint64_t group_line() const { return line_; }

 private:
  std::string pair_refusal() const;

  const config::machine& machine_;
  const trace::kernel_header& header_;
  std::optional<isa::cta_group> group_;  // of the instructions so far
  std::uint64_t line_ = 0;               // of the first one that has it
};

}  // namespace tc::device
