// SPDX-License-Identifier: Apache-2.0
#include "interruption.hpp"

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstring>

#include <fmt/format.h>

namespace tcsim {

namespace {

constexpr std::array watched_signals{SIGINT, SIGTERM, SIGHUP};

std::atomic<int> came{0};  // of one machine word: a handler may set it
unsigned watches = 0;
std::array<struct sigaction, watched_signals.size()> actions_before{};

/// The actions of all signals become those from before: the next one ends the process.
void restore_actions() {
  for (std::size_t i = 0; i < watched_signals.size(); ++i) sigaction(watched_signals[i], &actions_before[i], nullptr);
}

extern "C" void keep_interruption(int signal) {
  came = signal;
  restore_actions();
}

}  // namespace

interruption_watch::interruption_watch() {
  if (watches++ > 0 || came != 0) return;
  struct sigaction keep {};
  keep.sa_handler = keep_interruption;
  for (std::size_t i = 0; i < watched_signals.size(); ++i) sigaction(watched_signals[i], nullptr, &actions_before[i]);
  for (std::size_t i = 0; i < watched_signals.size(); ++i)
    if (actions_before[i].sa_handler != SIG_IGN) sigaction(watched_signals[i], &keep, nullptr);  // nohup
}

interruption_watch::~interruption_watch() {
  if (--watches == 0 && came == 0) restore_actions();
}

void interruption_watch::leave() {
  if (watches > 0 && came == 0) restore_actions();
}

int interruption() { return came; }

exit_status status_of_signal(int signal) { return static_cast<exit_status>(static_cast<int>(exit_status::of_signals) + signal); }

std::string interruption_text() { return fmt::format("stopped by signal {} ({})", came.load(), strsignal(came)); }

}  // namespace tcsim
