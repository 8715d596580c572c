// SPDX-License-Identifier: Apache-2.0
#include "writer_lock.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "exit_status.hpp"
#include "pause.hpp"

namespace tcsim {

namespace {

// A byte far behind those that SQLite locks itself (at 2^30), so that the one does not see the other's locks.
constexpr off_t locked_byte = off_t{1} << 60;

// A process that was killed may take a moment to go.
constexpr int attempts = 10;
constexpr std::chrono::milliseconds between_attempts{50};

/// Owned by the open file, not by the process: SQLite opening and closing the same file does not end it. Returns 0 or an error number.
int lock(int descriptor) {
  struct flock what {};
  what.l_type = F_WRLCK;
  what.l_whence = SEEK_SET;
  what.l_start = locked_byte;
  what.l_len = 1;
  return fcntl(descriptor, F_OFD_SETLK, &what) == 0 ? 0 : errno;
}

/// False if another file has taken its name meanwhile.
bool is_still(const std::filesystem::path& file, int descriptor) {
  struct stat named {
  }, opened{};
  return stat(file.c_str(), &named) == 0 && fstat(descriptor, &opened) == 0 && named.st_ino == opened.st_ino &&
         named.st_dev == opened.st_dev;
}

}  // namespace

writer_lock::writer_lock(const std::filesystem::path& file) : descriptor_(open(file.c_str(), O_RDWR | O_CLOEXEC)) {
  if (descriptor_ < 0) throw usage_error(fmt::format("{}: cannot write this file: {}", file.string(), std::strerror(errno)));
  int error = lock(descriptor_);
  for (int attempt = 1; (error == EAGAIN || error == EACCES) && attempt < attempts; ++attempt) {
    pause_for(between_attempts);
    error = lock(descriptor_);
  }
  if (error == 0 && !is_still(file, descriptor_)) error = EAGAIN;
  if (error == 0) return;
  close(descriptor_);
  throw usage_error(error == EAGAIN || error == EACCES
                        ? fmt::format("{}: another sweep is writing this file; wait for it, or name another file", file.string())
                        : fmt::format("{}: cannot lock this file: {}", file.string(), std::strerror(error)));
}

writer_lock::writer_lock(writer_lock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

writer_lock& writer_lock::operator=(writer_lock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

writer_lock::~writer_lock() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace tcsim
