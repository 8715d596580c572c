// SPDX-License-Identifier: Apache-2.0
#include "unit_makers.hpp"

#include <tc/fabric/reports.hpp>

namespace tc::links {

void report_maker(const std::string& path, const std::string& problem) {
  fabric::error(fabric::report::unit_maker, path, "its maker failed: " + problem);
}

std::string too_few_sockets(std::size_t given, unsigned needed, const char* links) {
  return "it gave sockets for " + std::to_string(given) + " of " + std::to_string(needed) + " links: " + links;
}

}  // namespace tc::links
