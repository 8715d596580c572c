// SPDX-License-Identifier: Apache-2.0
#include "mma_stream.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <regex>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include <tc/trace/line_reader.hpp>

#include "recorded_run.hpp"

namespace tc::silicon {

namespace {

std::filesystem::path trace_of(const stream_row& stream, const std::filesystem::path& folder) {
  return folder / "h200_mma_sync" / (stream.name() + ".trace.xz");
}

accounting::run_result run_on_hopper(const trace::trace& trace, const stream_row& stream) {
  auto options = preset_options();
  options.data = false;
  const auto result = run(trace, machine_of("hopper"), options);
  if (result.status != accounting::run_status::finished) throw std::runtime_error(stream.name() + " does not finish");
  return result;
}

/// A recorded trace with the stall count and the reuse flags of every matrix instruction overwritten, and no yield, as the recordings were
/// made.
std::string text_of(const overwritten_stream& row, const std::filesystem::path& folder) {
  static const std::regex matrix(R"((\[[^\]]*):[Y-]:S\d\d\] ([HIB]MMA\.\S* )(R\d+), (R\d+)([.\w]*), (R\d+)([.\w]*), (R\d+)([.\w]*))");
  static const std::regex flag(R"(\.reuse)");
  const auto operand = [&](const std::smatch& found, unsigned at, unsigned slot) {
    return found[at].str() + ((row.reuse >> slot & 1u) != 0 ? ".reuse" : "") + std::regex_replace(found[at + 1].str(), flag, "");
  };
  std::string text;
  std::string_view line;
  trace::line_reader reader(trace_of(row.stream, folder));
  while (reader.next(line)) {
    const std::string whole(line);
    std::smatch found;
    if (std::regex_search(whole, found, matrix)) {
      text += found.prefix().str() + found[1].str() + fmt::format(":-:S{:02}] ", row.stall) + found[2].str() + found[3].str() + ", " +
              operand(found, 4, 0) + ", " + operand(found, 6, 1) + ", " + operand(found, 8, 2) + found.suffix().str();
    } else {
      text += whole;
    }
    text += '\n';
  }
  return text;
}

}  // namespace

long cycles_of(const stream_row& stream, const std::filesystem::path& folder) {
  const auto result = run_on_hopper(trace::trace::open(trace_of(stream, folder)), stream);
  if (!result.hazards.empty()) throw std::runtime_error(stream.name() + " reads values too early");
  return stream_cycles(result);
}

std::vector<overwritten_stream> overwritten_streams(const std::filesystem::path& folder) {
  std::vector<overwritten_stream> result;
  for (const auto& fields : csv_rows(folder / "h200_issue_interval.csv")) {
    const auto number = [&fields](unsigned i) { return static_cast<unsigned>(std::stoul(fields.at(i))); };
    const stream_row stream{fields.at(0), number(3), number(1), number(2)};
    if (std::filesystem::exists(trace_of(stream, folder))) result.push_back({stream, number(4), number(5), std::stol(fields.at(6))});
  }
  return result;
}

long cycles_of(const overwritten_stream& row, const std::filesystem::path& folder) {
  std::istringstream text(text_of(row, folder));
  return stream_cycles(run_on_hopper(trace::trace::read(text, row.stream.name()), row.stream));
}

namespace {

/// Differences of 32-bit counters.
long signed_cycles(const std::string& text) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(std::stoul(text))); }

}  // namespace

std::vector<warp_clock_recording> warp_clock_recordings(const std::filesystem::path& folder) {
  std::map<std::string, warp_clock_recording> by_name;
  for (const auto& fields : csv_rows(folder / "h200_warp_clocks.csv")) {
    const auto number = [&fields](unsigned i) { return static_cast<unsigned>(std::stoul(fields.at(i))); };
    const stream_row stream{fields.at(0), number(1), number(2), number(3)};
    warp_clock_recording& recording = by_name[stream.name()];
    recording.stream = stream;
    recording.repetitions.push_back({number(4), number(5), signed_cycles(fields.at(6)), signed_cycles(fields.at(7))});
  }
  std::vector<warp_clock_recording> result;
  result.reserve(by_name.size());
  for (auto& [name, recording] : by_name) result.push_back(std::move(recording));
  return result;
}

std::vector<repetition_clocks> modelled_clocks(const warp_clock_recording& recording, const std::filesystem::path& folder) {
  auto options = preset_options();
  options.data = false;
  const auto trace = trace::trace::open(folder / "h200_warp_clocks" / (recording.stream.name() + ".trace.xz"));
  const auto run_result = run(trace, machine_of("hopper"), options);
  if (run_result.status != accounting::run_status::finished) throw std::runtime_error(recording.stream.name() + " does not finish");
  const auto clocks = clocks_of_warps(run_result, recording.stream.warps);
  std::vector<repetition_clocks> result;
  result.reserve(recording.repetitions.size());
  for (const auto& [repetition, warp, begin, end] : recording.repetitions) {
    const long zero = clocks[0].at(2 * repetition);
    result.push_back({repetition, warp, clocks.at(warp).at(2 * repetition) - zero, clocks[warp].at(2 * repetition + 1) - zero});
  }
  return result;
}

bool matches(const repetition_clocks& recorded, const repetition_clocks& modelled) {
  const long worst = std::max(std::labs(modelled.begin - recorded.begin), std::labs(modelled.end - recorded.end));
  return 100 * worst <= 3 * (recorded.end - recorded.begin);
}

}  // namespace tc::silicon
