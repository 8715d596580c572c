// SPDX-License-Identifier: Apache-2.0
#include "support.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

#include <systemc>

#include <fmt/format.h>

/// SystemC's library asks for one; libFuzzer has main().
int sc_main(int, char**) { return EXIT_FAILURE; }

namespace tcsim::fuzz {
namespace {

[[noreturn]] void violated(const std::string& what) {
  std::fputs(fmt::format("violated: {}\n", what).c_str(), stderr);
  std::abort();
}

}  // namespace

void require(bool holds, std::string_view what) {
  if (!holds) violated(std::string(what));
}

void require_same(std::string_view found, std::string_view expected, std::string_view what) {
  if (found == expected) return;
  const auto both =
      std::mismatch(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(std::min(found.size(), expected.size())), expected.begin());
  const auto at = static_cast<std::size_t>(both.first - found.begin());
  constexpr std::size_t shown = 100;
  violated(fmt::format("{}: from byte {} on\n  {}\nmust be\n  {}", what, at, found.substr(at, shown), expected.substr(at, shown)));
}

void require_inside(std::string_view text, std::uint64_t line, std::uint64_t column, std::string_view message) {
  std::uint64_t lines = 1;
  while (lines < line && text.find('\n') != std::string_view::npos) {
    text.remove_prefix(text.find('\n') + 1);
    ++lines;
  }
  const std::size_t length = std::min(text.find('\n'), text.size());
  const bool is_behind = line == lines + 1 && column == 1;  // where the text ends without a line feed
  const bool is_inside = line == lines && column >= 1 && column <= length + 1;
  if (!is_inside && !is_behind) violated(fmt::format("line {} and column {} are not in the input: {}", line, column, message));
}

memory_file::memory_file(std::string_view content) : descriptor_(::memfd_create("tcsim-fuzz", MFD_CLOEXEC)) {
  require(descriptor_ >= 0, "a file in memory can be made");
  while (!content.empty()) {
    const auto written = ::write(descriptor_, content.data(), content.size());
    require(written > 0, "a file in memory can be written");
    content.remove_prefix(static_cast<std::size_t>(written));
  }
}

memory_file::~memory_file() { ::close(descriptor_); }

std::filesystem::path memory_file::path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

}  // namespace tcsim::fuzz
