// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <new>
#include <string_view>
#include <unistd.h>

#include <fmt/format.h>

#include "exit_status.hpp"

namespace tcsim {

namespace {

/// Without memory: nothing here allocates.
[[noreturn]] void end_without_memory() {
  constexpr std::string_view message =
      "tcsim: out of memory: the machine, its memories or its recordings need more than this process is given\n";
  [[maybe_unused]] const auto told = write(STDERR_FILENO, message.data(), message.size());
  _exit(static_cast<int>(exit_status::model_stopped));
}

/// The lowest number that is free is the next file's.
void open_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
    if (fcntl(stream, F_GETFD) < 0 && errno == EBADF) open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace

void set_up_process() {
  open_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);
  std::set_new_handler(end_without_memory);
}

void finish_output() {
  errno = 0;
  std::cout.flush();
  const bool is_whole = std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && !std::cout.fail();
  if (!is_whole) throw usage_error(fmt::format("stdout: cannot write the result: {}", std::strerror(errno != 0 ? errno : EIO)));
}

}  // namespace tcsim
