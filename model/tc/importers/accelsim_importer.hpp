// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>

#include <tc/importers/import_report.hpp>
#include <tc/isa/architecture.hpp>
#include <tc/trace/line_reader.hpp>

namespace tc::importers {

/// How an Accel-Sim trace is imported.
struct accelsim_options {
  std::optional<isa::architecture> arch;                                  ///< in place of the one that the trace names
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;  ///< told after each thread block, in thread blocks of the grid
};

/// Reads a kernel's trace of the Accel-Sim framework (.traceg, versions 3 to 5 of its tracer) and writes it as a trace without data: one
/// line for each line, so that the length of neither takes memory. What cannot be taken over is in the report. Throws trace_error for a
/// malformed line; what has been written by then is of no use.
import_report import_accelsim(trace::line_reader& source, std::ostream& trace, const accelsim_options& options = {});

}  // namespace tc::importers
