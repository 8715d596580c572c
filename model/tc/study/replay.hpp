// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <tc/study/case_arithmetic.hpp>
#include <tc/study/case_errors.hpp>
#include <tc/study/vector_file.hpp>

namespace tc::study {

/// An output of a vector file that the arithmetic does not reproduce.
struct replay_mismatch {
  std::uint64_t case_index = 0;
  output_position at;
  dot_operands operands;  ///< as the unit takes them
  std::uint64_t expected = 0, computed = 0;
};

/// What a replay found.
struct replay_result {
  std::uint64_t outputs = 0, mismatches = 0;
  std::vector<replay_mismatch> first;  ///< the first mismatches, as many as were asked for
};

/// Called after every case with the number of cases done.
using replay_progress = std::function<void(std::uint64_t)>;

/// Computes every output of the rest of a file and compares bits, keeping the first `kept` mismatches. If `errors` are asked for, adds to
/// them how far what is computed is from exact sums, if the operation has any. Throws vector_error.
replay_result replay(vector_reader& file, const case_arithmetic& arithmetic, std::size_t kept = 1, const replay_progress& progress = {},
                     error_statistics* errors = nullptr);

}  // namespace tc::study
