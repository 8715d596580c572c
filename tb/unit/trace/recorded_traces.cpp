#include "recorded_traces.hpp"

#include <cstdlib>
#include <iostream>
#include <string>

namespace tc::trace::test {
namespace {

namespace fs = std::filesystem;

fs::path shared_folder() {
  const char* folder = std::getenv("TCSIM_SHARED");
  return folder != nullptr ? fs::path(folder) : fs::path(TC_SOURCE_DIR) / ".." / "shared";
}

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
  add_traces(shared_folder() / "traces", paths);
  add_traces(shared_folder() / "timing", paths);
  std::cout << paths.size() << " traces, "
            << (fs::is_directory(shared_folder()) ? "the shared recordings among them" : "those of the project only") << '\n';
  return paths;
}

}  // namespace tc::trace::test
