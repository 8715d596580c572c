// SPDX-License-Identifier: Apache-2.0
#include "trace_workload.hpp"

#include <tc/config/built_in_files.hpp>
#include <tc/config/described_type.hpp>
#include <tc/device/kernel.hpp>
#include <tc/kernels/wmma_expander.hpp>

#include "data_folder.hpp"
#include "file_code.hpp"
#include "opened_traces.hpp"
#include "simulation.hpp"

namespace tcsim {

namespace {

using shared_trace = std::shared_ptr<const tc::trace::trace>;

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
