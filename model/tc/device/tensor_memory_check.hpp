#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <tc/config/machine.hpp>
#include <tc/isa/tcgen05/tcgen05_operation.hpp>

namespace tc::device {

/// What a kernel may not ask of tensor memory as a whole.
class tensor_memory_check {
 public:
  /// Why the machine does not run the next instruction of a kernel, in a line of its trace; empty if it does. All instructions of a kernel
  /// that have a .cta_group have the same (PTX ISA, tcgen05).
  std::string refusal(const isa::tcgen05_operation& operation, std::uint64_t line, const config::sm_parameters& sm);

 private:
  std::optional<isa::cta_group> group_;  // of the instructions so far
  std::uint64_t line_ = 0;               // of the first one that has it
};

}  // namespace tc::device
