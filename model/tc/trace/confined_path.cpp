// SPDX-License-Identifier: Apache-2.0
#include "confined_path.hpp"

namespace tc::trace {

bool leaves_folder(const std::filesystem::path& named) {
  const std::filesystem::path plain = named.lexically_normal();
  return plain.is_absolute() || (!plain.empty() && *plain.begin() == "..");
}

bool is_linked_outside(const std::filesystem::path& folder, const std::filesystem::path& named) {
  const std::filesystem::path true_folder = std::filesystem::weakly_canonical(folder.empty() ? "." : folder);
  return leaves_folder(std::filesystem::weakly_canonical(folder / named).lexically_relative(true_folder));
}

}  // namespace tc::trace
