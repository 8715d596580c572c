// SPDX-License-Identifier: Apache-2.0
#include "run_process.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <string>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "exit_status.hpp"

namespace tcsim {

namespace {

namespace json = boost::json;

constexpr int result_descriptor = STDERR_FILENO + 1;
constexpr off_t longest_output = 2000;  // of what a process that died has written, in bytes

int nameless_file() {
  const int descriptor = memfd_create("tcsim-run", MFD_CLOEXEC);
  if (descriptor < 0) throw std::system_error(errno, std::generic_category(), "cannot make a file for the result of a run");
  return descriptor;
}

/// The end of a file, from `begin`.
std::string content_of(int descriptor, off_t begin) {
  std::string content;
  char block[65536];
  for (ssize_t size = 0; (size = pread(descriptor, block, sizeof block, begin)) > 0; begin += size)
    content.append(block, static_cast<std::size_t>(size));
  return content;
}

/// The last lines of a file, in one line.
std::string last_words(int descriptor) {
  struct stat facts {};
  fstat(descriptor, &facts);
  std::string words = content_of(descriptor, std::max<off_t>(0, facts.st_size - longest_output));
  while (!words.empty() && words.back() == '\n') words.pop_back();
  for (std::size_t at = 0; (at = words.find('\n', at)) != std::string::npos; at += 2) words.replace(at, 1, "; ");
  return words;
}

std::string text_of(const finished_run& finished) {
  return json::serialize(json::object{{"exit_status", finished.exit_status},
                                      {"message", finished.message},
                                      {"statistics", finished.statistics},
                                      {"all_statistics", finished.all_statistics}});
}

/// Nothing if the text is not whole.
std::optional<finished_run> finished_from(const std::string& text) {
  json::parse_options options;
  options.allow_invalid_utf8 = true;  // names of files may be in messages
  json::error_code error;
  const json::value value = json::parse(text, error, {}, options);
  if (error) return std::nullopt;
  const auto text_at = [&](const char* key) { return std::string(value.at(key).as_string()); };
  return finished_run{value.at("exit_status").to_number<int>(), text_at("message"), text_at("statistics"), text_at("all_statistics"), {}};
}

/// Those that the parent asks to wait, as a process finds them when it is started.
void reset_signals() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) std::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// A child must not outlive its parent, which may be gone already; and signals from the terminal are the parent's, who then kills it.
void bind_to(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  setpgid(0, 0);
}

/// Leaves no files open but an empty stdin, the output, and the result: no lock must live longer than the parent.
void arrange_files(int result, int output) {
  const int kept_result = fcntl(result, F_DUPFD, result_descriptor + 2), kept_output = fcntl(output, F_DUPFD, result_descriptor + 2);
  dup2(kept_output, STDOUT_FILENO);
  dup2(kept_output, STDERR_FILENO);
  dup2(kept_result, result_descriptor);
  close_range(static_cast<unsigned>(result_descriptor) + 1, ~0U, 0);
  close(STDIN_FILENO);
  open("/dev/null", O_RDONLY);
}

bool write_all(int descriptor, const std::string& text) {
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t size = write(descriptor, text.data() + written, text.size() - written);
    if (size < 0 && errno != EINTR) return false;
    if (size > 0) written += static_cast<std::size_t>(size);
  }
  return true;
}

/// All that the child does.
[[noreturn]] void live(const run_work& work, pid_t parent, int result, int output) {
  bind_to(parent);
  reset_signals();
  arrange_files(result, output);
  const bool is_told = write_all(result_descriptor, text_of(work()));
  std::cout.flush();
  std::fflush(nullptr);
  _exit(is_told ? 0 : 1);
}

finished_run ended_without_result(int state, int output) {
  const std::string words = last_words(output), behind = words.empty() ? "" : ": " + words;
  if (WIFSIGNALED(state)) {
    const int number = WTERMSIG(state);
    return {128 + number, fmt::format("killed by signal {} ({}){}", number, strsignal(number), behind), "", "", {}};
  }
  return {static_cast<int>(exit_status::model_stopped),
          fmt::format("the process exited with status {} and without a result{}", WEXITSTATUS(state), behind),
          "",
          "",
          {}};
}

double seconds_of(const timeval& time) { return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6; }

}  // namespace

run_process::run_process(const run_work& work) : result_(nameless_file()), start_(clock::now()) {
  output_ = memfd_create("tcsim-output", MFD_CLOEXEC);
  std::cout.flush();  // the child must not write it again
  std::fflush(nullptr);
  const pid_t self = getpid();
  process_ = output_ < 0 ? -1 : fork();
  if (process_ == 0) live(work, self, result_, output_);
  if (process_ > 0) return;
  const int error = errno;
  close(result_);
  if (output_ >= 0) close(output_);
  throw std::system_error(error, std::generic_category(), "cannot start a process for a run");
}

run_process::~run_process() {
  if (process_ > 0) {
    kill(process_, SIGKILL);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) continue;
  }
  if (result_ >= 0) close(result_);
  if (output_ >= 0) close(output_);
}

std::optional<finished_run> run_process::poll() {
  int state = 0;
  rusage use{};
  const pid_t ended = wait4(process_, &state, WNOHANG, &use);
  if (ended == 0 || (ended < 0 && errno == EINTR)) return std::nullopt;
  if (ended < 0) throw std::system_error(errno, std::generic_category(), "cannot wait for the process of a run");
  process_ = -1;
  const bool is_well = WIFEXITED(state) && WEXITSTATUS(state) == 0;
  auto finished = is_well ? finished_from(content_of(result_, 0)) : std::nullopt;
  if (!finished) finished = ended_without_result(state, output_);
  const std::chrono::duration<double> seconds = clock::now() - start_;
  finished->cost = {seconds.count(), seconds_of(use.ru_utime) + seconds_of(use.ru_stime), static_cast<std::uint64_t>(use.ru_maxrss)};
  return finished;
}

}  // namespace tcsim
