// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <tc/listings/sass_listing.hpp>

namespace tc::listings {

/// Puts behind the code of a kernel those functions of its module that the code names, the data that goes with it, or a function that is
/// put there. Each begins as a section of its own: its labels and its pcs move with it.
void add_called_functions(sass_kernel& kernel, std::vector<sass_kernel> functions);

}  // namespace tc::listings
