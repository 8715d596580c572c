// SPDX-License-Identifier: Apache-2.0
#include "recorded_vectors.hpp"

#include <algorithm>
#include <iostream>

#include <tc/study/compressed_file.hpp>

#include "shared_recordings.hpp"

namespace tc::study::test {

namespace fs = std::filesystem;

std::vector<fs::path> recorded_vectors() {
  const fs::path complete = tc::test::shared_recordings() / "vectors";
  const bool is_there = fs::exists(complete);
  std::cout << (is_there ? "vectors: complete set\n" : "vectors: subset that comes with the sources\n");
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(is_there ? complete : vector_subset())) {
    const fs::path kind = without_compression(entry.path()).extension();
    if (kind == ".bin" || kind == ".dot") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

fs::path vector_subset() { return fs::path(TC_SOURCE_DIR) / "tb/unit/study/data"; }

}  // namespace tc::study::test
