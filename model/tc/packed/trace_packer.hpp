// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <iosfwd>

#include <tc/trace/progress.hpp>
#include <tc/trace/trace.hpp>

namespace tc::packed {

/// Packs the trace file `text` (text, .xz or .gz) for a file in the folder `target`, from where image files of the header are named then.
/// Throws trace_error for anything wrong in the trace, also if it is packed already, and spool_error.
void pack_trace(const std::filesystem::path& text, const std::filesystem::path& target, std::ostream& out,
                const trace::open_options& options = {});

/// Writes the text of the packed trace `packed` as it was, for a file in the folder `target`. Only lines that name image files differ,
/// where that is another folder than the trace's. `options.progress` is told lines, of as many as there are instructions. Throws
/// trace_error if the packed trace is damaged or none.
void unpack_trace(const std::filesystem::path& packed, const std::filesystem::path& target, std::ostream& out,
                  const trace::open_options& options = {});

}  // namespace tc::packed
