// SPDX-License-Identifier: Apache-2.0
#include "output_file.hpp"

#include <cerrno>
#include <stdexcept>

#include <fmt/format.h>

namespace tc::observe {

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
