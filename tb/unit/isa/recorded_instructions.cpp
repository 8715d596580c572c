// SPDX-License-Identifier: Apache-2.0
#include "recorded_instructions.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include "shared_recordings.hpp"

namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& file) {
  std::ifstream raw(file, std::ios::binary);
  boost::iostreams::filtering_istream in;
  if (file.extension() == ".xz") in.push(boost::iostreams::lzma_decompressor());
  in.push(raw);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// "... sm_75 ..." anywhere in a file name.
tc::isa::architecture architecture_in(const std::string& text) {
  const auto start = text.find("sm_");
  if (start == std::string::npos) throw std::runtime_error("no architecture in " + text);
  const auto arch = tc::isa::find_architecture(text.substr(start, text.find_first_not_of("0123456789", start + 3) - start));
  if (!arch) throw std::runtime_error("unknown architecture in " + text);
  return *arch;
}

/// Cuts the mask and the addresses off a trace line.
std::string without_run_time_fields(std::string line) {
  line.erase(std::min(line.size(), line.find(" @ ")));
  line.erase(std::min(line.size(), line.find(" mask ")));
  return line;
}

recorded_instructions read_trace(const fs::path& file) {
  recorded_instructions result{file, {}, {}};
  std::istringstream text(read_text(file));
  for (std::string line; std::getline(text, line);) {
    if (line.rfind("arch ", 0) == 0) result.arch = architecture_in(line);
    if (line.rfind("/*", 0) == 0) result.lines.push_back(without_run_time_fields(line));
  }
  return result;
}

/// Lines such as "        /*0010*/    @P0 EXIT ;    /* 0x... */" of a disassembly with machine words.
recorded_instructions read_disassembly(const fs::path& file) {
  recorded_instructions result{file, architecture_in(file.filename().string()), {}};
  std::istringstream text(read_text(file));
  for (std::string line; std::getline(text, line);) {
    const auto start = line.find("/*"), end = line.find(';');
    if (start != 8 || end == std::string::npos) continue;
    result.lines.push_back(line.substr(start, end - start));
  }
  return result;
}

recorded_instructions read_selection(const fs::path& file) {
  recorded_instructions result{file, architecture_in(file.filename().string()), {}};
  std::istringstream text(read_text(file));
  for (std::string line; std::getline(text, line);) result.lines.push_back(line);
  return result;
}

}  // namespace

std::optional<fs::path> shared_folder() {
  const fs::path folder = tc::test::shared_recordings();
  if (!fs::exists(folder / "traces")) return std::nullopt;
  return folder;
}

std::vector<recorded_instructions> selected_instructions() {
  std::vector<recorded_instructions> result;
  for (const auto& entry : fs::directory_iterator(fs::path(TC_SOURCE_DIR) / "tb/unit/isa/data")) {
    if (entry.path().extension() == ".txt") result.push_back(read_selection(entry.path()));
  }
  return result;
}

std::vector<recorded_instructions> all_recorded_instructions() {
  const auto shared = shared_folder();
  if (!shared) return selected_instructions();
  std::vector<recorded_instructions> result;
  for (const char* const folder : {"traces", "timing", "sass"}) {  // others hold what is wrong on purpose
    if (!fs::is_directory(*shared / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(*shared / folder)) {
      const std::string name = entry.path().filename().string();
      if (name.find(".trace") != std::string::npos) result.push_back(read_trace(entry.path()));
      if (name.rfind("wmma.", 0) == 0 && name.find(".sass") != std::string::npos) result.push_back(read_disassembly(entry.path()));
    }
  }
  return result;
}
