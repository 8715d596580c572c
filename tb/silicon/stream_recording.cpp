// SPDX-License-Identifier: Apache-2.0
#include "stream_recording.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

#include "recorded_run.hpp"

namespace tc::silicon {

std::filesystem::path timing_folder() {
  const auto shared = shared_folder();
  return shared.empty() ? std::filesystem::path(TC_SOURCE_DIR) / "tb/silicon/data" : shared / "timing";
}

std::vector<std::vector<std::string>> csv_rows(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::vector<std::vector<std::string>> rows;
  std::string line, field;
  std::getline(stream, line);
  while (std::getline(stream, line)) {
    std::istringstream fields(line);
    rows.emplace_back();
    while (std::getline(fields, field, ',')) rows.back().push_back(field);
  }
  return rows;
}

long stream_cycles(const accounting::run_result& result) {
  std::map<std::uint32_t, std::vector<long>> reads;
  for (const auto& read : result.clock_reads) reads[read.warp].push_back(static_cast<long>(read.cycle));
  long slowest = 0;
  for (const auto& [warp, cycles] : reads) {
    long least = std::numeric_limits<long>::max();
    for (std::size_t r = 1; 2 * r + 1 < cycles.size(); ++r) least = std::min(least, cycles[2 * r + 1] - cycles[2 * r]);
    slowest = std::max(slowest, least);
  }
  return slowest;
}

std::vector<std::vector<long>> clocks_of_warps(const accounting::run_result& result, unsigned warps) {
  std::vector<std::vector<long>> clocks(warps);
  for (const auto& read : result.clock_reads) clocks.at(read.warp).push_back(static_cast<long>(read.cycle));
  return clocks;
}

std::vector<long> in_child(const std::function<std::vector<long>()>& compute) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return {};
  const pid_t child = fork();
  if (child < 0) return {};
  if (child == 0) {
    close(ends[0]);
    try {
      for (const long value : compute())
        if (write(ends[1], &value, sizeof value) != sizeof value) _exit(1);
    } catch (...) {
      _exit(1);
    }
    _exit(0);
  }
  close(ends[1]);
  std::vector<long> values;
  long value = 0;
  while (read(ends[0], &value, sizeof value) == sizeof value) values.push_back(value);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? values : std::vector<long>{};
}

}  // namespace tc::silicon
