// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <tc/importers/kernel_launch.hpp>
#include <tc/listings/sass_listing.hpp>

#include "cli.hpp"

namespace tcsim {

/// What the command line says about a launch of a kernel, as it was typed.
struct launch_options {
  std::string grid = "1", block = "32";           ///< "X", "X,Y" or "X,Y,Z"
  std::string shared;                             ///< bytes; empty: those of the listing
  std::string registers;                          ///< empty: those of the listing
  std::string arguments;                          ///< "VALUE[:BYTES],..."; empty: none
  std::vector<std::string> constants;             ///< "BANK OFFSET BYTES CONTENT", as in a trace
  std::vector<std::string> memory, expectations;  ///< "BASE BYTES CONTENT", as in a trace
  std::vector<std::string> addresses;             ///< "PC=ADDRESSES"
  std::uint64_t max_instructions = 1'000'000;
};

void add_launch_options(const cli_command& command, launch_options& options);

/// The launch that the options describe, for a trace that is to stand at `trace`: image files, which are named from the current folder,
/// are found from there. Throws trace::trace_error or usage_error with the option that is wrong.
tc::importers::kernel_launch make_launch(const launch_options& options, const tc::listings::sass_kernel& kernel,
                                         const std::filesystem::path& trace);

}  // namespace tcsim
