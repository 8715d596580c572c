// SPDX-License-Identifier: Apache-2.0
#include "shared_run.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <list>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include <tc/device/gpu.hpp>
#include <tc/parallel/share_result.hpp>
#include <tc/parallel/shared_run.hpp>

#include "exit_status.hpp"
#include "failure.hpp"
#include "interruption.hpp"
#include "share_bytes.hpp"
#include "simulation.hpp"

namespace tcsim {

namespace accounting = tc::accounting;
namespace device = tc::device;
namespace parallel = tc::parallel;

namespace {

/// A copy of this process that runs some SMs of a machine which has been made and has not run. It ends with this object.
class share_process {
 public:
  /// Throws std::system_error if there can be no process.
  share_process(tc::device::gpu& gpu, const tc::device::sm_share& share, tc::device::run_pauses* pauses);
  ~share_process();
  share_process(const share_process&) = delete;
  share_process& operator=(const share_process&) = delete;

  /// Waits for its result. Once. Throws usage_error or std::runtime_error for what went wrong in it.
  tc::parallel::share_result result();

 private:
  int result_ = -1;
  pid_t process_ = -1;  ///< -1: it has ended
};

/// What the bytes of a result begin with.
constexpr char done = 'd', mistake = 'm', failed = 'f';

std::string outcome_of(device::gpu& gpu, const device::sm_share& share, device::run_pauses* pauses) {
  try {
    return done + bytes_of(share_to_end(gpu, share, pauses));
  } catch (...) {
    const failure why = current_failure();
    return (why.status == exit_status::bad_input ? mistake : failed) + why.message;
  }
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = write(descriptor, text.data(), text.size());
    if (size < 0 && errno != EINTR) return false;
    if (size > 0) text.remove_prefix(static_cast<std::size_t>(size));
  }
  return true;
}

std::string content_of(int descriptor) {
  std::string content;
  char block[65536];
  off_t begin = 0;
  for (ssize_t size = 0; (size = pread(descriptor, block, sizeof block, begin)) > 0; begin += size)
    content.append(block, static_cast<std::size_t>(size));
  return content;
}

share_process::share_process(device::gpu& gpu, const device::sm_share& share, device::run_pauses* pauses)
    : result_(memfd_create("tcsim-share", MFD_CLOEXEC)) {
  std::cout.flush();  // the copy must not write it again
  std::fflush(nullptr);
  const pid_t self = getpid();
  process_ = result_ < 0 ? -1 : fork();
  if (process_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != self) _exit(0);
    _exit(write_all(result_, outcome_of(gpu, share, pauses)) ? 0 : 1);
  }
  if (process_ > 0) return;
  const int error = errno;
  if (result_ >= 0) close(result_);
  throw std::system_error(error, std::generic_category(), "cannot start a process for some of the SMs");
}

share_process::~share_process() {
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  close(result_);
}

parallel::share_result share_process::result() {
  int state = 0;
  if (interruption() != 0) kill(process_, interruption());  // a terminal tells all processes, kill(1) only this one
  while (waitpid(process_, &state, 0) < 0 && errno == EINTR)
    if (interruption() != 0) kill(process_, interruption());
  process_ = -1;
  if (WIFSIGNALED(state))
    throw std::runtime_error(
        fmt::format("a process that simulated some of the SMs was killed by signal {} ({})", WTERMSIG(state), strsignal(WTERMSIG(state))));
  const std::string outcome = content_of(result_);
  if (outcome.empty()) throw std::runtime_error("a process that simulated some of the SMs has not told its result");
  const std::string_view content = std::string_view(outcome).substr(1);
  if (outcome.front() == mistake) throw usage_error(std::string(content));
  if (outcome.front() == failed) throw std::runtime_error(std::string(content));
  return share_from(content);
}

}  // namespace

accounting::run_result run_in_processes(device::gpu& gpu, unsigned processes, device::run_pauses* pauses) {
  const unsigned shares = std::min(processes, gpu.sms());
  if (processes <= 1) return run_to_end(gpu, pauses);
  const std::string coupling = tc::parallel::coupling(gpu);
  if (!coupling.empty()) throw usage_error(fmt::format("--jobs {}: {}", processes, coupling));
  const auto share = [&](std::size_t number) { return device::sm_share{number * gpu.sms() / shares, (number + 1) * gpu.sms() / shares}; };
  std::list<share_process> started;
  for (std::size_t number = 1; number < shares; ++number) started.emplace_back(gpu, share(number), pauses);
  parallel::share_result own = share_to_end(gpu, share(0), pauses);
  std::vector<parallel::share_result> others;
  for (share_process& process : started) others.push_back(process.result());
  return tc::parallel::join(gpu, std::move(own), others);
}

}  // namespace tcsim
