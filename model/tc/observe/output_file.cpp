// SPDX-License-Identifier: Apache-2.0
#include "output_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <stdexcept>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

namespace tc::observe {

namespace fs = std::filesystem;

namespace {

/// Where a link leads, as a new file would take the place of the link itself.
fs::path followed(const fs::path& path) {
  std::error_code missing;
  const fs::path target = fs::canonical(path, missing);
  return missing ? path : target;
}

bool is_special(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status);
}

/// What a file without a name is linked to one by (open(2)).
std::string link_of(int descriptor) { return fmt::format("/proc/self/fd/{}", descriptor); }

/// The permissions of any other new file, where that without a name and mkstemp's let the owner alone read.
bool allow_as_usual(int descriptor) {
  const mode_t hidden = umask(0);
  umask(hidden);
  return fchmod(descriptor, 0666 & ~hidden) == 0;
}

}  // namespace

pending_file::pending_file(const fs::path& path) : path_(followed(path).string()), is_special_(path == "-" || is_special(path)) {
  if (path == "-")
    descriptor_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  else if (is_special_)
    descriptor_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  else
    make();
}

void pending_file::make() {
#ifdef O_TMPFILE
  const fs::path folder = fs::path(path_).parent_path();
  descriptor_ = open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (is_open() && access(link_of(descriptor_).c_str(), F_OK) == 0) return;
  close();
#endif
  name_ = path_ + ".XXXXXX";
  descriptor_ = mkostemp(name_.data(), O_CLOEXEC);
  if (!is_open()) name_.clear();
}

pending_file::~pending_file() { discard(); }

bool pending_file::write(std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(descriptor_, text.data(), text.size());
    if (written >= 0)
      text.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EINTR)
      return false;
  }
  return true;
}

bool pending_file::take_name() {
  if (is_special_) return close();
  if (!allow_as_usual(descriptor_)) return false;
  if (!has_a_name() && link_to(path_)) {
    if (close()) return true;
    name_ = path_;
    return false;
  }
  if (!take_temporary_name() || !close() || std::rename(name_.c_str(), path_.c_str()) != 0) return false;
  name_.clear();
  return true;
}

/// False if a file has this name already, or if it cannot have it.
bool pending_file::link_to(const std::string& name) const {
  return linkat(AT_FDCWD, link_of(descriptor_).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

/// A link replaces no file, but a file with a name does.
bool pending_file::take_temporary_name() {
  for (unsigned attempt = 0; !has_a_name(); ++attempt) {
    const std::string name = fmt::format("{}.{}_{}", path_, getpid(), attempt);
    if (link_to(name))
      name_ = name;
    else if (errno != EEXIST)
      return false;
  }
  return true;
}

void pending_file::discard() {
  const int reason = errno;
  close();
  if (has_a_name()) unlink(name_.c_str());
  name_.clear();
  errno = reason;
}

bool pending_file::close() {
  const int closing = descriptor_;
  descriptor_ = -1;
  return closing < 0 || ::close(closing) == 0;
}

output_file::output_file(const std::filesystem::path& path) : path_(path.string()), file_(path), buffer_(new char[capacity]) {
  if (file_.is_open()) return;
  fail();
  throw std::runtime_error(error_);
}

void output_file::write_through(std::string_view text) {
  flush();
  if (text.size() > capacity) {
    store(text);
  } else {
    std::memcpy(buffer_.get(), text.data(), text.size());
    used_ = text.size();
  }
}

void output_file::flush() {
  store({buffer_.get(), used_});
  used_ = 0;
}

void output_file::store(std::string_view text) {
  if (file_.is_open() && !file_.write(text)) fail();
}

bool output_file::close() {
  flush();
  if (file_.is_open() && !file_.take_name()) fail();
  return !failed();
}

void output_file::fail() {
  if (error_.empty()) error_ = fmt::format("{}: cannot write this file: {}", path_, std::strerror(errno));
  file_.discard();
}

}  // namespace tc::observe
