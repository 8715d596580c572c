// SPDX-License-Identifier: Apache-2.0
#include "recorded_run.hpp"

#include <fstream>
#include <regex>
#include <sstream>

#include <fmt/format.h>

#include <tc/config/machine_loader.hpp>
#include <tc/device/gpu.hpp>

#include "shared_recordings.hpp"

namespace tc::silicon {

namespace fs = std::filesystem;

fs::path shared_folder() {
  const fs::path folder = tc::test::shared_recordings();
  return fs::is_directory(folder / "timing") ? folder : fs::path();
}

config::machine machine_of(const std::string& name, const std::vector<std::string>& assignments) {
  return config::load_machine(fs::path(TC_SOURCE_DIR) / "configs" / (name + ".json"), assignments);
}

device::run_options preset_options() {
  device::run_options options;
  options.timing_of_preset = true;
  options.is_alone = true;
  return options;
}

accounting::run_result run(const trace::trace& trace, const config::machine& machine, const device::run_options& options) {
  device::gpu gpu("gpu", machine, {{"trace", &trace}}, options);
  return gpu.run();
}

trace::trace make_trace(const std::string& arch, const std::vector<std::vector<std::string>>& warps) {
  std::ostringstream text;
  text << "tcsim-trace 1\narch " << arch << "\nkernel test\ngrid 1 1 1\nblock " << 32 * warps.size() << " 1 1\ncta 0 0 0\n";
  for (std::size_t w = 0; w < warps.size(); ++w) {
    text << "warp " << w << '\n';
    unsigned pc = 0;
    for (const std::string& line : warps[w]) text << fmt::format("/*{:04x}*/ {}\n", 16 * pc++, line);
    text << fmt::format("/*{:04x}*/ EXIT\n", 16 * pc);
  }
  std::istringstream stream(text.str());
  return trace::trace::read(stream, "test");
}

std::string without_control_codes(const fs::path& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  static const std::regex control(R"((\n/\*[0-9a-f]+\*/ )\[[^\]]*\] )");
  return std::regex_replace(text.str(), control, "$1");
}

}  // namespace tc::silicon
