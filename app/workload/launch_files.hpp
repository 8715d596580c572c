// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include <tc/config/machine.hpp>
#include <tc/execution/timed_launch.hpp>
#include <tc/isa/architecture.hpp>
#include <tc/launches/code_records.hpp>
#include <tc/launches/launch.hpp>
#include <tc/listings/sass_listing.hpp>

namespace tcsim {

/// A launch with the machine code of its kernel.
struct launch_files {
  tc::launches::launch launch;
  tc::listings::sass_kernel kernel;
  tc::launches::code_records records;
};

/// Reads a launch and its code. Throws what tc::launches::read_launch() and read_launch_code() do.
launch_files read_launch_files(const std::string& path);

/// A launch that a machine runs. Throws what reading it and timed_launch do, and usage_error for a launch that contradicts its code.
std::unique_ptr<tc::execution::timed_launch> open_launch(const std::string& path, const tc::config::machine& machine, bool with_values);

/// The built-in configuration of an architecture: "hopper"; empty if there is none.
std::string configuration_for(tc::isa::architecture arch);
/// That of the architecture that code is for. Throws usage_error if there is none.
std::string configuration_for(const tc::listings::sass_kernel& kernel);

}  // namespace tcsim
