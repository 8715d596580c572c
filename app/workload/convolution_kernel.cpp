// SPDX-License-Identifier: Apache-2.0
#include "convolution_kernel.hpp"

#include <fmt/format.h>

#include "trace_text.hpp"

namespace tcsim {

tc::kernels::convolution_plan plan_convolution(const tc::kernels::convolution_problem& problem,
                                               const tc::kernels::convolution_options& options, tc::isa::architecture arch,
                                               const kernel_target& target) {
  namespace kernels = tc::kernels;
  kernels::convolution_plan plan = kernels::make_convolution_plan(problem, options, arch, target.made_for);
  if (target.is_one_machine()) return plan;
  const std::uint64_t there_is = target.runs.sm.shared_memory.bytes;
  if (!kernels::has_convolution(arch, target.runs) || plan.shared_bytes > there_is)
    throw kernels::convolution_error(
        fmt::format("this machine cannot run the code that was made for another one: it takes {} columns of tensor memory and {} bytes of "
                    "shared memory; an SM has {} and {}",
                    kernels::convolution_plan::columns, plan.shared_bytes, target.runs.sm.tensor_memory.columns, there_is));
  return plan;
}

tc::trace::trace convolution_kernel::trace() const { return tc::kernels::convolution_trace(plan_, program_, tensors_).made(name()); }

void convolution_kernel::write(std::ostream& out, const tc::trace::progress_listener& progress) const {
  tc::kernels::convolution_trace text(plan_, program_, tensors_);
  write_trace_text(text, out, progress);
}

convolution_figures figures_of(const convolution_kernel& kernel, const tc::accounting::kernel_result& result) {
  convolution_figures figures;
  figures.title = tc::kernels::name(kernel.plan().options.method);
  figures.multiply_accumulates = kernel.plan().problem.multiply_accumulates();
  figures.traffic = traffic_of(kernel.plan());
  figures.cycles = result.cycles();
  figures.is_checked = !result.expectations.empty();
  figures.wrong_addresses = result.addresses.different;
  for (const auto& expectation : result.expectations) {
    figures.mismatches += expectation.mismatches;
    figures.undefined += expectation.undefined;
  }
  return figures;
}

boost::json::object figures_json(const convolution_figures& figures) {
  const tc::kernels::convolution_traffic& traffic = figures.traffic;
  const auto cycles = static_cast<double>(figures.cycles);
  boost::json::object json{{"kind", "conv"},
                           {"method", figures.title},
                           {"ctas", traffic.ctas},
                           {"cycles", figures.cycles},
                           {"multiply_accumulates", figures.multiply_accumulates},
                           {"multiply_accumulates_per_cycle", static_cast<double>(figures.multiply_accumulates) / cycles},
                           {"products", traffic.products},
                           {"window_copies", traffic.window_copies},
                           {"refills", traffic.refills},
                           {"shifts", traffic.shifts},
                           {"commits", traffic.commits},
                           {"bulk_copies", traffic.bulk_copies},
                           {"global_activation_bytes", traffic.global_activations},
                           {"global_filter_bytes", traffic.global_filters},
                           {"shared_activation_bytes", traffic.shared_activations},
                           {"shared_padding_bytes", traffic.shared_padding},
                           {"shared_filter_bytes", traffic.shared_filters},
                           {"tensor_activation_bytes", traffic.tensor_activations},
                           {"tensor_sum_bytes_read", traffic.tensor_sums_read},
                           {"tensor_sum_bytes_written", traffic.tensor_sums_written},
                           {"disabled_lanes", traffic.disabled_lanes}};
  if (figures.is_checked) {
    json["mismatches"] = figures.mismatches;
    json["undefined"] = figures.undefined;
  }
  return json;
}

}  // namespace tcsim
