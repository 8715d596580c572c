// SPDX-License-Identifier: Apache-2.0
#include "convolution_workload.hpp"

#include <utility>

#include <boost/describe/enum_to_string.hpp>
#include <fmt/format.h>

#include <tc/config/described_type.hpp>
#include <tc/config/validation.hpp>

#include "convolution_kernel.hpp"
#include "convolution_tensors.hpp"
#include "kernel_code_figures.hpp"
#include "simulation.hpp"

namespace tcsim {

namespace {

namespace kernels = tc::kernels;
using tc::config::member_path;
using tc::config::require;

}  // namespace

void validate(const convolution_parameters& parameters, const std::string& path) {
  for (const auto& [name, value] : {std::pair("height", parameters.height), std::pair("width", parameters.width),
                                    std::pair("channels", parameters.channels), std::pair("filters", parameters.filters)})
    require(value > 0, member_path(path, name), "is not given: height, width, channels and filters are needed");
  require(!parameters.ashift || parameters.method == convolution_choice::shift, member_path(path, "ashift"), "is for method shift");
  tc::config::require_at_most(parameters.stages, 4, path, "stages");
}

kernels::convolution_problem problem_of(const convolution_parameters& parameters) {
  kernels::convolution_problem problem;
  problem.batch = parameters.batch;
  problem.image = {parameters.height, parameters.width};
  problem.channels = parameters.channels;
  problem.filters = parameters.filters;
  problem.filter = {parameters.filter_height, parameters.filter_width};
  problem.padding = {parameters.padding_height, parameters.padding_width};
  problem.stride = {parameters.stride_height, parameters.stride_width};
  problem.dilation = {parameters.dilation_height, parameters.dilation_width};
  return problem;
}

kernels::convolution_options options_of(const convolution_parameters& parameters) {
  kernels::convolution_options options;
  const bool is_shift = parameters.method == convolution_choice::shift;
  options.method = is_shift ? kernels::convolution_method::shift : kernels::convolution_method::im2col;
  options.shift_with_product = parameters.ashift;
  options.stages = parameters.stages;
  return options;
}

}  // namespace tcsim

template const tc::config::parameter_type& tc::config::type_of<tcsim::convolution_parameters>();

namespace tcsim {

namespace {

std::string extent_text(unsigned height, unsigned width) { return fmt::format("{}x{}", height, width); }

}  // namespace

void convolution_workload::check_valid(const tc::config::machine& machine) const {
  const kernels::convolution_problem problem = problem_of(values());
  kernels::check_problem(problem);
  plan_convolution(problem, options_of(values()), convolution_architecture, {machine, code_machine(machine)});
}

workload_outcome convolution_workload::run_valid(const tc::config::machine& machine) const {
  const kernels::convolution_problem problem = problem_of(values());
  kernels::check_problem(problem);
  const kernels::convolution_tensors tensors = make_convolution_tensors(problem, values().seed, values().data);
  const convolution_kernel kernel(problem, options_of(values()), convolution_architecture, {machine, code_machine(machine)}, tensors);
  const tc::trace::trace trace = kernel.trace();
  return simulate({{kernel.name(), &trace}}, machine, run_options_for(machine, values().data), [&](const auto& result) {
    boost::json::object figures = figures_json(figures_of(kernel, result.kernels.front()));
    figures["code"] = code_json(trace);
    return figures;
  });
}

std::vector<std::string> convolution_workload::arguments() const {
  const convolution_parameters& given = values();
  const convolution_parameters usual;
  argument_list list(kind_name);
  list.add("--batch", given.batch, usual.batch);
  list.add("--height", given.height, usual.height);
  list.add("--width", given.width, usual.width);
  list.add("--channels", given.channels, usual.channels);
  list.add("--filters", given.filters, usual.filters);
  list.add("--filter-height", given.filter_height, usual.filter_height);
  list.add("--filter-width", given.filter_width, usual.filter_width);
  list.add("--padding", extent_text(given.padding_height, given.padding_width), extent_text(usual.padding_height, usual.padding_width));
  list.add("--stride", extent_text(given.stride_height, given.stride_width), extent_text(usual.stride_height, usual.stride_width));
  list.add("--dilation", extent_text(given.dilation_height, given.dilation_width),
           extent_text(usual.dilation_height, usual.dilation_width));
  list.add_words({"--method", boost::describe::enum_to_string(given.method, "")});
  list.add_flag("--ashift", given.ashift);
  list.add("--stages", given.stages, usual.stages);
  list.add("--seed", given.seed, usual.seed);
  list.add_flag("--no-data", !given.data);
  return std::move(list).words();
}

}  // namespace tcsim
