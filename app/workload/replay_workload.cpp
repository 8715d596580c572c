// SPDX-License-Identifier: Apache-2.0
#include "replay_workload.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tc/config/described_type.hpp>
#include <tc/study/replay.hpp>

#include "error_figures.hpp"
#include "file_code.hpp"
#include "input_files.hpp"
#include "vector_unit.hpp"

namespace tcsim {

namespace study = tc::study;

namespace {

tc::numerics::dot_product unit_of(const study::vector_header& header, const std::string& file, const tc::config::machine& machine) {
  try {
    return make_vector_unit(header, machine, machine.name);
  } catch (const usage_error& error) {
    throw usage_error(fmt::format("{}: {}", file, error.what()));
  }
}

}  // namespace

const std::vector<study::vector_header>& replay_workload::headers() const {
  if (headers_of_ != values().files) {
    headers_.clear();
    for (const std::string& file : values().files) note_input(file);
    for (const std::string& file : values().files) headers_.push_back(study::vector_reader(file).header());
    headers_of_ = values().files;
  }
  return headers_;
}

std::string replay_workload::content_code() const {
  file_code code;
  for (const std::string& file : values().files) code.add(file);
  return code.text();
}

void replay_workload::check_valid(const tc::config::machine& machine) const {
  for (std::size_t i = 0; i < headers().size(); ++i) unit_of(headers()[i], values().files[i], machine);
}

workload_outcome replay_workload::run_valid(const tc::config::machine& machine) const {
  study::error_statistics errors;
  std::uint64_t outputs = 0, mismatches = 0;
  std::vector<std::string> messages;
  for (const std::string& file : values().files) {
    study::vector_reader reader(file);
    const study::case_arithmetic arithmetic(reader.header(), unit_of(reader.header(), file, machine));
    const study::replay_result result = study::replay(reader, arithmetic, 0, {}, values().errors ? &errors : nullptr);
    outputs += result.outputs;
    mismatches += result.mismatches;
    if (result.mismatches > 0) messages.push_back(fmt::format("{}: {} of {} outputs differ", file, result.mismatches, result.outputs));
  }
  boost::json::object figures{{"kind", kind_name}, {"outputs", outputs}, {"mismatches", mismatches}};
  if (errors.results() > 0) figures["errors"] = figures_json(errors);
  return {mismatches > 0 ? exit_status::check_failed : exit_status::done,
          fmt::format("{}", fmt::join(messages, "; ")),
          {{"workload", figures}}};
}

std::vector<std::string> replay_workload::arguments() const {
  argument_list list(kind_name);
  list.add_words(values().files);
  return std::move(list).words();
}

}  // namespace tcsim

template const tc::config::parameter_type& tc::config::type_of<tcsim::replay_parameters>();
