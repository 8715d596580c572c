// SPDX-License-Identifier: Apache-2.0
#include "new_launch.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <tc/isa/architecture.hpp>
#include <tc/launches/code_records.hpp>
#include <tc/launches/launch_check.hpp>
#include <tc/launches/launch_code.hpp>
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

/// What the command line says, or else the code, or else one.
std::string chosen_extents(const std::string& given, const std::optional<tc::trace::dim3>& own) {
  if (!given.empty() || !own) return extents_text(given.empty() ? "1" : given);
  return fmt::format("{} {} {}", own->x, own->y, own->z);
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

void add_lines(std::vector<launch_line>& lines, const std::string& keyword, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) lines.push_back({keyword + ' ' + text, fmt::format("--{} '{}'", keyword, text)});
}

std::vector<launch_line> lines_of(const new_launch_options& options, const tc::listings::sass_kernel& kernel, const code_records& records,
                                  const std::string& code) {
  const std::uint64_t reserved = tc::isa::info(kernel.arch).reserved_shared_bytes;
  const std::uint64_t shared = kernel.shared_bytes.value_or(reserved);
  std::vector<launch_line> lines{{"launch 2", ""}, {"kernel " + kernel.name, "--kernel"}};
  lines.push_back({"code " + code, ""});
  lines.push_back({"grid " + extents_text(options.grid), "--grid"});
  lines.push_back({"block " + chosen_extents(options.block, records.block), "--block"});
  lines.push_back({"cluster " + chosen_extents(options.cluster, records.cluster), "--cluster"});
  lines.push_back(
      {fmt::format("shared dynamic {} static {}", options.dynamic_shared_bytes, shared - std::min(shared, reserved)), "--shared"});
  const auto registers = kernel.registers_with_functions();
  if (registers || records.registers)
    lines.push_back({fmt::format("registers {}", std::max(registers.value_or(0), records.registers.value_or(0))), ""});
  for (launch_line& line : parameter_lines(options, records)) lines.push_back(std::move(line));
  add_lines(lines, "memory", options.memory);
  add_lines(lines, "global", options.globals);
  add_lines(lines, "constant", options.constants);
  add_lines(lines, "tolerance", options.tolerances);
  if (!options.local_bytes.empty()) lines.push_back({"local " + options.local_bytes, "--local"});
  if (!options.carveout_percent.empty()) lines.push_back({"carveout " + options.carveout_percent, "--carveout"});
  if (options.is_cooperative) lines.push_back({"cooperative", "--cooperative"});
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

/// A name that no file of the folder has.
std::string free_name(const fs::path& folder, const fs::path& wanted) {
  fs::path name = wanted.filename();
  for (unsigned i = 2; fs::exists(folder / name) || name == "launch.txt"; ++i)
    name = fmt::format("{}.{}{}", wanted.stem().string(), i, wanted.extension().string());
  return name.string();
}

/// The files that contents name lie anywhere; in the folder they have names of their own.
void copy_files(std::vector<std::string>& texts, const char* option, const fs::path& folder) {
  constexpr std::string_view keyword = " file ";
  for (std::string& text : texts) {
    const std::size_t at = text.find(keyword);
    if (at == std::string::npos) continue;
    const fs::path source = text.substr(at + keyword.size());
    if (!fs::is_regular_file(source)) throw usage_error(fmt::format("{} '{}': {} cannot be read", option, text, source.string()));
    const std::string name = free_name(folder, source);
    fs::copy_file(source, folder / name);
    text.resize(at + keyword.size());
    text += name;
  }
}

/// Copies the code. Returns its name.
std::string copy_code(const fs::path& code, const fs::path& folder) {
  const std::string ending = tc::study::compression_of(code) == tc::study::compression::none ? "" : code.extension().string();
  std::string name = (tc::launches::is_cubin(code) ? "code.cubin" : "code.sass") + ending;
  fs::copy_file(code, folder / name);
  return name;
}

}  // namespace

void make_launch_folder(const new_launch_options& options) {
  const tc::launches::launch_code code = tc::launches::read_launch_code(options.code, options.kernel);
  if (options.block.empty() && !code.records.block) throw usage_error("--block is missing: the code does not say it");
  new_folder folder(options.output);
  const std::string code_name = copy_code(options.code, folder.path());
  new_launch_options copied = options;
  copy_files(copied.memory, "--memory", folder.path());
  copy_files(copied.globals, "--global", folder.path());
  copy_files(copied.constants, "--constant", folder.path());
  const std::vector<launch_line> lines = lines_of(copied, code.kernel, code.records, code_name);
  {
    std::ofstream file(folder.path() / "launch.txt");
    for (const launch_line& line : lines) file << line.text << '\n';
    if (!file.flush()) throw usage_error(fmt::format("{}: cannot be written", options.output));
  }
  check_written(folder.path(), lines, code.kernel, code.records);
  folder.take_name();
}

}  // namespace tcsim
