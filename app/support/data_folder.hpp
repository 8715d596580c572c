// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tcsim {

/// The folder with what comes with the command and is not part of it, example traces first of all: share/tcsim beside the folder of the
/// command where it is installed, else the checkout that it was built in. Null if the command was moved away from both.
std::optional<std::filesystem::path> data_folder();

/// A trace that the user named: the file, or where there is none, an example by the name of its folder ("sm_75.tiled_f16_f32") or its
/// path within data_folder(), as this documentation has it. The name itself if there is neither, so that opening it says what is wrong.
std::filesystem::path find_trace(const std::filesystem::path& name);

/// The name of an example, or of a file beside it, that was probably meant by a name that find_trace() does not find; empty if there is
/// none.
std::string nearest_trace(const std::filesystem::path& name);

}  // namespace tcsim
