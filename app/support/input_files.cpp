// SPDX-License-Identifier: Apache-2.0
#include "input_files.hpp"

#include <algorithm>
#include <system_error>
#include <vector>

namespace tcsim {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path>& inputs() {
  static std::vector<fs::path> files;
  return files;
}

}  // namespace

void note_input(const fs::path& file) {
  std::error_code missing;
  if (!fs::is_regular_file(file, missing)) return;
  fs::path place = fs::canonical(file, missing);
  if (!missing && std::find(inputs().begin(), inputs().end(), place) == inputs().end()) inputs().push_back(std::move(place));
}

void note_images(const tc::trace::kernel_header& header) {
  const auto note = [](const auto& images) {
    for (const auto& image : images)
      if (const fs::path* const file = image.content.file_path()) note_input(*file);
  };
  note(header.constants);
  note(header.memory);
  note(header.shared_memory);
  note(header.expectations);
}

bool replaces_input(const fs::path& file) {
  std::error_code missing;
  return std::any_of(inputs().begin(), inputs().end(), [&](const fs::path& input) { return fs::equivalent(file, input, missing); });
}

}  // namespace tcsim
