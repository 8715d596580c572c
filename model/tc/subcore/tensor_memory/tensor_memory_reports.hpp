#pragma once

namespace tc::subcore::report {

// Message types of loads and stores of tensor memory.
inline constexpr const char* tensor_memory_access = "/tc/tensor_memory/access";      ///< cells that the warp may not access
inline constexpr const char* tensor_memory_response = "/tc/tensor_memory/response";  ///< tensor memory answered with an error
inline constexpr const char* tensor_memory_bank = "/tc/tensor_memory/bank";          ///< a register bank answered with an error

}  // namespace tc::subcore::report
