// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include <tc/trace/kernel_header.hpp>

namespace tcsim {

// A file that the command reads is not to be replaced by what it writes: what opens a file notes it here, and what writes one asks.

/// The command reads a file. Names of what is no file, as those of built-in configurations, do no harm.
void note_input(const std::filesystem::path& file);
/// It reads the files with the contents of memory that the header of a trace names.
void note_images(const tc::trace::kernel_header& header);

/// Whether a file of this name would take the place of one that the command reads.
bool replaces_input(const std::filesystem::path& file);

}  // namespace tcsim
