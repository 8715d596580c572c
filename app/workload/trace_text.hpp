// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>

#include <tc/trace/progress.hpp>

namespace tcsim {

/// Writes the text of a trace that is made as it is read. `progress` is told of its CTAs, of those of the grid, and may be empty.
void write_trace_text(std::streambuf& text, std::ostream& out, const tc::trace::progress_listener& progress);

}  // namespace tcsim
