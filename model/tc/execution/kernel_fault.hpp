// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace tc::execution {

/// What a kernel did that no GPU does for it: an access outside of all allocations, a jump into nothing, a wait that does not end. what()
/// says which lane of which warp, at which instruction, with its line and column in the listing.
class kernel_fault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tc::execution
