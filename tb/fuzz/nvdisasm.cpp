// SPDX-License-Identifier: Apache-2.0
// Listings of nvdisasm, and the execution of their kernels by a few warps. What is imported without a gap must be a trace.
#include <sstream>

#include <fmt/format.h>

#include <tc/execution/kernel_fault.hpp>
#include <tc/importers/nvdisasm_import.hpp>
#include <tc/trace/header_text.hpp>
#include <tc/trace/trace.hpp>
#include <tc/trace/trace_error.hpp>

#include "support.hpp"

namespace tcsim::fuzz {
namespace {

/// Two CTAs of two warps, the second with half its lanes; arguments for every architecture.
tc::importers::kernel_launch launch_of(const tc::listings::sass_kernel& kernel) {
  tc::importers::kernel_launch launch;
  std::string header =
      fmt::format("tcsim-trace 1\narch {}\nkernel {}\ngrid 2 1 1\nblock 48 1 1\nshared 4096\n", tc::isa::name(kernel.arch), kernel.name);
  if (kernel.registers) header += fmt::format("registers {}\n", *kernel.registers);
  std::string digits;
  for (unsigned word = 0; word < 32; ++word) digits += fmt::format("{:02x}{:02x}0000", word, word / 2);
  launch.content_lines = {"constant 0 0 128 hex " + digits, "constant 0 0x160 128 hex " + digits, "constant 0 0x210 128 hex " + digits};
  for (const std::string& line : launch.content_lines) header += line + '\n';
  launch.header = tc::trace::parse_header(header, "launch", "/nonexistent", {});
  launch.max_instructions = 1000;
  return launch;
}

void import(const std::filesystem::path& listing) {
  const auto kernel = tc::listings::read_sass(listing);
  std::stringstream imported;
  const auto report = tc::importers::import_nvdisasm(kernel, launch_of(kernel), imported);
  if (report.gaps().empty()) tc::trace::trace::read(imported, "imported").verify();
}

}  // namespace
}  // namespace tcsim::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tcsim::fuzz;
  const std::string_view text = text_of(data, size);
  const memory_file file(text);
  try {
    import(file.path());
  } catch (const tc::execution::kernel_fault&) {
    return 0;  // what the kernel does wrong
  } catch (const tc::trace::trace_error& error) {
    require(error.file() != "imported", error.what());
    const bool is_plain = text.empty() || (text[0] != '\xfd' && text[0] != '\x1f');
    if (is_plain && error.file() == file.path()) require_inside(text, error.line(), error.column(), error.what());
  }
  return 0;
}
