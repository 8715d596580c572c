// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/importers/nvdisasm_import.hpp>
#include <tc/trace/trace.hpp>

#include "shared_recordings.hpp"

namespace tc::importers::nvdisasm_recordings_test {
namespace {

namespace fs = std::filesystem;

/// The listing that holds the kernel of a trace: beside it, or with others of its architecture; empty if there is none.
fs::path listing_of(const fs::path& trace, isa::architecture arch) {
  const fs::path own = trace.parent_path() / "kernel.hex.sass.xz";
  if (fs::exists(own)) return own;
  if (!fs::is_directory(tc::test::shared_recordings() / "sass")) return {};
  for (const auto& entry : fs::directory_iterator(tc::test::shared_recordings() / "sass"))
    if (entry.path().filename().string().find("." + std::string(isa::name(arch)) + ".") != std::string::npos) return entry.path();
  return {};
}

/// The lines of a trace up to the first `cta`, or from there on.
std::vector<std::string> lines_of(std::istream& trace, bool of_header) {
  std::vector<std::string> lines;
  bool in_header = true;
  for (std::string line; std::getline(trace, line);) {
    in_header = in_header && line.rfind("cta", 0) != 0;
    if (in_header == of_header) lines.push_back(line);
  }
  return lines;
}

/// What the machine code does not say is taken from the recording.
kernel_launch launch_of(const fs::path& path) {
  kernel_launch launch;
  launch.header = trace::trace::open(path).header();
  launch.max_instructions = 100'000;
  std::ifstream recorded(path);
  for (const std::string& line : lines_of(recorded, true))
    for (const char* const word : {"constant", "memory", "expect"})
      if (line.rfind(word, 0) == 0) launch.content_lines.push_back(line);
  return launch;
}

void expect_recorded_lines(const fs::path& path, const fs::path& listing, std::uint64_t& instructions) {
  const kernel_launch launch = launch_of(path);
  std::stringstream imported;
  const import_report report = import_nvdisasm(listings::read_sass(listing, launch.header.kernel), launch, imported);
  EXPECT_TRUE(report.gaps().empty()) << report.gaps().front().what;
  std::ifstream recorded(path);
  const auto expected = lines_of(recorded, false), lines = lines_of(imported, false);
  ASSERT_EQ(lines.size(), expected.size());
  for (std::size_t i = 0; i < lines.size(); ++i) ASSERT_EQ(lines[i], expected[i]) << "line " << i << " of the warps";
  instructions += report.instructions();
}

/// Masks, addresses and the way through loops of compiled kernels follow from their machine code and arguments as they were recorded.
TEST(nvdisasm_recordings, the_listings_of_compiled_kernels_give_the_recorded_lines) {
  const bool has_shared = fs::is_directory(tc::test::shared_recordings() / "traces");
  unsigned kernels = 0;
  std::uint64_t instructions = 0;
  for (const auto& entry :
       fs::recursive_directory_iterator(has_shared ? tc::test::shared_recordings() / "traces" : fs::path(TC_SOURCE_DIR) / "traces")) {
    if (entry.path().extension() != ".trace") continue;
    const fs::path listing = listing_of(entry.path(), trace::trace::open(entry.path()).header().arch);
    if (listing.empty()) continue;
    SCOPED_TRACE(entry.path().string());
    expect_recorded_lines(entry.path(), listing, instructions);
    ++kernels;
  }
  std::cout << (has_shared ? "shared recordings: " : "the project's own recordings: ") << kernels << " kernels, " << instructions
            << " instructions\n";
  EXPECT_GE(kernels, 5U);
}

}  // namespace
}  // namespace tc::importers::nvdisasm_recordings_test
