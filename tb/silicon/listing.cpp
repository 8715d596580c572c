// SPDX-License-Identifier: Apache-2.0
#include "listing.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>

#include <fmt/format.h>

#include "recorded_run.hpp"

namespace tc::silicon {

namespace fs = std::filesystem;

trace::trace kernel_of(const std::string& arch, const std::vector<listing>& ctas, unsigned warps) {
  std::ostringstream text;
  text << fmt::format("tcsim-trace 1\narch {}\nkernel listings\ngrid {} 1 1\nblock {} 1 1\nregisters 64\nshared 8192\n", arch, ctas.size(),
                      32 * warps);
  for (std::size_t cta = 0; cta < ctas.size(); ++cta) {
    text << fmt::format("cta {} 0 0\n", cta);
    for (unsigned warp = 0; warp < warps; ++warp) {
      text << fmt::format("warp {}\n", warp);
      unsigned pc = 0;
      for (const std::string& line : ctas[cta]) text << fmt::format("/*{:04x}*/ {}\n", 16 * pc++, line);
      text << fmt::format("/*{:04x}*/ EXIT\n", 16 * pc);
    }
  }
  std::istringstream stream(text.str());
  return trace::trace::read(stream, "listings");
}

accounting::run_result run_listings(const std::string& arch, const std::vector<listing>& ctas, const config::machine& machine,
                                    unsigned warps) {
  const auto trace = kernel_of(arch, ctas, warps);
  auto options = preset_options();
  options.data = false;
  return run(trace, machine, options);
}

std::vector<fabric::cycle_t> clock_differences(const accounting::run_result& result) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<fabric::cycle_t, fabric::cycle_t>> of_warp;
  for (const accounting::clock_read& read : result.clock_reads) {
    const auto [entry, is_new] = of_warp.try_emplace({read.cta, read.warp}, read.cycle, read.cycle);
    if (!is_new) entry->second.second = read.cycle;
  }
  std::vector<fabric::cycle_t> largest;
  for (const auto& [warp, clocks] : of_warp) {
    largest.resize(warp.first + 1);
    largest.back() = std::max(largest.back(), clocks.second - clocks.first);
  }
  return largest;
}

listing listing_of(const std::string& trace_folder) {
  std::ifstream file(fs::path(TC_SOURCE_DIR) / "traces" / trace_folder / "kernel.trace");
  listing code;
  for (std::string line; std::getline(file, line);)
    if (line.rfind("/*", 0) == 0) code.push_back(line.substr(line.find("*/") + 3));
  return code;
}

namespace {

listing replaced(const listing& code, const std::regex& what) {
  listing result;
  std::transform(code.begin(), code.end(), std::back_inserter(result),
                 [&](const std::string& line) { return std::regex_replace(line, what, ""); });
  return result;
}

}  // namespace

listing without_control(const listing& code) { return replaced(code, std::regex(R"(^\[[^\]]*\] )")); }
listing without_reuse(const listing& code) { return replaced(code, std::regex(R"(\.reuse)")); }

std::vector<std::vector<std::string>> rows_of(const std::string& file) {
  std::ifstream stream(fs::path(TC_SOURCE_DIR) / "tb/silicon/data" / file);
  std::vector<std::vector<std::string>> rows;
  std::string line;
  std::getline(stream, line);
  while (std::getline(stream, line)) {
    std::istringstream columns(line);
    rows.emplace_back();
    for (std::string column; std::getline(columns, column, ',');) rows.back().push_back(column);
  }
  return rows;
}

std::vector<fabric::cycle_t> numbers_in(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<fabric::cycle_t>(stream), {}};
}

namespace {

listing repeated(const listing& instructions, unsigned times) {
  listing code{"CS2R R2, SR_CLOCKLO"};
  for (unsigned i = 0; i < times; ++i) code.insert(code.end(), instructions.begin(), instructions.end());
  code.emplace_back("CS2R R4, SR_CLOCKLO");
  return code;
}

}  // namespace

double cycles_per_instruction(const std::string& machine, const std::string& arch, const listing& instructions) {
  // What the clock reads add is in both rows and cancels.
  constexpr unsigned few = 32, many = 96;
  const auto cycles =
      clock_differences(run_listings(arch, {repeated(instructions, few), repeated(instructions, many)}, machine_of(machine)));
  return static_cast<double>(cycles.at(1) - cycles.at(0)) / (static_cast<double>(many - few) * static_cast<double>(instructions.size()));
}

}  // namespace tc::silicon
