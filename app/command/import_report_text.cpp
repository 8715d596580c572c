// SPDX-License-Identifier: Apache-2.0
#include "import_report_text.hpp"

#include "text_table.hpp"
#include "wording.hpp"

namespace tcsim {

std::string text_of(const tc::importers::import_report& report) {
  std::string text = counted(report.instructions(), "warp instruction") + " imported";
  if (report.gaps().empty()) return text + ", nothing left out\n";
  using align = text_table::align;
  text_table table({align::right, align::left, align::left, align::left});
  table.add({"count", "not imported", "in its place", "first at"});
  for (const auto& gap : report.gaps()) table.add({std::to_string(gap.count), gap.what, gap.stand_in, gap.example});
  return text + "; not imported:\n" + table.text(2);
}

}  // namespace tcsim
