// SPDX-License-Identifier: Apache-2.0
#include "gemm_kernel.hpp"

#include <fmt/format.h>

#include <tc/config/machine_architectures.hpp>
#include <tc/config/make_dot_product.hpp>
#include <tc/config/spelling.hpp>
#include <tc/kernels/gemm_trace.hpp>
#include <tc/kernels/warpgroup_gemm_trace.hpp>
#include <tc/subcore/tensor/tensor_operation.hpp>

#include "exit_status.hpp"
#include "trace_text.hpp"

namespace tcsim {

namespace {

namespace kernels = tc::kernels;

/// The values of a kernel whose CTAs compute a tile each.
template <class Tiling>
gemm_values with_tile(gemm_values values, const Tiling& tiling) {
  values.tile_m = tiling.m;
  values.tile_n = tiling.n;
  return values;
}

product_step step_of(const tc::isa::mma_operation& operation, const tc::config::machine& machine, tc::config::operand_source source) {
  return {tc::subcore::dot_product_of(operation, machine.sm.sub_core.tensor_core.arithmetic, source), operation.k};
}

/// The same for kernels of either kind.
kernels::gemm_plan plan(const kernels::gemm_problem& problem, const kernels::gemm_tiling& tiling, tc::isa::architecture arch,
                        const tc::config::machine& machine) {
  return kernels::make_gemm_plan(problem, tiling, arch, machine);
}
kernels::warpgroup_gemm_plan plan(const kernels::gemm_problem& problem, const kernels::warpgroup_tiling& tiling, tc::isa::architecture arch,
                                  const tc::config::machine& machine) {
  return kernels::make_warpgroup_gemm_plan(problem, tiling, arch, machine);
}

/// The plan of the code. What it leaves to the machine that runs it is tested there, with all that has been chosen.
template <class Tiling>
auto plan_for(const kernels::gemm_problem& problem, const Tiling& tiling, tc::isa::architecture arch, const kernel_target& target) {
  auto made = plan(problem, tiling, arch, target.made_for);
  if (target.is_one_machine()) return made;
  try {
    plan(problem, made.tiling, arch, target.runs);
  } catch (const kernels::gemm_error& error) {
    throw kernels::gemm_error(fmt::format("this machine cannot run the code that was made for another one: {}", error.what()));
  }
  return made;
}

}  // namespace

tc::trace::trace gemm_kernel::trace() const { return text()->made(name()); }

void gemm_kernel::write(std::ostream& out, const tc::trace::progress_listener& progress) const { write_trace_text(*text(), out, progress); }

register_gemm_kernel::register_gemm_kernel(const kernels::gemm_problem& problem, const kernels::gemm_tiling& tiling,
                                           tc::isa::architecture arch, const kernel_target& target, const gemm_values& values)
    : plan_(plan_for(problem, tiling, arch, target)),
      program_(plan_, target.made_for),
      matrices_(make_gemm_matrices(problem, step_of(plan_.step.operation, target.runs, tc::config::operand_source::registers),
                                   with_tile(values, plan_.tiling))) {}

std::unique_ptr<kernels::gemm_text> register_gemm_kernel::text() const {
  return std::make_unique<kernels::gemm_trace>(plan_, program_, matrices_);
}

warpgroup_gemm_kernel::warpgroup_gemm_kernel(const kernels::gemm_problem& problem, const kernels::warpgroup_tiling& tiling,
                                             tc::isa::architecture arch, const kernel_target& target, const gemm_values& values)
    : plan_(plan_for(problem, tiling, arch, target)),
      program_(plan_),
      matrices_(make_gemm_matrices(problem, step_of(plan_.operation, target.runs, tc::config::operand_source::shared_memory),
                                   with_tile(values, plan_.tiling))) {}

std::unique_ptr<kernels::gemm_text> warpgroup_gemm_kernel::text() const {
  return std::make_unique<kernels::warpgroup_gemm_trace>(plan_, program_, matrices_);
}

namespace {

template <class Kernel, class Tiling>
std::unique_ptr<gemm_kernel> make(const gemm_parameters& parameters, Tiling tiling, tc::isa::architecture arch, const kernel_target& target,
                                  std::uint64_t memory_base) {
  tiling.memory_base = memory_base;
  return std::make_unique<Kernel>(problem_of(parameters), tiling, arch, target, gemm_values{parameters.seed, parameters.data});
}

}  // namespace

tc::isa::architecture gemm_architecture(const std::string& name, const kernel_target& target, const char* called) {
  const std::string chosen = name.empty() ? target.made_for.architectures.at(0) : name;
  const auto arch = tc::isa::find_architecture(chosen);
  for (const tc::config::machine* const machine : {&target.made_for, &target.runs})
    if (!arch || !tc::config::runs_code_of(*machine, *arch))
      throw usage_error(fmt::format("{} {}: {} runs {}", called, chosen, machine->name, tc::config::joined(machine->architectures)));
  if (!kernels::has_gemm(*arch))
    throw usage_error(
        fmt::format("there is no GEMM kernel for {}, whose matrix instructions work on tensor memory; there are kernels for {}", chosen,
                    tc::isa::architecture_names([](const tc::isa::architecture_info& row) { return kernels::has_gemm(row.arch); })));
  return *arch;
}

void plan_gemm(const gemm_parameters& parameters, tc::isa::architecture arch, const kernel_target& target) {
  if (parameters.instructions == gemm_instructions::wgmma)
    plan_for(problem_of(parameters), warpgroup_tiling_of(parameters), arch, target);
  else
    plan_for(problem_of(parameters), register_tiling_of(parameters), arch, target);
}

std::unique_ptr<gemm_kernel> make_gemm_kernel(const gemm_parameters& parameters, tc::isa::architecture arch, const kernel_target& target,
                                              std::uint64_t memory_base) {
  if (parameters.instructions == gemm_instructions::wgmma)
    return make<warpgroup_gemm_kernel>(parameters, warpgroup_tiling_of(parameters), arch, target, memory_base);
  return make<register_gemm_kernel>(parameters, register_tiling_of(parameters), arch, target, memory_base);
}

}  // namespace tcsim
