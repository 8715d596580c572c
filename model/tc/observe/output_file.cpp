#include "output_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace tc::observe {

namespace fs = std::filesystem;

namespace {

std::string why_not(const std::string& path, const char* reason) { return fmt::format("{}: cannot write this file: {}", path, reason); }

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

/// The permissions of any other new file, where mkstemp lets the owner alone read.
int show(int descriptor) {
  const mode_t hidden = umask(0);
  umask(hidden);
  return fchmod(descriptor, 0666 & ~hidden);
}

}  // namespace

output_file::output_file(const fs::path& path) : path_(followed(path).string()), buffer_(new char[capacity]) {
  if (is_special(path)) {
    descriptor_ = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    temporary_ = path_ + ".XXXXXX";
    descriptor_ = mkstemp(temporary_.data());
  }
  if (descriptor_ < 0) throw std::runtime_error(why_not(path.string(), std::strerror(errno)));
}

output_file::~output_file() { discard(); }

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
  while (!text.empty() && descriptor_ >= 0) {
    const auto written = ::write(descriptor_, text.data(), text.size());
    if (written >= 0)
      text.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EINTR)
      fail();
  }
}

bool output_file::close() {
  flush();
  if (descriptor_ >= 0 && !temporary_.empty() && show(descriptor_) != 0) fail();
  if (descriptor_ >= 0) {
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0)
      fail();
    else
      take_name();
  }
  return !failed();
}

void output_file::take_name() {
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0)
    fail();
  else
    temporary_.clear();
}

void output_file::fail() {
  if (error_.empty()) error_ = why_not(path_, std::strerror(errno));
  discard();
}

void output_file::discard() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  if (!temporary_.empty()) unlink(temporary_.c_str());
  temporary_.clear();
}

}  // namespace tc::observe
