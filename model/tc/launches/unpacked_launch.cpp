// SPDX-License-Identifier: Apache-2.0
#include "unpacked_launch.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include <tc/launches/tar_file.hpp>

namespace tc::launches {

namespace {

namespace fs = std::filesystem;

fs::path new_scratch_folder(const fs::path& file) {
  std::string name = (fs::temp_directory_path() / "tcsim-launch-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw study::vector_error(file.string(), fmt::format("cannot be unpacked: {}: {}", name, std::strerror(errno)));
  return name;
}

/// What is packed by hand often begins with the folder's own name.
fs::path folder_of_launch(const fs::path& root) {
  if (fs::exists(root / "launch.txt")) return root;
  for (const auto& entry : fs::directory_iterator(root))
    if (fs::exists(entry.path() / "launch.txt")) return entry.path();
  return root;
}

}  // namespace

unpacked_launch::unpacked_launch(const fs::path& file) : file_(file), scratch_(new_scratch_folder(file)) {
  try {
    unpack_tar(file, scratch_);
    folder_ = folder_of_launch(scratch_);
    if (!fs::exists(folder_ / "launch.txt")) throw study::vector_error(file.string(), "there is no launch.txt in the archive");
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(scratch_, ignored);
    throw;
  }
}

unpacked_launch::~unpacked_launch() {
  std::error_code ignored;
  fs::remove_all(scratch_, ignored);
}

std::string unpacked_launch::of_archive(std::string text) const {
  const std::string own = folder_.string();
  for (std::size_t at = text.find(own); at != std::string::npos; at = text.find(own, at + file_.string().size()))
    text.replace(at, own.size(), file_.string());
  return text;
}

std::string unpacked_launch::behind_place(const trace::trace_error& error) const {
  const std::string place = fmt::format("{}:{}:{}: ", error.file(), error.line(), error.column()), message = error.what();
  return of_archive(message.substr(std::min(place.size(), message.size())));
}

std::string unpacked_launch::file_of(const std::string& message) const { return of_archive(message.substr(0, message.find(": "))); }

std::string unpacked_launch::behind_file(const std::string& message) const {
  constexpr std::string_view colon = ": ";
  const std::size_t at = message.find(colon);
  return of_archive(at == std::string::npos ? message : message.substr(at + colon.size()));
}

}  // namespace tc::launches
