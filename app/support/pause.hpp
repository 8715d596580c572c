// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <ctime>

namespace tcsim {

/// Waits while other processes go on. (Whoever includes <thread> is taken for having threads by ./check, which then builds him for the
/// thread sanitizer.)
inline void pause_for(std::chrono::milliseconds duration) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration);
  const timespec time{seconds.count(), std::chrono::nanoseconds(duration - seconds).count()};
  nanosleep(&time, nullptr);
}

}  // namespace tcsim
