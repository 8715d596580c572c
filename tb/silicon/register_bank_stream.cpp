// SPDX-License-Identifier: Apache-2.0
#include "register_bank_stream.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "listing.hpp"
#include "recorded_run.hpp"

namespace tc::silicon {

namespace {

/// Register names of the three sources: each in a register of its own unless the row says "same".
std::vector<std::string> sources_of(const register_bank_stream& stream) {
  if (stream.sources == "E x3 same") return {"R2", "R2", "R2"};
  if (stream.sources == "E E(same) O") return {"R2", "R2", "R5"};
  if (stream.sources == "E E(same) E") return {"R2", "R2", "R4"};
  std::vector<std::string> result;
  unsigned even = 2, odd = 3;
  for (const char bank : stream.sources) {
    if (bank == 'E') result.push_back(fmt::format("R{}", even));
    if (bank == 'O') result.push_back(fmt::format("R{}", odd));
    if (bank == 'E') even += 2;
    if (bank == 'O') odd += 2;
  }
  if (result.size() != 3) throw std::runtime_error("not three sources: " + stream.sources);
  return result;
}

listing ffma_of(const register_bank_stream& stream) {
  auto sources = sources_of(stream);
  for (unsigned slot = 0; slot < 3; ++slot)
    if ((stream.reuse >> slot & 1u) != 0) sources[slot] += ".reuse";
  listing result;
  for (unsigned i = 0; i < register_bank_stream::instructions; ++i) {
    const unsigned destination = 32 + 2 * (i % 16) + (stream.destination == "odd" ? 1 : 0);
    result.push_back(
        fmt::format("[B------:R-:W-:-:S{:02}] FFMA R{}, {}, {}, {}", stream.stall, destination, sources[0], sources[1], sources[2]));
  }
  return result;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const register_bank_stream& stream) {
  return out << "FFMA " << stream.destination << " <- " << stream.sources << " reuse " << stream.reuse << " stall " << stream.stall
             << " warps " << stream.warps;
}

std::vector<register_bank_stream> register_bank_streams(const std::filesystem::path& folder) {
  std::ifstream file(folder / "h200_register_banks.csv");
  std::vector<register_bank_stream> result;
  std::string line, instruction, field;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    register_bank_stream row;
    std::getline(fields, instruction, ',');
    std::getline(fields, row.destination, ',');
    std::getline(fields, row.sources, ',');
    std::getline(fields, field);
    std::replace(field.begin(), field.end(), ',', ' ');
    std::istringstream numbers(field);
    if (numbers >> row.reuse >> row.stall >> row.warps >> row.cycles) result.push_back(row);
  }
  return result;
}

fabric::cycle_t cycles_of(const register_bank_stream& stream) {
  listing code = ffma_of(stream);
  code.insert(code.begin(), "[B------:R-:W-:-:S02] CS2R R20, SR_CLOCKLO");
  code.emplace_back("[B------:R-:W-:-:S02] CS2R R22, SR_CLOCKLO");
  return clock_differences(run_listings("sm_90", {code}, machine_of("hopper"), stream.warps)).at(0);
}

}  // namespace tc::silicon
