// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/accounting/run_result.hpp>
#include <tc/device/memory_probe.hpp>
#include <tc/trace/kernel_header.hpp>

namespace tc::device {

/// Compares a range of memory, or samples of it, with what a trace expects. Throws std::runtime_error if the expected content can no longer
/// be read.
accounting::expectation_result check_expectation(const trace::expected_image& expected, memory_probe& memory);

}  // namespace tc::device
