// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <tc/launches/code_records.hpp>
#include <tc/launches/launch.hpp>
#include <tc/listings/sass_listing.hpp>

namespace tc::launches {

/// What a launch says that its code says otherwise, one message for each, with file, line and column: registers, shared memory, parameters,
/// threads of a block, variables. Nothing for what the code does not say.
std::vector<std::string> differences(const launch& launch, const listings::sass_kernel& kernel, const code_records& records);

}  // namespace tc::launches
