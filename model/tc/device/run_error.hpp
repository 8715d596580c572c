// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace tc::device {

/// A run that is refused before it starts: the traces, the machine and the options do not go together. what() names the trace, what is
/// wrong, and the limit or the configuration key.
class run_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tc::device
