// SPDX-License-Identifier: Apache-2.0
#include "external_program.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "exit_status.hpp"

namespace tcsim {

namespace {

/// A file without a name, for what a program prints.
class captured_output {
 public:
  captured_output() : file_(std::tmpfile()) {
    if (!file_) throw std::runtime_error(fmt::format("cannot make a temporary file: {}", std::strerror(errno)));
  }

  int descriptor() const { return fileno(file_.get()); }

  std::string text() const {
    std::string text;
    char block[4096];
    std::rewind(file_.get());
    while (const std::size_t count = std::fread(block, 1, sizeof block, file_.get())) text.append(block, count);
    return text;
  }

 private:
  struct closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, closer> file_;
};

int exit_status_of(pid_t child) {
  int state = 0;
  while (waitpid(child, &state, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
}

}  // namespace

program_output run_program(const std::vector<std::string>& words) {
  std::vector<std::string> own = words;
  std::vector<char*> arguments;
  arguments.reserve(own.size() + 1);
  for (std::string& word : own) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  const captured_output out, err;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.descriptor(), STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments.front(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw usage_error(fmt::format("cannot run {}: {}", words.front(), std::strerror(error)));
  const int status = exit_status_of(child);
  return {status, out.text(), err.text()};
}

}  // namespace tcsim
