// SPDX-License-Identifier: Apache-2.0
#include "make_gemm_kernel.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tc/config/spelling.hpp>

#include "exit_status.hpp"

namespace tcsim {

namespace {

namespace kernels = tc::kernels;

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
