// SPDX-License-Identifier: Apache-2.0
// Launches that are executed: an input is a launch.txt and, behind a line of dashes, a listing. What can be read must end, with a result or
// with an error that names its file.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include <fmt/format.h>

#include <tc/config/presets.hpp>
#include <tc/execution/grid_execution.hpp>
#include <tc/execution/kernel_fault.hpp>
#include <tc/execution/memory_comparison.hpp>
#include <tc/launches/launch_check.hpp>
#include <tc/launches/launch_code.hpp>
#include <tc/launches/launch_reader.hpp>
#include <tc/machine_code/code_error.hpp>
#include <tc/study/compressed_file.hpp>
#include <tc/trace/trace_error.hpp>

#include "support.hpp"

namespace tcsim::fuzz {
namespace {

namespace fs = std::filesystem;

/// The folder of the launch, which goes with the process.
class input_folder {
 public:
  input_folder() : path_(fs::temp_directory_path() / fmt::format("tcsim-fuzz-launch-{}", ::getpid())) { fs::create_directories(path_); }
  ~input_folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  input_folder(const input_folder&) = delete;
  input_folder& operator=(const input_folder&) = delete;

  void write(std::string_view name, std::string_view content) const {
    std::ofstream(path_ / name, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Whether an execution takes little memory.
bool is_small(const tc::launches::launch& launch) {
  constexpr std::uint64_t most_bytes = 1 << 20, most_ctas = 8;
  std::uint64_t bytes = 0;
  for (const auto& each : launch.allocations) bytes += std::min(each.bytes, most_bytes);
  return bytes < most_bytes && launch.grid.count() <= most_ctas;
}

const char* preset_for(tc::isa::architecture arch) {
  if (arch >= tc::isa::architecture::sm_90) return "hopper";
  return arch >= tc::isa::architecture::sm_80 ? "ampere" : "turing";
}

void execute(const tc::launches::launch& launch) {
  const tc::launches::launch_code code = tc::launches::read_launch_code(launch);
  tc::launches::differences(launch, code.kernel, code.records);
  if (!is_small(launch)) return;
  const tc::execution::execution_limits limits{5000};
  const auto result = tc::execution::execute(launch, code.kernel, tc::config::make_preset(preset_for(code.kernel.arch)), limits);
  tc::execution::compare(launch, result.memory);
}

}  // namespace
}  // namespace tcsim::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tcsim::fuzz;
  static const input_folder folder;
  constexpr std::string_view border = "\n----\n";
  const std::string_view text = text_of(data, size);
  const std::size_t at = std::min(text.find(border), text.size());
  folder.write("launch.txt", text.substr(0, at));
  folder.write("code.sass", text.substr(std::min(at + border.size(), text.size())));
  const std::string path = folder.path().string();
  const auto names_a_file = [&path](const std::exception& error) {
    require(std::string_view(error.what()).substr(0, path.size()) == path, error.what());
  };
  try {
    execute(tc::launches::read_launch(folder.path()));
  } catch (const tc::trace::trace_error& error) {
    names_a_file(error);
  } catch (const tc::study::vector_error& error) {
    names_a_file(error);
  } catch (const tc::machine_code::code_error& error) {
    names_a_file(error);
  } catch (const tc::execution::kernel_fault& error) {
    names_a_file(error);
  }
  return 0;
}
