// SPDX-License-Identifier: Apache-2.0
#include "trace_workload.hpp"

#include <algorithm>
#include <filesystem>
#include <list>
#include <memory>
#include <system_error>
#include <vector>

#include <tc/config/built_in_files.hpp>
#include <tc/config/described_type.hpp>
#include <tc/device/kernel.hpp>
#include <tc/kernels/wmma_expander.hpp>
#include <tc/trace/trace.hpp>

#include "data_folder.hpp"
#include "file_code.hpp"
#include "simulation.hpp"

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

using trace_opener = shared_trace (*)(const std::string& file);

std::vector<shared_trace> open_all(const std::vector<std::string>& files, trace_opener open) {
  std::vector<shared_trace> traces;
  traces.reserve(files.size());
  for (const std::string& file : files) traces.push_back(open(file));
  return traces;
}

shared_trace open_shared(const std::string& file) { return open_shared_trace(file); }

shared_trace open_here(const std::string& file) { return std::make_shared<const tc::trace::trace>(tc::kernels::open_trace(file)); }

std::vector<tc::device::kernel_source> sources_of(const std::vector<shared_trace>& traces, const std::vector<std::string>& files) {
  std::vector<tc::device::kernel_source> sources;
  for (std::size_t i = 0; i < traces.size(); ++i) sources.push_back({files[i], traces[i].get()});
  return sources;
}

}  // namespace

std::string trace_workload::content_code() const {
  file_code code;
  for (const std::string& file : values().files) {
    code.add(file);
    for (const std::filesystem::path& image : image_files(open_shared_trace(file)->header())) code.add(image);
  }
  return code.text();
}

void trace_workload::check_valid(const tc::config::machine& machine) const {
  const auto traces = open_all(values().files, open_shared);
  tc::device::make_kernels(sources_of(traces, values().files), machine);
}

workload_outcome trace_workload::run_valid(const tc::config::machine& machine) const {
  const auto traces = open_all(values().files, open_here);  // as the process may be a forked one
  return simulate(sources_of(traces, values().files), machine, run_options_for(machine, values().data, values().max_cycles),
                  [](const auto&) {
                    return boost::json::object{{"kind", kind_name}};
                  });
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
