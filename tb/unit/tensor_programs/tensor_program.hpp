// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tc::tensor_programs {

/// A random program of four warps on tensor memory: its trace, which expects in global memory what simple arrays say. It follows the rules
/// of the PTX ISA, so that nothing depends on time.
struct tensor_program {
  std::uint64_t seed = 0;
  std::string text;
  unsigned needed_waits = 0;  ///< because instructions of a warp meet the same cells
};

struct program_options {
  std::optional<unsigned> left_out{};  ///< which of the needed waits the program does without; then it is wrong
  unsigned most_operations = ~0U;      ///< between those that fill tensor memory and those that read it in the end
};

tensor_program make_tensor_program(std::uint64_t seed, const program_options& options = {});

}  // namespace tc::tensor_programs
