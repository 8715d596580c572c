// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

#include <boost/json.hpp>

#include <tc/config/config_error.hpp>

namespace tc::config {

/// Second pass over a JSON text that the parser has accepted as `root`: finds what the parser does not tell. Returns the place of every
/// member (its key) and list element, by path, starting with `path` for the root. Replaces each double in `root` by the correctly rounded
/// one. Throws config_error for a duplicate key and for a number too large for a double.
std::map<std::string, text_position> outline_json(std::string_view text, boost::json::value& root, const std::string& source,
                                                  const std::string& path);

/// Line and column of an offset into a text.
text_position position_at(std::string_view text, std::size_t offset);

}  // namespace tc::config
