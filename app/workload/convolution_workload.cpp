// SPDX-License-Identifier: Apache-2.0
#include "convolution_workload.hpp"

#include <boost/describe/enum_to_string.hpp>
#include <fmt/format.h>

#include "convolution_figures.hpp"
#include "convolution_kernel.hpp"
#include "convolution_tensors.hpp"
#include "simulation.hpp"

namespace tcsim {

namespace {

namespace kernels = tc::kernels;

std::string extent_text(unsigned height, unsigned width) { return fmt::format("{}x{}", height, width); }

}  // namespace

void convolution_workload::check_valid(const tc::config::machine& machine) const {
  const kernels::convolution_problem problem = problem_of(values());
  kernels::check_problem(problem);
  kernels::make_convolution_plan(problem, options_of(values()), convolution_architecture, machine);
}

workload_outcome convolution_workload::run_valid(const tc::config::machine& machine) const {
  const kernels::convolution_problem problem = problem_of(values());
  kernels::check_problem(problem);
  const kernels::convolution_tensors tensors = make_convolution_tensors(problem, values().seed, values().data);
  const convolution_kernel kernel(problem, options_of(values()), convolution_architecture, machine, tensors);
  const tc::trace::trace trace = kernel.trace();
  return simulate({{kernel.name(), &trace}}, machine, run_options_for(machine, values().data),
                  [&kernel](const auto& result) { return figures_json(figures_of(kernel, result.kernels.front())); });
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
