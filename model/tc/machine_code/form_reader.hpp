// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include <tc/machine_code/form.hpp>

namespace tc::machine_code {

/// Architectures whose instruction words are the same.
enum class code_family : std::uint8_t { turing, ampere, ampere_consumer, ada, hopper };
inline constexpr std::size_t family_count = 5;

/// The text of a table, and how messages name it.
struct table_text {
  std::string_view name, text;
};

/// Reads the encoding forms of tables, in their order; tables/README.md says how they are written. Throws std::invalid_argument, with the
/// place, for what cannot be read.
std::vector<form> read_forms(const std::vector<table_text>& tables);

}  // namespace tc::machine_code
