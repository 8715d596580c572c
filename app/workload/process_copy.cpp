// SPDX-License-Identifier: Apache-2.0
#include "process_copy.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <string_view>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "exit_status.hpp"
#include "failure.hpp"
#include "interruption.hpp"

namespace tcsim {

namespace {

/// What the bytes of a result begin with.
constexpr char done = 'd', mistake = 'm', failed = 'f';

std::string outcome_of(const std::function<std::string()>& work) {
  try {
    return done + work();
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

}  // namespace

process_copy::process_copy(std::string what, const std::function<std::string()>& work)
    : what_(std::move(what)), result_(memfd_create("tcsim-copy", MFD_CLOEXEC)) {
  std::cout.flush();  // the copy must not write it again
  std::fflush(nullptr);
  const pid_t self = getpid();
  process_ = result_ < 0 ? -1 : fork();
  if (process_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != self) _exit(0);
    _exit(write_all(result_, outcome_of(work)) ? 0 : 1);
  }
  if (process_ > 0) return;
  const int error = errno;
  if (result_ >= 0) close(result_);
  throw std::system_error(error, std::generic_category(), fmt::format("cannot start a process that {}", what_));
}

process_copy::~process_copy() {
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  close(result_);
}

std::string process_copy::result() {
  int state = 0;
  if (interruption() != 0) kill(process_, interruption());  // a terminal tells all processes, kill(1) only this one
  while (waitpid(process_, &state, 0) < 0 && errno == EINTR)
    if (interruption() != 0) kill(process_, interruption());
  process_ = -1;
  if (WIFSIGNALED(state))
    throw std::runtime_error(
        fmt::format("a process that {} was killed by signal {} ({})", what_, WTERMSIG(state), strsignal(WTERMSIG(state))));
  std::string outcome = content_of(result_);
  if (outcome.empty()) throw std::runtime_error(fmt::format("a process that {} has not told its result", what_));
  const char kind = outcome.front();
  outcome.erase(0, 1);
  if (kind == mistake) throw usage_error(outcome);
  if (kind == failed) throw std::runtime_error(outcome);
  return outcome;
}

}  // namespace tcsim
