// SPDX-License-Identifier: Apache-2.0
#include "konata_reader.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace {

using fields = std::vector<std::string>;

class reader {
 public:
  std::vector<konata_instruction> rows;

  void line(const std::string& text) {
    fields parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, '\t');) parts.push_back(part);
    ++number_;
    try {
      if (number_ == 1)
        require(parts == fields{"Kanata", "0004"}, "wrong header");
      else if (number_ == 2)
        now_ = time(parts, "C=");
      else if (parts.at(0) == "C")
        advance(time(parts, "C"));
      else
        command(parts);
    } catch (const std::exception& error) {
      throw std::runtime_error("line " + std::to_string(number_) + " '" + text + "': " + error.what());
    }
  }

 private:
  static void require(bool is_right, const char* what) {
    if (!is_right) throw std::runtime_error(what);
  }

  static std::uint64_t time(const fields& parts, const char* name) {
    require(parts.size() == 2 && parts[0] == name, "no cycle");
    return std::stoull(parts[1]);
  }

  void advance(std::uint64_t cycles) {
    require(cycles > 0, "time does not go on");
    now_ += cycles;
  }

  void command(const fields& parts) {
    require(parts.size() == 4 && parts[0].size() == 1, "no command of three arguments");
    const std::uint64_t id = std::stoull(parts[1]);
    if (parts[0] == "I") {
      require(id == rows.size(), "number out of order");
      rows.push_back({std::stoull(parts[2]), std::stoull(parts[3]), now_});
      return;
    }
    require(id < rows.size(), "no such instruction");
    konata_instruction& row = rows[id];
    require(row.end == konata_instruction::open, "the instruction has ended");
    switch (parts[0][0]) {
      case 'L':
        require(parts[2] == "0" || parts[2] == "1", "no type of a label");
        (parts[2] == "0" ? row.label : row.details) += parts[3];
        break;
      case 'S':
        begin_stage(row, std::stoull(parts[2]), parts[3]);
        break;
      case 'E':
        end_stage(row, std::stoull(parts[2]), parts[3]);
        break;
      case 'W':
        require(std::stoull(parts[2]) < rows.size() && parts[3] == "0", "no producer");
        row.producers.push_back(std::stoull(parts[2]));
        break;
      case 'R':
        end(row, std::stoull(parts[2]), parts[3]);
        break;
      default:
        require(false, "unknown command");
    }
  }

  void begin_stage(konata_instruction& row, std::uint64_t lane, const std::string& name) {
    for (const auto& stage : row.stages) require(stage.lane != lane || stage.end != konata_instruction::open, "the lane is taken");
    row.stages.push_back({name, lane, now_, konata_instruction::open});
  }

  void end_stage(konata_instruction& row, std::uint64_t lane, const std::string& name) {
    const auto open = std::find_if(row.stages.begin(), row.stages.end(), [&](const auto& stage) {
      return stage.lane == lane && stage.name == name && stage.end == konata_instruction::open;
    });
    require(open != row.stages.end(), "no such stage is open");
    require(open->begin < now_, "the stage took no time");
    open->end = now_;
  }

  void end(konata_instruction& row, std::uint64_t retired, const std::string& type) {
    require(type == "0" || type == "1", "neither retired nor flushed");
    row.is_flushed = type == "1";
    require(retired == retired_, "not the next to retire");
    if (!row.is_flushed) ++retired_;
    for (const auto& stage : row.stages) require(stage.end != konata_instruction::open, "a stage is open");
    row.end = now_;
  }

  std::uint64_t number_ = 0;
  std::uint64_t now_ = 0;
  std::uint64_t retired_ = 0;
};

}  // namespace

std::vector<konata_instruction> read_konata_log(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("there is no log");
  reader log;
  for (std::string line; std::getline(file, line);) log.line(line);
  return log.rows;
}
