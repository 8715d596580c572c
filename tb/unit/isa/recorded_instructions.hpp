// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <tc/isa/architecture.hpp>

/// Instruction lines of one file, without masks and addresses.
struct recorded_instructions {
  std::filesystem::path file;
  tc::isa::architecture arch{};
  std::vector<std::string> lines;
};

/// The folder of shared recordings (environment variable TCSIM_SHARED, or next to the project), nothing if there is none.
std::optional<std::filesystem::path> shared_folder();

/// The selection of recorded instructions that comes with the test: each form of operands once.
std::vector<recorded_instructions> selected_instructions();

/// Every instruction of the shared traces and disassemblies; without them, selected_instructions.
std::vector<recorded_instructions> all_recorded_instructions();
