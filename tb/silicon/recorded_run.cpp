#include "recorded_run.hpp"

#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>

#include <fmt/format.h>

#include <tc/config/parameter_loader.hpp>
#include <tc/fabric/statistics.hpp>

namespace tc::silicon {

namespace fs = std::filesystem;

fs::path shared_folder() {
  const char* const given = std::getenv("TCSIM_SHARED");
  const fs::path folder = given != nullptr ? fs::path(given) : fs::path(TC_SOURCE_DIR).parent_path() / "shared";
  return fs::is_directory(folder / "timing") ? folder : fs::path();
}

config::machine machine_of(const std::string& name, const std::vector<std::string>& assignments) {
  return config::load_parameters<config::machine>(fs::path(TC_SOURCE_DIR) / "configs" / (name + ".json"), assignments);
}

device::run_options preset_options() {
  device::run_options options;
  options.timing_of_preset = true;
  return options;
}

device::run_result run(const trace::trace& trace, const config::machine& machine, const device::run_options& options) {
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

namespace {

class adding_sink final : public fabric::statistics_sink {
 public:
  adding_sink(std::string object, std::string name) : object_(std::move(object)), name_(std::move(name)) {}

  void begin_object(std::string_view path) override { matches_ = path.find(object_) != std::string_view::npos; }
  void end_object() override {}
  void record(const fabric::statistic& value) override {
    if (!matches_ || value.name != name_) return;
    sum_ += value.value;
    ++found_;
  }

  std::uint64_t sum() const {
    if (found_ == 0) throw std::runtime_error("no statistic " + name_ + " of " + object_);
    return sum_;
  }

 private:
  std::string object_, name_;
  bool matches_ = false;
  std::uint64_t sum_ = 0, found_ = 0;
};

}  // namespace

std::uint64_t statistic_sum(const std::string& object, const std::string& name) {
  adding_sink sink(object, name);
  fabric::collect_statistics(sink);
  return sink.sum();
}

}  // namespace tc::silicon
