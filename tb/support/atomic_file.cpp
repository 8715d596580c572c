#include "atomic_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "exit_status.hpp"

namespace tcsim {

namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& why) {
  throw usage_error(fmt::format("{}: cannot write this file: {}", path.string(), why));
}

/// A file beside another one, that goes away unless it takes the other's name.
class temporary_file {
 public:
  explicit temporary_file(const std::filesystem::path& target) : target_(target), name_(target.string() + ".XXXXXX") {
    descriptor_ = mkstemp(name_.data());
    if (descriptor_ < 0) fail(target, std::strerror(errno));
  }
  ~temporary_file() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!name_.empty()) unlink(name_.c_str());
  }
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;

  void write(std::string_view content) {
    while (!content.empty()) {
      const auto written = ::write(descriptor_, content.data(), content.size());
      if (written < 0 && errno != EINTR) fail(target_, std::strerror(errno));
      if (written > 0) content.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void write(const std::function<void(std::ostream&)>& write) {
    std::ofstream stream(name_, std::ios::binary);
    if (stream) write(stream);
    stream.close();
    if (!stream) fail(target_, std::strerror(errno));
  }

  const std::string& name() const { return name_; }

  void take_name() {
    finish();
    if (std::rename(name_.c_str(), target_.c_str()) != 0) fail(target_, std::strerror(errno));
    name_.clear();
  }

  /// The same, unless there is a file of that name.
  void take_new_name() {
    finish();
    if (link(name_.c_str(), target_.c_str()) != 0) fail(target_, std::strerror(errno));
  }

 private:
  void finish() {
    const mode_t hidden = umask(0);  // mkstemp lets the owner alone read; a result is as any other file
    umask(hidden);
    if (fchmod(descriptor_, 0666 & ~hidden) != 0) fail(target_, std::strerror(errno));
    const int closed = close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) fail(target_, std::strerror(errno));
  }

  std::filesystem::path target_;
  std::string name_;
  int descriptor_ = -1;
};

}  // namespace

void check_writable(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path)) fail(path, "it is a folder");
  const temporary_file probe(path);
}

void write_atomically(const std::filesystem::path& path, std::string_view content) {
  temporary_file file(path);
  file.write(content);
  file.take_name();
}

void write_atomically(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write) {
  temporary_file file(path);
  file.write(write);
  file.take_name();
}

void make_atomically(const std::filesystem::path& path, const std::function<void(const std::filesystem::path&)>& make) {
  temporary_file file(path);
  make(file.name());
  file.take_name();
}

void make_new_atomically(const std::filesystem::path& path, const std::function<void(const std::filesystem::path&)>& make) {
  temporary_file file(path);
  make(file.name());
  file.take_new_name();
}

}  // namespace tcsim
