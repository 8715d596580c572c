// SPDX-License-Identifier: Apache-2.0
#include "trace_workload.hpp"

#include <algorithm>
#include <filesystem>
#include <list>
#include <memory>
#include <optional>
#include <set>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <tc/config/built_in_files.hpp>
#include <tc/config/described_type.hpp>
#include <tc/device/kernel.hpp>
#include <tc/kernels/wmma_expander.hpp>
#include <tc/launches/launch_reader.hpp>
#include <tc/trace/trace.hpp>

#include "data_folder.hpp"
#include "file_code.hpp"
#include "launch_files.hpp"
#include "simulation.hpp"
#include "wording.hpp"

namespace tcsim {

namespace {

namespace fs = std::filesystem;
using shared_trace = std::shared_ptr<const tc::trace::trace>;

/// What tells whether a file has changed.
struct file_state {
  fs::file_time_type time{};
  std::uintmax_t bytes = 0;

  bool operator==(const file_state& other) const { return time == other.time && bytes == other.bytes; }
};

file_state state_of(const fs::path& file) {
  std::error_code unreadable;  // which opening tells better
  return {fs::last_write_time(file, unreadable), fs::file_size(file, unreadable)};
}

struct opened_trace {
  fs::path file;
  file_state state;
  shared_trace trace;
};

/// Each holds a temporary file open.
constexpr std::size_t most_traces = 16;

/// The last ones, the most recently used first.
std::list<opened_trace>& opened_traces() {
  static std::list<opened_trace> traces;
  return traces;
}

/// Opens a trace, which may hold WMMA instructions, or gives the one that this process has open already: the last few stay open, as a sweep
/// asks for the same traces for each of its machines. Not for a process that is forked and may have closed the temporary file of a trace.
/// Files that have changed are opened again. Throws trace_error.
shared_trace open_shared_trace(const fs::path& file) {
  auto& traces = opened_traces();
  const file_state state = state_of(file);
  const auto found = std::find_if(traces.begin(), traces.end(), [&](const opened_trace& each) { return each.file == file; });
  if (found != traces.end() && found->state == state) {
    traces.splice(traces.begin(), traces, found);
    return found->trace;
  }
  if (found != traces.end()) traces.erase(found);
  traces.push_front({file, state, std::make_shared<const tc::trace::trace>(tc::kernels::open_trace(file))});
  if (traces.size() > most_traces) traces.pop_back();
  return traces.front().trace;
}

/// Names of the files that hold what is in memory, in the order of the header.
std::vector<fs::path> image_files(const tc::trace::kernel_header& header) {
  std::vector<fs::path> files;
  const auto add = [&files](const auto& images) {
    for (const auto& image : images)
      if (const fs::path* const file = image.content.file_path()) files.push_back(*file);
  };
  add(header.constants);
  add(header.memory);
  add(header.shared_memory);
  add(header.expectations);
  return files;
}

/// A kernel of a run: a trace, or a launch that is executed while the machine runs it.
struct opened_kernel {
  shared_trace trace;
  std::unique_ptr<tc::execution::timed_launch> launch;
};

using trace_opener = shared_trace (*)(const std::string& file);

std::vector<opened_kernel> open_all(const trace_parameters& values, const tc::config::machine& machine, trace_opener open) {
  std::vector<opened_kernel> kernels;
  for (const std::string& file : values.files)
    if (tc::launches::names_launch(file))
      kernels.push_back({nullptr, open_launch(file, machine, values.data)});
    else
      kernels.push_back({open(file), nullptr});
  return kernels;
}

shared_trace open_shared(const std::string& file) { return open_shared_trace(file); }

shared_trace open_here(const std::string& file) { return std::make_shared<const tc::trace::trace>(tc::kernels::open_trace(file)); }

std::vector<tc::device::kernel_source> sources_of(const std::vector<opened_kernel>& kernels, const std::vector<std::string>& files) {
  std::vector<tc::device::kernel_source> sources;
  for (std::size_t i = 0; i < kernels.size(); ++i)
    sources.push_back({files[i], kernels[i].launch != nullptr ? &kernels[i].launch->trace() : kernels[i].trace.get()});
  return sources;
}

/// All files of a launch, those of its folder in an order that does not change.
void add_launch(const fs::path& launch, file_code& code) {
  if (fs::is_regular_file(launch) && launch.filename() != "launch.txt") return code.add(launch);
  std::set<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::is_directory(launch) ? launch : launch.parent_path()))
    if (entry.is_regular_file()) files.insert(entry.path());
  for (const fs::path& file : files) code.add(file);
}

/// What executions have left in memory that was recorded otherwise.
void compare_launches(const std::vector<opened_kernel>& kernels, workload_outcome& outcome) {
  for (const opened_kernel& kernel : kernels) {
    const auto compared = kernel.launch == nullptr ? std::nullopt : kernel.launch->compare_last_run();
    if (!compared || compared->differing == 0) continue;
    if (outcome.status == exit_status::done) outcome.status = exit_status::check_failed;
    outcome.message +=
        fmt::format("{}{}: {} of the execution {} not as recorded", outcome.message.empty() ? "" : "; ", kernel.launch->launch().file,
                    counted(compared->differing, "element"), compared->differing == 1 ? "is" : "are");
  }
}

}  // namespace

std::string trace_workload::content_code() const {
  file_code code;
  for (const std::string& file : values().files) {
    if (tc::launches::names_launch(file)) {
      add_launch(file, code);
      continue;
    }
    code.add(file);
    for (const std::filesystem::path& image : image_files(open_shared_trace(file)->header())) code.add(image);
  }
  return code.text();
}

void trace_workload::check_valid(const tc::config::machine& machine) const {
  const auto kernels = open_all(values(), machine, open_shared);
  tc::device::make_kernels(sources_of(kernels, values().files), machine);
}

workload_outcome trace_workload::run_valid(const tc::config::machine& machine) const {
  const auto kernels = open_all(values(), machine, open_here);  // as the process may be a forked one
  workload_outcome outcome =
      simulate(sources_of(kernels, values().files), machine, run_options_for(machine, values().data, values().max_cycles), [](const auto&) {
        return boost::json::object{{"kind", kind_name}};
      });
  compare_launches(kernels, outcome);
  return outcome;
}

std::filesystem::path trace_workload::find_file(const std::filesystem::path& beside, const std::filesystem::path& name) {
  if (tc::config::is_file(beside)) return beside;
  const std::filesystem::path example = find_trace(name);
  return example == name ? beside : example;
}

std::vector<std::string> trace_workload::arguments() const {
  argument_list list("run");
  list.add_words(values().files);
  list.add_flag("--no-data", !values().data);
  if (values().max_cycles) list.add_words({"--max-cycles", std::to_string(*values().max_cycles)});
  return std::move(list).words();
}

}  // namespace tcsim

template const tc::config::parameter_type& tc::config::type_of<tcsim::trace_parameters>();
