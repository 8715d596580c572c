// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace tcsim {

/// What the command tells its caller.
enum class exit_status : int {
  done = 0,
  check_failed = 1,  ///< an expectation of a trace was missed, or --strict met a warning
  bad_input =
      2,  ///< a mistake in a file or on the command line; nothing was written. Or a recording or stdout failed, and all else was written
  model_stopped = 3,  ///< the model waits for ever, or contradicted itself; no result was written, but what was recorded until then. Or
                      ///< memory ran out, and nothing was written
  of_signals = 128,   ///< and the number of a signal that ended the work: what was done and recorded until then was told and written
};

/// A mistake of the user that no library exception describes. what() says what is wrong and what would be right.
class usage_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tcsim
