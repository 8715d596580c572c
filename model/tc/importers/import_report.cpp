// SPDX-License-Identifier: Apache-2.0
#include "import_report.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tc::importers {

void import_report::add_gap(std::string_view what, std::string_view stand_in, std::string_view file, std::uint64_t line) {
  import_gap& gap = find_or_add(what, stand_in);
  if (gap.count++ == 0) gap.example = fmt::format("{}:{}", file, line);
}

void import_report::add(const import_report& other) {
  instructions_ += other.instructions_;
  notes_.insert(notes_.end(), other.notes_.begin(), other.notes_.end());
  for (const import_gap& each : other.gaps_) {
    import_gap& gap = find_or_add(each.what, each.stand_in);
    if (gap.count == 0) gap.example = each.example;
    gap.count += each.count;
  }
}

import_gap& import_report::find_or_add(std::string_view what, std::string_view stand_in) {
  const auto found =
      std::find_if(gaps_.begin(), gaps_.end(), [&](const import_gap& gap) { return gap.what == what && gap.stand_in == stand_in; });
  if (found != gaps_.end()) return *found;
  return gaps_.emplace_back(import_gap{std::string(what), std::string(stand_in), 0, {}});
}

}  // namespace tc::importers
