// SPDX-License-Identifier: Apache-2.0
#include "trace_text.hpp"

#include <cstdint>
#include <istream>
#include <ostream>
#include <sstream>
#include <string>

namespace tcsim {

namespace {

/// Of a line "grid X Y Z".
std::uint64_t ctas_of_grid(const std::string& line) {
  std::istringstream words(line);
  std::string keyword;
  std::uint64_t ctas = 1, extent = 0;
  words >> keyword;
  while (words >> extent) ctas *= extent;
  return ctas;
}

}  // namespace

void write_trace_text(std::streambuf& text, std::ostream& out, const tc::trace::progress_listener& progress) {
  std::istream lines(&text);
  std::uint64_t ctas = 0, total = 1;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("grid ", 0) == 0) total = ctas_of_grid(line);
    if (line.rfind("cta ", 0) == 0 && progress) progress(ctas++, total);
    out << line << '\n';
  }
}

}  // namespace tcsim
