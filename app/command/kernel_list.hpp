// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tcsim {

/// What the kernels of a cubin need for a launch: registers, shared memory, blocks, and their parameters, with the types that C++ names of
/// kernels say. Throws tc::machine_code::code_error and tc::study::vector_error.
std::string kernel_list(const std::string& cubin);

}  // namespace tcsim
