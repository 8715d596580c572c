#include <cmath>
#include <iostream>
#include <map>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include <tc/trace/line_reader.hpp>

#include "recorded_run.hpp"
#include "stream_recording.hpp"

namespace {

using namespace tc;

/// A recorded trace with the stall count and the reuse flags of every matrix instruction overwritten, and no yield, as the recordings were
/// made.
std::string overwritten(const std::filesystem::path& file, unsigned stall, unsigned reuse) {
  static const std::regex matrix(R"((\[[^\]]*):[Y-]:S\d\d\] ([HIB]MMA\.\S* )(R\d+), (R\d+)([.\w]*), (R\d+)([.\w]*), (R\d+)([.\w]*))");
  static const std::regex flag(R"(\.reuse)");
  std::string stall_text = std::to_string(stall);
  if (stall < 10) stall_text.insert(0, 1, '0');
  const auto operand = [&](const std::smatch& found, unsigned at, unsigned slot) {
    return found[at].str() + ((reuse >> slot & 1u) != 0 ? ".reuse" : "") + std::regex_replace(found[at + 1].str(), flag, "");
  };
  std::string text;
  std::string_view line;
  trace::line_reader reader(file);
  while (reader.next(line)) {
    const std::string whole(line);
    std::smatch found;
    if (std::regex_search(whole, found, matrix)) {
      text += found.prefix().str() + found[1].str() + ":-:S" + stall_text + "] " + found[2].str() + found[3].str() + ", " +
              operand(found, 4, 0) + ", " + operand(found, 6, 1) + ", " + operand(found, 8, 2) + found.suffix().str();
    } else {
      text += whole;
    }
    text += '\n';
  }
  return text;
}

std::vector<long> model_cycles(const silicon::stream_row& row, unsigned stall, unsigned reuse) {
  return silicon::in_child([&] {
    std::istringstream text(overwritten(silicon::timing_folder() / "h200_mma_sync" / (row.name() + ".trace.xz"), stall, reuse));
    const auto trace = trace::trace::read(text, row.name());
    auto options = silicon::preset_options();
    options.data = false;
    return std::vector<long>{silicon::stream_cycles(silicon::run(trace, silicon::machine_of("hopper"), options))};
  });
}

// Streams of one warp whose stall counts leave it to the hardware how far apart matrix instructions start: every second row, to save time.
TEST(h200_issue_interval, streams_of_one_warp_take_the_cycles_of_the_gpu) {
  if (silicon::shared_folder().empty()) GTEST_SKIP() << "needs the recordings beside the project";
  unsigned rows = 0, shared = 0;
  for (const auto& fields : silicon::csv_rows(silicon::timing_folder() / "h200_issue_interval.csv")) {
    const auto number = [&fields](unsigned i) { return static_cast<unsigned>(std::stoul(fields.at(i))); };
    const silicon::stream_row row{fields.at(0), number(3), number(1), number(2)};
    const unsigned stall = number(4), reuse = number(5);
    if (row.warps != 1 || !std::filesystem::exists(silicon::timing_folder() / "h200_mma_sync" / (row.name() + ".trace.xz"))) continue;
    if (++shared % 2 == 0) continue;
    const auto cycles = model_cycles(row, stall, reuse);
    ASSERT_EQ(cycles.size(), 1u) << row.name();
    ++rows;
    const auto recorded = static_cast<double>(number(6));
    EXPECT_NEAR(static_cast<double>(cycles[0]), recorded, 0.01 * recorded) << row.name() << " stall " << stall << " reuse " << reuse;
  }
  std::cout << rows << " of " << shared << " rows\n";
  EXPECT_GE(rows, 50u);
}

}  // namespace
