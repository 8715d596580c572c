// SPDX-License-Identifier: Apache-2.0
#include "atomic_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include <tc/config/built_in_files.hpp>
#include <tc/observe/output_file.hpp>

#include "exit_status.hpp"
#include "input_files.hpp"
#include "standard_output.hpp"

namespace tcsim {

namespace {

[[noreturn]] void fail_to_write(const std::filesystem::path& path, const std::string& why) {
  throw usage_error(fmt::format("{}: cannot write this file: {}", path.string(), why));
}

void check_input(const std::filesystem::path& path) {
  if (!is_standard_output(path) && replaces_input(path))
    throw usage_error(fmt::format("{}: the command reads this file; choose another name for what it writes", path.string()));
}

/// For something that must be told a name: a file beside another one, that goes away unless it takes the other's name.
class temporary_file {
 public:
  explicit temporary_file(const std::filesystem::path& target) : target_(target), name_(target.string() + ".XXXXXX") {
    if (is_standard_output(target)) fail_to_write(target, "it cannot be stdout, as it is not written from begin to end; give it a name");
    check_input(target);
    descriptor_ = mkstemp(name_.data());
    if (descriptor_ < 0) fail_to_write(target, std::strerror(errno));
  }
  ~temporary_file() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!name_.empty()) unlink(name_.c_str());
  }
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;

  const std::string& name() const { return name_; }

  void take_name() {
    finish();
    if (std::rename(name_.c_str(), target_.c_str()) != 0) fail_to_write(target_, std::strerror(errno));
    name_.clear();
  }

  /// The same, unless there is a file of that name.
  void take_new_name() {
    finish();
    if (link(name_.c_str(), target_.c_str()) != 0) fail_to_write(target_, std::strerror(errno));
  }

 private:
  void finish() {
    const mode_t hidden = umask(0);  // mkstemp lets the owner alone read; a result is as any other file
    umask(hidden);
    if (fchmod(descriptor_, 0666 & ~hidden) != 0) fail_to_write(target_, std::strerror(errno));
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) fail_to_write(target_, std::strerror(errno));
  }

  std::filesystem::path target_;
  std::string name_;
  int descriptor_ = -1;
};

std::unique_ptr<tc::observe::output_file> make_output_file(const std::filesystem::path& path) {
  check_input(path);
  if (is_standard_output(path)) reserve_standard_output();
  try {
    return std::make_unique<tc::observe::output_file>(path);
  } catch (const std::runtime_error& error) {
    throw usage_error(error.what());
  }
}

void close(tc::observe::output_file& file) {
  if (!file.close()) throw usage_error(file.error());
}

/// Gives a file what is put into a stream; a buffer of its own it needs none.
class output_buffer final : public std::streambuf {
 public:
  explicit output_buffer(tc::observe::output_file& file) : file_(file) {}

 private:
  std::streamsize xsputn(const char* text, std::streamsize count) override {
    file_.write({text, static_cast<std::size_t>(count)});
    return file_.failed() ? 0 : count;
  }
  int_type overflow(int_type next) override {
    const char letter = traits_type::to_char_type(next);
    return xsputn(&letter, 1) == 1 ? next : traits_type::eof();
  }

  tc::observe::output_file& file_;
};

}  // namespace

void check_writable(const std::filesystem::path& path) {
  if (tc::config::is_folder(path)) fail_to_write(path, "it is a folder");
  make_output_file(path);
}

void write_atomically(const std::filesystem::path& path, std::string_view content) {
  const auto file = make_output_file(path);
  file->write(content);
  close(*file);
}

void write_atomically(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write) {
  const auto file = make_output_file(path);
  output_buffer buffer(*file);
  std::ostream stream(&buffer);
  try {
    write(stream);
  } catch (...) {
    if (!file->failed()) throw;
  }
  close(*file);
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
