// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <tc/importers/sass_program.hpp>

namespace tc::importers {

/// The line of a BAR, of which registers hold the number of the barrier, the threads, or both, with numbers in their place. Where one
/// register stands for both, its bits 3:0 are the barrier, and the threads begin at bit 16, as nvcc 12 puts them together.
std::string line_with_numbers(const program_instruction& bar, std::uint32_t number, std::uint32_t threads);

}  // namespace tc::importers
