// SPDX-License-Identifier: Apache-2.0
#include "gemm_workload.hpp"

#include <boost/describe/enum_to_string.hpp>

#include <tc/config/parameter_writer.hpp>

#include "gemm_figures.hpp"
#include "gemm_kernel.hpp"
#include "kernel_code_figures.hpp"
#include "simulation.hpp"

namespace tcsim {

namespace {

constexpr const char* architecture_name = "architecture";

}  // namespace

void gemm_workload::check_valid(const tc::config::machine& machine) const {
  const kernel_target target{machine, code_machine(machine)};
  plan_gemm(values(), gemm_architecture(values().architecture, target, architecture_name), target);
}

workload_outcome gemm_workload::run_valid(const tc::config::machine& machine) const {
  const kernel_target target{machine, code_machine(machine)};
  const auto kernel = make_gemm_kernel(values(), gemm_architecture(values().architecture, target, architecture_name), target);
  const tc::trace::trace trace = kernel->trace();
  return simulate({{kernel->name(), &trace}}, machine, run_options_for(machine, values().data), [&](const auto& result) {
    boost::json::object figures = figures_json(figures_of(*kernel, result.kernels.front(), machine));
    figures["matrix_instructions"] = matrix_instructions_of(trace);
    figures["code"] = code_json(trace);
    return figures;
  });
}

std::vector<std::string> gemm_workload::arguments() const {
  const gemm_parameters& given = values();
  const gemm_parameters usual;
  argument_list list(kind_name);
  list.add("--size", given.size, usual.size);
  list.add("-m", given.m, usual.m);
  list.add("-n", given.n, usual.n);
  list.add("-k", given.k, usual.k);
  list.add("--precision", given.precision, usual.precision);
  list.add("--instructions", std::string(boost::describe::enum_to_string(given.instructions, "")), std::string("mma"));
  list.add("--tile", given.tile, usual.tile);
  list.add("--warps", given.warps, usual.warps);
  list.add("--stages", given.stages, usual.stages);
  list.add_flag("--single-buffer", given.single_buffer);
  list.add("--arch", given.architecture, usual.architecture);
  list.add("--seed", given.seed, usual.seed);
  list.add_flag("--no-data", !given.data);
  return std::move(list).words();
}

}  // namespace tcsim
