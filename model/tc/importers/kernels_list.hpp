// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tc/importers/import_report.hpp>
#include <tc/trace/line_reader.hpp>

namespace tc::importers {

/// A kernel of an Accel-Sim kernelslist.g.
struct listed_kernel {
  std::string file;  ///< of its trace, relative to the list
  std::uint64_t line = 0;
};

/// Reads a list of kernels and of commands between them. The commands, copies of memory, are gaps of the report. Throws trace_error if a
/// line is neither or if there is no kernel.
std::vector<listed_kernel> read_kernels_list(trace::line_reader& list, import_report& report);

}  // namespace tc::importers
