// SPDX-License-Identifier: Apache-2.0
#include "sweep_remarks.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sweep_notes.hpp"
#include "wording.hpp"

namespace tcsim {

std::string remarks_text(const result_store& store, std::size_t most_warnings) {
  const auto warnings = warnings_in(store);
  const std::size_t shown = std::min(most_warnings, warnings.size());
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) text += fmt::format("warning: {}\n", text_of(warnings[i]));
  if (shown < warnings.size())
    text += fmt::format("warning: and {}: see tcsim results --warnings\n", counted(warnings.size() - shown, "other warning"));
  for (const std::string& note : notes_on(store)) text += "note: " + note + '\n';
  return text;
}

}  // namespace tcsim
