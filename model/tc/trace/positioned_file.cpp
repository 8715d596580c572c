// SPDX-License-Identifier: Apache-2.0
#include "positioned_file.hpp"

#include <cerrno>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace tc::trace {

positioned_file::~positioned_file() {
  if (is_open()) ::close(descriptor_);
}

positioned_file::positioned_file(positioned_file&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

std::uint64_t positioned_file::size() const {
  struct stat status {};
  return ::fstat(descriptor_, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

bool positioned_file::append(const std::uint8_t* bytes, std::size_t count) {
  for (std::size_t done = 0; done < count;) {
    const ssize_t written = ::write(descriptor_, bytes + done, count - done);
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) done += static_cast<std::size_t>(written);
  }
  return true;
}

bool positioned_file::read(std::uint64_t offset, std::uint8_t* destination, std::size_t count) const {
  for (std::size_t done = 0; done < count;) {
    const ssize_t got = ::pread(descriptor_, destination + done, count - done, static_cast<off_t>(offset + done));
    if (got == 0) errno = ENODATA;
    if (got == 0 || (got < 0 && errno != EINTR)) return false;
    if (got > 0) done += static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace tc::trace
