// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace tc::device::test {

/// What a function returns in a process of its own, where it can elaborate a machine; without an answer if it does not return.
template <class Function>
std::string run_apart(const Function& function) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    const std::string told = function();
    for (std::size_t done = 0; done < told.size();) {
      const ssize_t count = write(ends[1], told.data() + done, told.size() - done);
      if (count <= 0) _exit(1);
      done += static_cast<std::size_t>(count);
    }
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  std::array<char, 4096> part{};
  for (ssize_t count = 0; (count = read(ends[0], part.data(), part.size())) > 0;) text.append(part.data(), static_cast<std::size_t>(count));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? text : "";
}

}  // namespace tc::device::test
