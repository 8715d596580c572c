// SPDX-License-Identifier: Apache-2.0
#include "new_launch.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <tc/isa/architecture.hpp>
#include <tc/launches/code_records.hpp>
#include <tc/launches/launch_check.hpp>
#include <tc/launches/launch_reader.hpp>
#include <tc/launches/parameter_value.hpp>
#include <tc/listings/sass_listing.hpp>
#include <tc/study/compressed_file.hpp>
#include <tc/trace/trace_error.hpp>

#include "exit_status.hpp"
#include "new_folder.hpp"
#include "wording.hpp"

namespace tcsim {

namespace {

namespace fs = std::filesystem;
using tc::launches::code_records;

/// A line of launch.txt, and what of the command line it comes from.
struct launch_line {
  std::string text, origin;
};

/// "4 2 1" of "4,2".
std::string extents_text(std::string extents) {
  while (std::count(extents.begin(), extents.end(), ',') < 2) extents += ",1";
  std::replace(extents.begin(), extents.end(), ',', ' ');
  return extents;
}

std::string digits_of(const std::vector<std::uint8_t>& bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

std::vector<std::uint8_t> value_of(const std::string& text) {
  try {
    return tc::launches::parameter_bytes(text);
  } catch (const std::invalid_argument& error) {
    throw usage_error(fmt::format("--parameter '{}': {}", text, error.what()));
  }
}

/// Parameters without records lie behind each other, each at a multiple of its size.
std::uint64_t next_offset(std::uint64_t end, std::size_t bytes) {
  std::uint64_t alignment = 1;
  while (alignment < 16 && bytes % (2 * alignment) == 0) alignment *= 2;
  return (end + alignment - 1) / alignment * alignment;
}

std::vector<launch_line> parameter_lines(const new_launch_options& options, const code_records& records) {
  const bool is_recorded = !records.parameters.empty();
  if (is_recorded && options.parameters.size() != records.parameters.size()) {
    std::string sizes;
    for (const auto& each : records.parameters) sizes += fmt::format("{}{}", sizes.empty() ? "" : ", ", each.bytes);
    throw usage_error(fmt::format("--parameter: {} given; the kernel takes {}, of these bytes: {}",
                                  counted(options.parameters.size(), "parameter"), records.parameters.size(), sizes));
  }
  std::vector<launch_line> lines;
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < options.parameters.size(); ++i) {
    const std::vector<std::uint8_t> bytes = value_of(options.parameters[i]);
    std::uint64_t offset = next_offset(end, bytes.size());
    if (is_recorded) {
      const code_records::parameter& own = records.parameters[i];
      if (own.bytes != bytes.size())
        throw usage_error(fmt::format("--parameter '{}': it has {}; parameter {} of the kernel has {}", options.parameters[i],
                                      counted(bytes.size(), "byte"), i, own.bytes));
      offset = own.offset;
    }
    end = offset + bytes.size();
    lines.push_back(
        {fmt::format("param {} {} {}", offset, bytes.size(), digits_of(bytes)), fmt::format("--parameter '{}'", options.parameters[i])});
  }
  return lines;
}

std::vector<launch_line> lines_of(const new_launch_options& options, const tc::listings::sass_kernel& kernel, const code_records& records,
                                  const std::string& code) {
  const std::uint64_t reserved = tc::isa::info(kernel.arch).reserved_shared_bytes;
  const std::uint64_t shared = kernel.shared_bytes.value_or(reserved);
  std::vector<launch_line> lines{{"launch 2", ""}, {"kernel " + kernel.name, "--kernel"}};
  lines.push_back({"code " + code, ""});
  lines.push_back({"grid " + extents_text(options.grid), "--grid"});
  lines.push_back({"block " + extents_text(options.block), "--block"});
  lines.push_back({"cluster " + extents_text(options.cluster), "--cluster"});
  lines.push_back(
      {fmt::format("shared dynamic {} static {}", options.dynamic_shared_bytes, shared - std::min(shared, reserved)), "--shared"});
  if (const auto registers = records.registers ? records.registers : kernel.registers)
    lines.push_back({fmt::format("registers {}", *registers), ""});
  for (launch_line& line : parameter_lines(options, records)) lines.push_back(std::move(line));
  for (const std::string& memory : options.memory) lines.push_back({"memory " + memory, fmt::format("--memory '{}'", memory)});
  return lines;
}

/// Reads what was written, so that a mistake is told by the option that it is in.
void check_written(const fs::path& folder, const std::vector<launch_line>& lines, const tc::listings::sass_kernel& kernel,
                   const code_records& records) {
  try {
    const auto messages = tc::launches::differences(tc::launches::read_launch(folder), kernel, records);
    if (!messages.empty()) throw usage_error(messages.front());
  } catch (const tc::trace::trace_error& error) {
    const bool has_origin = error.line() > 0 && error.line() <= lines.size() && !lines[error.line() - 1].origin.empty();
    const std::string message = error.what();
    const std::string place = fmt::format("{}:{}:{}: ", error.file(), error.line(), error.column());
    if (!has_origin || message.rfind(place, 0) != 0) throw;
    throw usage_error(lines[error.line() - 1].origin + ": " + message.substr(place.size()));
  }
}

/// The file that an image names lies anywhere; in the folder it has a name of its own.
std::string with_copied_file(const std::string& memory, const fs::path& folder) {
  constexpr std::string_view keyword = " file ";
  const std::size_t at = memory.find(keyword);
  if (at == std::string::npos) return memory;
  const fs::path source = memory.substr(at + keyword.size());
  if (!fs::is_regular_file(source)) throw usage_error(fmt::format("--memory '{}': {} cannot be read", memory, source.string()));
  fs::copy_file(source, folder / source.filename(), fs::copy_options::overwrite_existing);
  return memory.substr(0, at + keyword.size()) + source.filename().string();
}

}  // namespace

void make_launch_folder(const new_launch_options& options) {
  const tc::listings::sass_kernel kernel = tc::listings::read_sass(options.listing, options.kernel);
  const code_records records = tc::launches::read_code_records(options.listing, kernel.name);
  new_folder folder(options.output);
  const std::string ending =
      tc::study::compression_of(options.listing) == tc::study::compression::none ? "" : fs::path(options.listing).extension();
  const std::string code = "code.sass" + ending;
  fs::copy_file(options.listing, folder.path() / code);
  new_launch_options copied = options;
  for (std::string& memory : copied.memory) memory = with_copied_file(memory, folder.path());
  const std::vector<launch_line> lines = lines_of(copied, kernel, records, code);
  {
    std::ofstream file(folder.path() / "launch.txt");
    for (const launch_line& line : lines) file << line.text << '\n';
    if (!file.flush()) throw usage_error(fmt::format("{}: cannot be written", options.output));
  }
  check_written(folder.path(), lines, kernel, records);
  folder.take_name();
}

}  // namespace tcsim
