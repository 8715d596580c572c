// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include <tc/trace/instruction_expander.hpp>
#include <tc/trace/limits.hpp>

namespace tc::trace {

/// Where a trace keeps what does not stay in memory, finds what it refers to, who translates its PTX, and how large it may be.
struct open_options {
  std::filesystem::path spool_folder;              ///< for the temporary file; empty: $TMPDIR, or else /tmp
  std::filesystem::path image_folder;              ///< of the image files of a trace that is read from a stream
  const instruction_expander* expander = nullptr;  ///< for instructions of PTX; null: machine instructions only
  size_limits limits;
};

}  // namespace tc::trace
