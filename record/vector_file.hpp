// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "variant.hpp"

namespace tc::record {

/// Writes a file under another name and gives it its own when complete, so that nobody finds half a file. Throws std::runtime_error if the
/// file cannot be written.
void write_file(const std::filesystem::path& file, const std::string& content);

/// `<folder>/<name of the variant>.bin`: a line `name a_words b_words c_words d_words cases device`, then the words of the cases, low byte
/// first.
void write_vectors(const std::filesystem::path& folder, const variant& v, const std::string& device,
                   const std::vector<std::uint32_t>& words);

}  // namespace tc::record
