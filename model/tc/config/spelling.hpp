// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tc::config {

/// The name that was probably meant by `word`, or an empty string if none is near enough: the closest in edit distance, or else the
/// shortest one that holds the word. Upper and lower case, and what separates words of a name, make no difference.
std::string nearest_name(std::string_view word, const std::vector<std::string>& names);

/// The names, separated by commas.
std::string joined(const std::vector<std::string>& names);

/// Text for a name that does not exist: `unknown key "unit"; did you mean "units"? known keys: lanes, units`.
/// `what` is the kind of name, in the singular.
std::string unknown_name_text(std::string_view what, std::string_view word, const std::vector<std::string>& names);

}  // namespace tc::config
