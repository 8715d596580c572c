// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <tc/device/gpu.hpp>
#include <tc/parallel/share_result.hpp>

namespace tcsim {

/// A copy of this process that runs some SMs of a machine which has been made and has not run. It ends with this object.
class share_process {
 public:
  /// Throws std::system_error if there can be no process.
  share_process(tc::device::gpu& gpu, const tc::device::sm_share& share);
  ~share_process();
  share_process(const share_process&) = delete;
  share_process& operator=(const share_process&) = delete;

  /// Waits for its result. Once. Throws usage_error or std::runtime_error for what went wrong in it.
  tc::parallel::share_result result();

 private:
  int result_ = -1;
  pid_t process_ = -1;  ///< -1: it has ended
};

}  // namespace tcsim
