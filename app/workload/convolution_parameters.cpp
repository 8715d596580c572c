// SPDX-License-Identifier: Apache-2.0
#include "convolution_parameters.hpp"

#include <utility>

#include <tc/config/described_type.hpp>
#include <tc/config/validation.hpp>

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
