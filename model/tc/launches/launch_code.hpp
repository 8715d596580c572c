// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <tc/launches/code_records.hpp>
#include <tc/launches/launch.hpp>
#include <tc/listings/sass_listing.hpp>

namespace tc::launches {

/// The machine code of a kernel, with the functions that it calls, and what it says about its launches.
struct launch_code {
  listings::sass_kernel kernel;
  code_records records;
};

/// Whether a file, which may be compressed, begins as cubins do. Throws study::vector_error if it cannot be read.
bool is_cubin(const std::filesystem::path& file);

/// The names of the kernels in a cubin. Throws what read_launch_code() does.
std::vector<std::string> kernels_of_cubin(const std::filesystem::path& file);

/// Reads a kernel of a listing or of a cubin; either may be compressed. Without a name there must be no other kernel. Throws
/// trace::trace_error, machine_code::code_error and study::vector_error: the file cannot be read, is damaged, or has no such kernel.
launch_code read_launch_code(const std::filesystem::path& file, const std::string& kernel = {});

/// The code of a launch.
launch_code read_launch_code(const launch& launch);

}  // namespace tc::launches
