// SPDX-License-Identifier: Apache-2.0
#include "signal_watch.hpp"

#include <cerrno>
#include <poll.h>
#include <sys/signalfd.h>
#include <system_error>
#include <unistd.h>

namespace tcsim {

signal_watch::signal_watch() {
  sigset_t watched;
  sigemptyset(&watched);
  sigaddset(&watched, SIGCHLD);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now {};
    sigaction(number, nullptr, &now);
    if (now.sa_handler != SIG_IGN) sigaddset(&watched, number);  // nohup
  }
  descriptor_ = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
  if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "cannot watch signals");
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;  // ignored, children would leave no trace
  sigaction(SIGCHLD, &standard, &child_before_);
  sigprocmask(SIG_BLOCK, &watched, &before_);
}

signal_watch::~signal_watch() {
  close(descriptor_);
  sigaction(SIGCHLD, &child_before_, nullptr);
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

int signal_watch::wait(std::chrono::milliseconds longest) {
  pollfd watched{descriptor_, POLLIN, 0};
  poll(&watched, 1, static_cast<int>(longest.count()));
  signalfd_siginfo happened{};
  while (read(descriptor_, &happened, sizeof happened) == ssize_t{sizeof happened})
    if (happened.ssi_signo != SIGCHLD && stop_ == 0) stop_ = static_cast<int>(happened.ssi_signo);
  return stop_;
}

}  // namespace tcsim
