// SPDX-License-Identifier: Apache-2.0
#include "tar_file.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <numeric>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <tc/study/compressed_file.hpp>
#include <tc/trace/confined_path.hpp>

namespace tc::launches {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t block_bytes = 512;
using tar_block = std::array<char, block_bytes>;

struct tar_field {
  std::size_t offset, bytes;
};

constexpr tar_field name_field{0, 100}, mode_field{100, 8}, user_field{108, 8}, group_field{116, 8}, size_field{124, 12},
    time_field{136, 12}, sum_field{148, 8}, kind_field{156, 1}, magic_field{257, 8}, prefix_field{345, 155};
constexpr std::string_view ustar = "ustar";

std::string_view text_of(const tar_block& block, const tar_field& field) {
  const std::string_view text(&block[field.offset], field.bytes);
  return text.substr(0, text.find('\0'));
}

void set(tar_block& block, const tar_field& field, std::string_view text) { std::copy(text.begin(), text.end(), &block[field.offset]); }

/// Octal digits and a zero.
void set_number(tar_block& block, const tar_field& field, std::uint64_t value) {
  set(block, field, fmt::format("{:0{}o}", value, field.bytes - 1));
}

/// The sum of the bytes of a header, of those of the sum itself as if they were blanks.
std::uint64_t sum_of(const tar_block& block) {
  const auto add = [](std::uint64_t sum, char byte) { return sum + static_cast<unsigned char>(byte); };
  const auto* const begin = block.data() + sum_field.offset;
  const std::uint64_t whole = std::accumulate(block.begin(), block.end(), std::uint64_t{0}, add);
  return whole - std::accumulate(begin, begin + sum_field.bytes, std::uint64_t{0}, add) + sum_field.bytes * std::uint64_t{' '};
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path().lexically_relative(folder));
  std::sort(files.begin(), files.end());
  return files;
}

tar_block header_of(const fs::path& folder, const fs::path& name, std::uint64_t bytes) {
  const std::string text = name.generic_string();
  if (text.size() > name_field.bytes)
    throw study::vector_error((folder / name).string(), fmt::format("its name has more than {} characters", name_field.bytes));
  constexpr std::uint64_t mode = 0644, most = std::uint64_t{1} << 33U;
  if (bytes >= most) throw study::vector_error((folder / name).string(), "it has 8 GiB or more, which do not fit the archive");
  tar_block block{};
  set(block, name_field, text);
  set_number(block, mode_field, mode);
  set_number(block, user_field, 0);
  set_number(block, group_field, 0);
  set_number(block, size_field, bytes);
  set_number(block, time_field, 0);
  set(block, kind_field, "0");
  set(block, magic_field, std::string_view("ustar\00000", magic_field.bytes));
  set_number(block, sum_field, sum_of(block));
  return block;
}

void pad(std::ostream& to, std::uint64_t written) {
  const std::string zeros((block_bytes - written % block_bytes) % block_bytes, '\0');
  to.write(zeros.data(), static_cast<std::streamsize>(zeros.size()));
}

/// Reads the entries of an archive one after the other.
class tar_reader {
 public:
  tar_reader(const fs::path& file, const fs::path& folder) : in_(file), folder_(folder) {}

  void unpack() {
    tar_block block{};
    for (bool is_first = true; read_block(block, is_first); is_first = false) {
      if (std::all_of(block.begin(), block.end(), [](char byte) { return byte == 0; })) return;  // the end is two such blocks
      check_header(block, is_first);
      unpack_entry(block);
    }
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw study::vector_error(in_.name(), message); }

  bool read_block(tar_block& block, bool is_first) {
    const std::size_t read = in_.read(block.data(), block.size());
    if (read == block.size()) return true;
    if (is_first) fail_as_none();
    if (read != 0) fail("the archive is cut off");
    return false;
  }

  [[noreturn]] void fail_as_none() const { fail("not a launch: that is a folder with a file launch.txt in it, or a tape archive of one"); }

  void check_header(const tar_block& block, bool is_first) const {
    if (text_of(block, magic_field).substr(0, ustar.size()) != ustar) is_first ? fail_as_none() : fail("the archive is damaged");
    if (number_of(block, sum_field) != sum_of(block)) fail("the archive is damaged: the check sum of a header is wrong");
  }

  std::uint64_t number_of(const tar_block& block, const tar_field& field) const {
    std::uint64_t value = 0;
    for (const char digit : text_of(block, field)) {
      if (digit == ' ') continue;
      if (digit < '0' || digit > '7') fail("the archive is damaged: a header has a number that is not octal");
      value = value * 8 + static_cast<std::uint64_t>(digit - '0');
    }
    return value;
  }

  void unpack_entry(const tar_block& block) {
    std::string name(text_of(block, name_field));
    if (const std::string_view prefix = text_of(block, prefix_field); !prefix.empty()) name = fmt::format("{}/{}", prefix, name);
    const std::uint64_t bytes = number_of(block, size_field);
    switch (block[kind_field.offset]) {
      case '\0':
      case '0':
        return unpack_file(name, bytes);
      case '5':  // a folder
      case 'x':  // attributes of the next entry
      case 'g':  // and of all
        return skip(bytes);
      default:
        fail(fmt::format("'{}' in the archive is no file", name));
    }
  }

  void unpack_file(const std::string& name, std::uint64_t bytes) {
    if (name.empty() || trace::leaves_folder(name)) fail(fmt::format("'{}' in the archive lies outside of it", name));
    const fs::path target = folder_ / name;
    std::error_code ignored;
    fs::create_directories(target.parent_path(), ignored);
    std::ofstream out(target, std::ios::binary);
    copy(bytes, [&out](const char* from, std::size_t count) { out.write(from, static_cast<std::streamsize>(count)); });
    if (!out.flush()) throw study::vector_error(target.string(), "cannot be written");
  }

  void skip(std::uint64_t bytes) {
    copy(bytes, [](const char*, std::size_t) {});
  }

  /// Contents fill whole blocks.
  template <class Take>
  void copy(std::uint64_t bytes, const Take& take) {
    std::vector<char> piece(std::size_t{1} << 16U);
    const std::uint64_t padded = (bytes + block_bytes - 1) / block_bytes * block_bytes;
    for (std::uint64_t done = 0; done < padded;) {
      const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), padded - done));
      if (in_.read(piece.data(), wanted) != wanted) fail("the archive is cut off");
      if (done < bytes) take(piece.data(), static_cast<std::size_t>(std::min<std::uint64_t>(wanted, bytes - done)));
      done += wanted;
    }
  }

  study::compressed_input in_;
  fs::path folder_;
};

}  // namespace

void write_tar(std::ostream& to, const fs::path& folder) {
  for (const fs::path& name : files_in(folder)) {
    const std::uint64_t bytes = fs::file_size(folder / name);
    const tar_block header = header_of(folder, name, bytes);
    to.write(header.data(), header.size());
    std::ifstream file(folder / name, std::ios::binary);
    if (bytes != 0) to << file.rdbuf();
    if (!file || static_cast<std::uint64_t>(file.tellg()) != bytes) throw study::vector_error((folder / name).string(), "cannot be read");
    pad(to, bytes);
  }
  const tar_block end{};
  for (int i = 0; i < 2; ++i) to.write(end.data(), end.size());
}

void unpack_tar(const fs::path& file, const fs::path& folder) { tar_reader(file, folder).unpack(); }

}  // namespace tc::launches
