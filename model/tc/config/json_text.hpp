// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <boost/json.hpp>

namespace tc::config {

/// JSON text with numbers as people write them: integers as integers, 1.0 as `1.0`; a double reads back as the same double. Members keep
/// their order. Bytes that are not UTF-8, as the name of a file can have, become replacement characters (U+FFFD). Throws config_error for
/// an infinity or a NaN, which JSON does not have.

/// In one line.
std::string compact_text(const boost::json::value& value);

/// Indented by two spaces, with a newline at the end. Arrays and objects of scalars stay in one line where they fit; other arrays of
/// numbers fill lines.
std::string pretty_text(const boost::json::value& value);

}  // namespace tc::config
