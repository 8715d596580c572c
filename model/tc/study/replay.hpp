// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <tc/study/case_arithmetic.hpp>
#include <tc/study/error_statistics.hpp>
#include <tc/study/vector_file.hpp>

namespace tc::study {

/// Whether the outputs of an operation have exact sums to compare with: it multiplies floating-point numbers without block scales.
bool has_exact_sums(const vector_header& header);

/// Adds the errors of what was computed for a case, against the exact sums of its products and C, whose magnitudes are the measure of
/// relative errors. Outputs with infinities or NaN among their operands are left out. `computed` is in the layout of vector_case::d; the
/// operation has exact sums.
void add_errors(const vector_header& header, const case_arithmetic& arithmetic, const vector_case& values,
                const std::vector<std::uint32_t>& computed, error_statistics& errors);

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

/// An output that was not reproduced, as lines of text, each with `indent` blanks in front: which one it is, its operands in hexadecimal
/// and decimal, what was expected and what came out, and how the unit got there.
std::string text_of(const replay_mismatch& mismatch, const vector_header& header, const numerics::dot_product& unit, unsigned indent = 0);

}  // namespace tc::study
