// SPDX-License-Identifier: Apache-2.0
#include "child_process.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

namespace tcsim::random_programs {

namespace {

bool write_all(int descriptor, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t size = write(descriptor, text.data() + done, text.size() - done);
    if (size < 0 && errno != EINTR) return false;
    if (size > 0) done += static_cast<std::size_t>(size);
  }
  return true;
}

std::string content_of(int descriptor) {
  std::string content;
  char block[4096];
  for (ssize_t size = 0; (size = pread(descriptor, block, sizeof block, static_cast<off_t>(content.size()))) > 0;)
    content.append(block, static_cast<std::size_t>(size));
  return content;
}

}  // namespace

child_process::child_process(const std::function<std::string()>& work, unsigned seconds)
    : text_(memfd_create("random-program", MFD_CLOEXEC)) {
  std::cout.flush();  // the copy must not write it again
  std::fflush(nullptr);
  const pid_t self = getpid();
  process_ = text_ < 0 ? -1 : fork();
  if (process_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != self) _exit(0);
    alarm(seconds);
    _exit(write_all(text_, work()) ? 0 : 1);
  }
  if (process_ > 0) return;
  const int error = errno;
  if (text_ >= 0) close(text_);
  throw std::system_error(error, std::generic_category(), "cannot start a process for a program");
}

child_process::child_process(child_process&& other) noexcept
    : process_(std::exchange(other.process_, -1)), text_(std::exchange(other.text_, -1)) {}

child_process::~child_process() {
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  if (text_ >= 0) close(text_);
}

child_process::outcome child_process::result() {
  int state = 0;
  while (waitpid(process_, &state, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  outcome result{content_of(text_), ""};
  if (WIFSIGNALED(state) && WTERMSIG(state) == SIGALRM)
    result.failure = "it did not end in time";
  else if (WIFSIGNALED(state))
    result.failure = fmt::format("it was ended by signal {} ({})", WTERMSIG(state), strsignal(WTERMSIG(state)));
  else if (WEXITSTATUS(state) != 0)
    result.failure = fmt::format("it ended with status {}", WEXITSTATUS(state));
  return result;
}

pid_t any_ended_child() {
  siginfo_t ended{};
  while (waitid(P_ALL, 0, &ended, WEXITED | WNOWAIT) < 0) {
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "cannot wait for a program");
  }
  return ended.si_pid;
}

}  // namespace tcsim::random_programs
