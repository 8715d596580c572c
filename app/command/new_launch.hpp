// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tcsim {

/// What `tcsim launch new` is told.
struct new_launch_options {
  std::string code;  ///< a listing or a cubin
  std::string kernel, output;
  std::string grid{"1"}, block, cluster;  ///< "X[,Y[,Z]]"; the last two may be empty: as the code says
  std::uint64_t dynamic_shared_bytes = 0;
  std::vector<std::string> parameters;                              ///< "f32 1.0"
  std::vector<std::string> memory, globals, constants, tolerances;  ///< as in a launch.txt, without the keyword
  std::string local_bytes, carveout_percent;                        ///< empty: not said
  bool is_cooperative = false;
};

/// Makes the folder of a launch from a listing or a cubin: registers, static shared memory, and places and sizes of the parameters are
/// those that the code records. Throws usage_error and what tc::launches::read_launch_code() throws, and leaves no folder then.
void make_launch_folder(const new_launch_options& options);

}  // namespace tcsim
