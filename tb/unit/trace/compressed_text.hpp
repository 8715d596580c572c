// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tc::trace::test {

/// A text as the programs xz and gzip would compress it.
std::string xz(const std::string& text);
std::string gzip(const std::string& text);

}  // namespace tc::trace::test
