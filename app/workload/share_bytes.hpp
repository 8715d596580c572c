// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <tc/parallel/share_result.hpp>

namespace tcsim {

// What the run of a share has given, as bytes for another process of the same program that has made the same machine.

std::string bytes_of(const tc::parallel::share_result& share);
/// Throws std::runtime_error if something is missing.
tc::parallel::share_result share_from(std::string_view bytes);

}  // namespace tcsim
