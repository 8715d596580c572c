// SPDX-License-Identifier: Apache-2.0
#include "workload.hpp"

#include <algorithm>

#include <tc/config/parameter_list.hpp>
#include <tc/config/spelling.hpp>

#include "convolution_workload.hpp"
#include "error_workload.hpp"
#include "gemm_workload.hpp"
#include "replay_workload.hpp"
#include "trace_workload.hpp"

namespace tcsim {

namespace {

using tc::config::json_document;
using parameter_rows = std::vector<tc::config::parameter_row>;

/// A kind of workload.
struct kind_entry {
  std::string name;
  std::unique_ptr<workload> (*make)(const json_document& parameters, const std::filesystem::path& folder);
  parameter_rows (*list)();
  bool makes_code, takes_time;
};

template <class Workload, class Parameters>
kind_entry entry() {
  return {Workload::kind_name,
          [](const json_document& parameters, const std::filesystem::path& folder) -> std::unique_ptr<workload> {
            return std::make_unique<Workload>(parameters, folder);
          },
          [] { return tc::config::list_parameters<Parameters>(); }, Workload::makes_code, Workload::takes_time};
}

const std::vector<kind_entry>& kinds() {
  static const std::vector<kind_entry> all{entry<trace_workload, trace_parameters>(), entry<gemm_workload, gemm_parameters>(),
                                           entry<convolution_workload, convolution_parameters>(),
                                           entry<replay_workload, replay_parameters>(), entry<error_workload, error_parameters>()};
  return all;
}

const kind_entry* find(std::string_view kind) {
  const auto found = std::find_if(kinds().begin(), kinds().end(), [&](const kind_entry& each) { return each.name == kind; });
  return found == kinds().end() ? nullptr : &*found;
}

}  // namespace

const std::vector<std::string>& workload_kinds() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const kind_entry& each : kinds()) all.push_back(each.name);
    return all;
  }();
  return names;
}

bool workload_makes_code(std::string_view kind) { return find(kind)->makes_code; }

bool workload_takes_time(std::string_view kind) { return find(kind)->takes_time; }

std::unique_ptr<workload> make_workload(std::string_view kind, const json_document& parameters, const std::filesystem::path& folder) {
  const kind_entry* const found = find(kind);
  if (found == nullptr)
    throw tc::config::config_error(parameters.source(), parameters.position_of(parameters.path()), parameters.path(),
                                   tc::config::unknown_name_text("kind of workload", kind, workload_kinds()));
  return found->make(parameters, std::filesystem::absolute(folder));
}

parameter_rows workload_parameters(std::string_view kind) { return find(kind)->list(); }

}  // namespace tcsim
