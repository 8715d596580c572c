// SPDX-License-Identifier: Apache-2.0
#include "recorded_traces.hpp"

#include <iostream>
#include <string>

#include "shared_recordings.hpp"

namespace tc::trace::test {
namespace {

namespace fs = std::filesystem;

void add_traces(const fs::path& folder, std::vector<fs::path>& found) {
  if (!fs::is_directory(folder)) return;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_regular_file() && (entry.path().extension() == ".trace" || name.find(".trace.xz") != std::string::npos))
      found.push_back(entry.path());
  }
}

}  // namespace

std::vector<fs::path> recorded_traces() {
  std::vector<fs::path> paths;
  add_traces(fs::path(TC_SOURCE_DIR) / "traces", paths);
  add_traces(tc::test::shared_recordings() / "traces", paths);
  add_traces(tc::test::shared_recordings() / "timing", paths);
  std::cout << paths.size() << " traces, "
            << (fs::is_directory(tc::test::shared_recordings()) ? "the shared recordings among them" : "those of the project only") << '\n';
  return paths;
}

}  // namespace tc::trace::test
