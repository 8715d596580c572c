// SPDX-License-Identifier: Apache-2.0
#include "sweep_engine.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <list>
#include <poll.h>
#include <sys/signalfd.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "run_process.hpp"

namespace tcsim {

namespace {

/// While it lives, ends of children and requests to stop (SIGINT, SIGTERM, SIGHUP unless they were ignored) wait to be asked for instead
/// of interrupting.
class signal_watch {
 public:
  signal_watch();
  ~signal_watch();
  signal_watch(const signal_watch&) = delete;
  signal_watch& operator=(const signal_watch&) = delete;

  /// Waits for something to happen, at most so long. Returns the first signal that asks to stop, of all that came so far; 0 if none did.
  int wait(std::chrono::milliseconds longest);

 private:
  sigset_t before_{};
  struct sigaction child_before_ {};
  int descriptor_ = -1;
  int stop_ = 0;
};

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

constexpr std::chrono::milliseconds between_reports{200};

struct running_process {
  running_process(std::int64_t run, const run_work& work) : id(run), process(work) {}

  std::int64_t id;
  run_process process;
};

/// Runs some of the runs of a sweep, a few at a time.
class engine {
 public:
  engine(result_store& store, const std::vector<std::int64_t>& runs, const planned_work& work, const engine_options& options)
      : store_(store), runs_(runs), work_(work), options_(options) {}

  engine_outcome run() {
    signal_watch watch;
    int stop = 0;
    while (done_ < runs_.size() && stop == 0) {
      while (running_.size() < options_.jobs && next_ < runs_.size() && start()) continue;
      options_.report({runs_.size(), done_, running_.size()});
      stop = watch.wait(between_reports);
      save_ended();
    }
    running_.clear();  // which kills them
    return {done_, stop};
  }

 private:
  /// Starts the next run. False if the host has no room for another process until one of ours ends.
  bool start() {
    const std::int64_t id = runs_[next_];
    try {
      const planned_run planned = store_.run(id);
      running_.emplace_back(id, [&] { return work_(planned); });
    } catch (const std::system_error&) {
      if (running_.empty()) throw;
      return false;
    }
    ++next_;
    return true;
  }

  void save_ended() {
    for (auto process = running_.begin(); process != running_.end();) {
      const auto finished = process->process.poll();
      if (!finished) {
        ++process;
        continue;
      }
      store_.save(process->id, *finished);
      ++done_;
      process = running_.erase(process);
    }
  }

  result_store& store_;
  const std::vector<std::int64_t>& runs_;
  const planned_work& work_;
  const engine_options& options_;
  std::size_t next_ = 0, done_ = 0;
  std::list<running_process> running_;
};

}  // namespace

engine_outcome run_all(result_store& store, const std::vector<std::int64_t>& runs, const planned_work& work,
                       const engine_options& options) {
  return engine(store, runs, work, options).run();
}

}  // namespace tcsim
