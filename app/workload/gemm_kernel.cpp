// SPDX-License-Identifier: Apache-2.0
#include "gemm_kernel.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tc/config/make_dot_product.hpp>
#include <tc/config/spelling.hpp>
#include <tc/kernels/gemm_trace.hpp>
#include <tc/kernels/warpgroup_gemm_trace.hpp>
#include <tc/subcore/tensor/tensor_operation.hpp>

#include "exit_status.hpp"

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

}  // namespace

tc::trace::trace gemm_kernel::trace() const { return text()->made(name()); }

void gemm_kernel::write(std::ostream& out) const { out << text().get(); }

register_gemm_kernel::register_gemm_kernel(const kernels::gemm_problem& problem, const kernels::gemm_tiling& tiling,
                                           tc::isa::architecture arch, const tc::config::machine& machine, const gemm_values& values)
    : plan_(kernels::make_gemm_plan(problem, tiling, arch, machine)),
      program_(plan_, machine),
      matrices_(make_gemm_matrices(problem, step_of(plan_.step.operation, machine, tc::config::operand_source::registers),
                                   with_tile(values, plan_.tiling))) {}

std::unique_ptr<kernels::gemm_text> register_gemm_kernel::text() const {
  return std::make_unique<kernels::gemm_trace>(plan_, program_, matrices_);
}

warpgroup_gemm_kernel::warpgroup_gemm_kernel(const kernels::gemm_problem& problem, const kernels::warpgroup_tiling& tiling,
                                             tc::isa::architecture arch, const tc::config::machine& machine, const gemm_values& values)
    : plan_(kernels::make_warpgroup_gemm_plan(problem, tiling, arch, machine)),
      program_(plan_),
      matrices_(make_gemm_matrices(problem, step_of(plan_.operation, machine, tc::config::operand_source::shared_memory),
                                   with_tile(values, plan_.tiling))) {}

std::unique_ptr<kernels::gemm_text> warpgroup_gemm_kernel::text() const {
  return std::make_unique<kernels::warpgroup_gemm_trace>(plan_, program_, matrices_);
}

namespace {

template <class Kernel, class Tiling>
std::unique_ptr<gemm_kernel> make(const gemm_parameters& parameters, Tiling tiling, tc::isa::architecture arch,
                                  const tc::config::machine& machine, std::uint64_t memory_base) {
  tiling.memory_base = memory_base;
  return std::make_unique<Kernel>(problem_of(parameters), tiling, arch, machine, gemm_values{parameters.seed, parameters.data});
}

}  // namespace

tc::isa::architecture gemm_architecture(const std::string& name, const tc::config::machine& machine, const char* called) {
  const std::string chosen = name.empty() ? machine.architectures.at(0) : name;
  const auto arch = tc::isa::find_architecture(chosen);
  if (!arch || std::find(machine.architectures.begin(), machine.architectures.end(), chosen) == machine.architectures.end())
    throw usage_error(fmt::format("{} {}: {} runs {}", called, chosen, machine.name, tc::config::joined(machine.architectures)));
  if (!kernels::has_gemm(*arch))
    throw usage_error(
        fmt::format("there is no GEMM kernel for {}, whose matrix instructions work on tensor memory; there are kernels for {}", chosen,
                    tc::isa::architecture_names([](const tc::isa::architecture_info& row) { return kernels::has_gemm(row.arch); })));
  return *arch;
}

void plan_gemm(const gemm_parameters& parameters, tc::isa::architecture arch, const tc::config::machine& machine) {
  if (parameters.instructions == gemm_instructions::wgmma)
    kernels::make_warpgroup_gemm_plan(problem_of(parameters), warpgroup_tiling_of(parameters), arch, machine);
  else
    kernels::make_gemm_plan(problem_of(parameters), register_tiling_of(parameters), arch, machine);
}

std::unique_ptr<gemm_kernel> make_gemm_kernel(const gemm_parameters& parameters, tc::isa::architecture arch,
                                              const tc::config::machine& machine, std::uint64_t memory_base) {
  if (parameters.instructions == gemm_instructions::wgmma)
    return make<warpgroup_gemm_kernel>(parameters, warpgroup_tiling_of(parameters), arch, machine, memory_base);
  return make<register_gemm_kernel>(parameters, register_tiling_of(parameters), arch, machine, memory_base);
}

}  // namespace tcsim
