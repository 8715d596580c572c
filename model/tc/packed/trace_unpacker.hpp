// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <iosfwd>

namespace tc::packed {

/// Writes the text of the packed trace `packed` as it was, for a file in the folder `target`. Only lines that name image files differ,
/// where that is another folder than the trace's. Throws trace_error if the packed trace is damaged or none.
void unpack_trace(const std::filesystem::path& packed, const std::filesystem::path& target, std::ostream& out);

}  // namespace tc::packed
