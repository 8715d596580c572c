// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <tc/study/case_arithmetic.hpp>
#include <tc/study/error_statistics.hpp>

namespace tc::study {

/// Whether the outputs of an operation have exact sums to compare with: it multiplies floating-point numbers without block scales.
bool has_exact_sums(const vector_header& header);

/// Adds the errors of what was computed for a case, against the exact sums of its products and C, whose magnitudes are the measure of
/// relative errors. Outputs with infinities or NaN among their operands are left out. `computed` is in the layout of vector_case::d; the
/// operation has exact sums.
void add_errors(const vector_header& header, const case_arithmetic& arithmetic, const vector_case& values,
                const std::vector<std::uint32_t>& computed, error_statistics& errors);

}  // namespace tc::study
