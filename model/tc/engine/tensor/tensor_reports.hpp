// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <systemc>

#include <fmt/format.h>

#include <tc/fabric/reports.hpp>
#include <tc/links/run_observer.hpp>

namespace tc::engine {

namespace report {

// Message types of the tensor engine.

/// A tcgen05 instruction has descriptors or addresses that it does not take.
/// Cure: Correct what the message names: shape and types in the instruction descriptor, columns that are allocated, lanes of the
/// layout.
inline constexpr const char* tensor_instruction = "/tc/tensor/instruction";

/// A matrix of a tcgen05 instruction lies outside of the CTA's shared memory.
/// Cure: Correct the matrix descriptor: start address, offsets and swizzle; or give the kernel more shared memory.
inline constexpr const char* tensor_window = "/tc/tensor/window";

/// A memory answered the tensor engine with an error.
/// Cure: Correct the unit that stands for shared memory or tensor memory.
inline constexpr const char* tensor_memory = "/tc/tensor/memory";

/// The mbarrier of a `tcgen05.commit` does not take the arrival.
/// Cure: Initialise it with `mbarrier.init` first, for as many arrivals as come in a phase.
inline constexpr const char* tensor_barrier = "/tc/tensor/barrier";

}  // namespace report

/// Reports what is wrong with an instruction.
inline void report_tensor_error(const char* type, const sc_core::sc_object& owner, fabric::cycle_t cycle,
                                const links::asynchronous_origin& instruction, const std::string& text) {
  fabric::fault(type, owner, cycle, fmt::format("line {}: {}: {}", instruction.line, instruction.code->text, text));
}

}  // namespace tc::engine
