// SPDX-License-Identifier: Apache-2.0
#include "run_page.hpp"

#include <string_view>
#include <utility>

#include <tc/config/parameter_writer.hpp>
#include <tc/config/presets.hpp>
#include <tc/version.hpp>

#include "configuration_difference.hpp"
#include "html_page.hpp"

namespace tcsim {

namespace {

namespace json = boost::json;

/// Names stand for the built-in configurations; a file's configuration usually has the name of what it was made from.
json::object difference_from_built_in(const json::object& configuration) {
  const auto* const name = configuration.if_contains("name");
  if (name == nullptr || !name->is_string() || !tc::config::is_preset(name->get_string()))
    return {{"base", nullptr}, {"parameters", json::array()}};
  const std::string base = name->get_string().c_str();
  const json::value preset =
      json::parse(json::serialize(tc::config::to_json(tc::config::make_preset(base))));  // numbers as those of a text
  json::array parameters;
  for (const auto& each : configuration_differences(preset, configuration))
    parameters.push_back(json::array{each.path, each.base, each.value});
  return {{"base", base}, {"parameters", std::move(parameters)}};
}

/// What the page has a use for.
json::object shown_part(json::object statistics) {
  for (const std::string_view unused : {"clock_reads", "warps", "host"}) statistics.erase(unused);
  return statistics;
}

std::string title_of(const json::object& statistics) {
  const auto* const kernel = statistics.at("trace").as_object().if_contains("kernel");
  return (kernel != nullptr && kernel->is_string() ? std::string(kernel->get_string()) : std::string("run")) + " \u00b7 tcsim";
}

}  // namespace

json::object run_data(const json::object& statistics, const std::string& file) {
  return {{"tcsim", TC_VERSION_STRING},
          {"file", file},
          {"run", shown_part(statistics)},
          {"causes", cause_list()},
          {"differs", difference_from_built_in(statistics.at("config").as_object())}};
}

std::string run_page(const json::object& statistics, const std::string& file) {
  html_page page;
  page.title = title_of(statistics);
  page.body = "run.html";
  page.styles = {"run.css"};
  page.scripts = {"run_model.js", "run_summary.js",  "time_chart.js",    "time.js",  "canvas_view.js",     "zoom.js",    "gantt_rows.js",
                  "gantt.js",     "tensor_cells.js", "tensor_memory.js", "banks.js", "shared_accesses.js", "run_main.js"};
  page.data = run_data(statistics, file);
  return html_text(page);
}

}  // namespace tcsim
