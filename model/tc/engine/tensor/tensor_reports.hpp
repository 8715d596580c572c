#pragma once

#include <string>

#include <systemc>

#include <fmt/format.h>

#include <tc/fabric/fault_listener.hpp>
#include <tc/subcore/links/asynchronous_observer.hpp>

namespace tc::engine {

namespace report {

// Message types of the tensor engine.
inline constexpr const char* tensor_instruction = "/tc/tensor/instruction";  ///< descriptors or addresses that an instruction does not take
inline constexpr const char* tensor_window = "/tc/tensor/window";            ///< a matrix outside the CTA's shared memory
inline constexpr const char* tensor_memory = "/tc/tensor/memory";            ///< a memory answered with an error
inline constexpr const char* tensor_barrier = "/tc/tensor/barrier";          ///< an mbarrier does not take a commit's arrival

}  // namespace report

/// Reports what is wrong with an instruction.
inline void report_tensor_error(const char* type, const sc_core::sc_object& owner, fabric::cycle_t cycle,
                                const subcore::asynchronous_origin& instruction, const std::string& text) {
  fabric::fault(type, owner, cycle, fmt::format("line {}: {}: {}", instruction.line, instruction.code->text, text));
}

}  // namespace tc::engine
