// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include <tc/trace/trace.hpp>

namespace tcsim {

/// Opens a trace, which may hold WMMA instructions, or gives the one that this process has open already: the last few stay open, as a sweep
/// asks for the same traces for each of its machines. Not for a process that is forked and may have closed the temporary file of a trace.
/// Files that have changed are opened again. Throws trace_error.
std::shared_ptr<const tc::trace::trace> open_shared_trace(const std::filesystem::path& file);

/// Names of the files that hold what is in memory, in the order of the header.
std::vector<std::filesystem::path> image_files(const tc::trace::kernel_header& header);

}  // namespace tcsim
