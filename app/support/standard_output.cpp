// SPDX-License-Identifier: Apache-2.0
#include "standard_output.hpp"

#include <iostream>

namespace tcsim {

bool is_standard_output(const std::filesystem::path& file) { return file == "-"; }

void reserve_standard_output() {
  std::cout.flush();
  std::cout.rdbuf(std::cerr.rdbuf());
}

}  // namespace tcsim
