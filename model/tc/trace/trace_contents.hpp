#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include <tc/trace/code_table.hpp>
#include <tc/trace/kernel_header.hpp>
#include <tc/trace/spool_file.hpp>

namespace tc::trace {

/// A CTA of a trace. Its warps are numbered from 0 in the order of the trace.
struct cta_entry {
  std::uint32_t x = 0, y = 0, z = 0;  ///< place in the grid
  std::uint32_t first_warp = 0;       ///< position of its first warp among all warps of the trace
  std::uint32_t warp_count = 0;       ///< warps that the trace holds, at most kernel_header::warps_per_cta()
};

/// A trace that has been read and found correct: the kernel and its distinct instructions in memory, the steps packed in a temporary file.
struct trace_contents {
  explicit trace_contents(std::filesystem::path spool_folder) : spool(std::move(spool_folder)) {}

  kernel_header header;
  code_table code;
  spool_file spool;
  std::vector<cta_entry> ctas;              ///< in linear order, x fastest
  std::vector<std::uint64_t> warp_extents;  ///< where each warp begins in the spool file, and the end of the last one
  std::uint64_t instructions = 0;           ///< steps of all warps
};

}  // namespace tc::trace
