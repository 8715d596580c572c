#include "spool_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

#include <fmt/format.h>

namespace tc::trace {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 18;

std::filesystem::path default_folder() {
  const char* folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

}  // namespace

spool_file::spool_file(std::filesystem::path folder)
    : folder_(folder.empty() ? default_folder() : std::move(folder)), buffer_(buffer_bytes) {
  std::string name = (folder_ / "tcsim-trace-XXXXXX").string();
  descriptor_ = ::mkstemp(name.data());
  if (descriptor_ < 0) fail("cannot make a temporary file");
  ::unlink(name.c_str());
}

spool_file::~spool_file() { ::close(descriptor_); }

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
  for (std::size_t done = 0; done < used_;) {
    const ssize_t count = ::write(descriptor_, buffer_.data() + done, used_ - done);
    if (count < 0 && errno != EINTR) fail("cannot write the temporary file");
    if (count > 0) done += static_cast<std::size_t>(count);
  }
  written_ += used_;
  used_ = 0;
}

void spool_file::read(std::uint64_t offset, std::uint8_t* destination, std::size_t count) const {
  for (std::size_t done = 0; done < count;) {
    const ssize_t got = ::pread(descriptor_, destination + done, count - done, static_cast<off_t>(offset + done));
    if (got == 0) errno = ENODATA;
    if (got == 0 || (got < 0 && errno != EINTR)) fail("cannot read the temporary file");
    if (got > 0) done += static_cast<std::size_t>(got);
  }
}

void spool_file::fail(const char* what) const {
  throw spool_error(fmt::format("{} in {}: {}; TMPDIR names the folder to use", what, folder_.string(), std::strerror(errno)));
}

}  // namespace tc::trace
