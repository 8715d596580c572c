// SPDX-License-Identifier: Apache-2.0
#include "launch_code.hpp"

#include <string_view>
#include <utility>

#include <tc/launches/cubin_kernel.hpp>
#include <tc/machine_code/cubin.hpp>
#include <tc/study/compressed_file.hpp>

namespace tc::launches {

namespace {

/// The bytes of a file, unpacked.
std::string content_of(const std::filesystem::path& file) {
  constexpr std::size_t piece = 1 << 16;
  study::compressed_input in(file);
  std::string content;
  for (std::size_t read = piece; read == piece;) {
    const std::size_t end = content.size();
    content.resize(end + piece);
    read = in.read(&content[end], piece);
    content.resize(end + read);
  }
  return content;
}

}  // namespace

bool is_cubin(const std::filesystem::path& file) {
  constexpr std::string_view elf =
      "\x7f"
      "ELF";
  std::string begin(elf.size(), '\0');
  return study::compressed_input(file).read(begin.data(), begin.size()) == elf.size() && begin == elf;
}

std::vector<std::string> kernels_of_cubin(const std::filesystem::path& file) {
  const machine_code::cubin cubin(file.string(), content_of(file));
  std::vector<std::string> names;
  for (const machine_code::code_function& each : cubin.functions())
    if (each.is_entry) names.push_back(each.name);
  return names;
}

launch_code read_launch_code(const std::filesystem::path& file, const std::string& kernel) {
  if (is_cubin(file)) return kernel_of_cubin(machine_code::cubin(file.string(), content_of(file)), kernel);
  launch_code code{listings::read_sass(file, kernel), {}};
  code.records = read_code_records(file, code.kernel.name);
  return code;
}

launch_code read_launch_code(const launch& launch) {
  if (launch.unpacked == nullptr) return read_launch_code(launch.code, launch.kernel);
  launch_code code = launch.unpacked->reading([&launch] { return read_launch_code(launch.code, launch.kernel); });
  code.kernel.file = launch.unpacked->of_archive(code.kernel.file);
  return code;
}

}  // namespace tc::launches
