// SPDX-License-Identifier: Apache-2.0
#include "spool_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

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

namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 18;

std::filesystem::path default_folder() {
  const char* folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

}  // namespace

spool_file::spool_file(std::filesystem::path folder)
    : folder_(folder.empty() ? default_folder() : std::move(folder)), file_(make(folder_)), buffer_(buffer_bytes) {
  if (!file_.is_open()) fail("cannot make a temporary file");
}

positioned_file spool_file::make(const std::filesystem::path& folder) {
  std::string name = (folder / "tcsim-trace-XXXXXX").string();
  positioned_file file(::mkstemp(name.data()));
  if (file.is_open()) ::unlink(name.c_str());
  return file;
}

std::uint8_t* spool_file::reserve(std::size_t count) {
  if (buffer_.size() - used_ < count) flush();
  if (buffer_.size() < count) buffer_.resize(count);
  return buffer_.data() + used_;
}

void spool_file::finish() {
  flush();
  buffer_ = {};
}

void spool_file::flush() {
  if (!file_.append(buffer_.data(), used_)) fail("cannot write the temporary file");
  written_ += used_;
  used_ = 0;
}

std::size_t spool_file::read(std::uint64_t offset, std::uint8_t* destination, std::size_t count) const {
  if (!file_.read(offset, destination, count)) fail("cannot read the temporary file");
  return count;
}

void spool_file::fail(const char* what) const {
  throw spool_error(fmt::format("{} in {}: {}; TMPDIR names the folder to use", what, folder_.string(), std::strerror(errno)));
}

}  // namespace tc::trace
