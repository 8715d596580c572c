#pragma once

namespace tc::subcore::report {

// Message types of the tensor unit.
inline constexpr const char* tensor_operand = "/tc/tensor/operand";  ///< a B buffer refused a fill or a read
inline constexpr const char* tensor_late = "/tc/tensor/late";        ///< B or products after the cycle in which they were due
inline constexpr const char* tensor_answer = "/tc/tensor/answer";    ///< dot-product units send what their link does not allow

}  // namespace tc::subcore::report
