#pragma once

namespace tc::subcore::report {

// Message types of the tensor unit.
inline constexpr const char* tensor_operand = "/tc/tensor/operand";  ///< a B buffer refused a fill or a read
inline constexpr const char* tensor_late = "/tc/tensor/late";        ///< a B buffer answered after the cycle that needs the answer

}  // namespace tc::subcore::report
