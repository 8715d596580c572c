// SPDX-License-Identifier: Apache-2.0
#include "command_kernel.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <tc/isa/architecture.hpp>
#include <tc/kernels/convolution_problem.hpp>
#include <tc/kernels/convolution_trace.hpp>
#include <tc/kernels/gemm_problem.hpp>
#include <tc/kernels/gemm_trace.hpp>
#include <tc/kernels/warpgroup_gemm_trace.hpp>
#include <tc/platform/command_descriptor.hpp>
#include <tc/platform/device_registers.hpp>
#include <tc/trace/trace_error.hpp>

namespace tc::platform {
namespace {

/// A matrix or tensor in memory.
struct tensor_region {
  const char* name;
  std::uint64_t address, bytes;

  bool overlaps(const tensor_region& other) const { return address < other.address + other.bytes && other.address < address + bytes; }
};

[[noreturn]] void refuse(const std::string& text) { throw command_error(command_status::bad_descriptor, text); }

void check_region(const tensor_region& region) {
  if (region.address % layout::matrix_alignment != 0)
    refuse(fmt::format("the address of {}, {:#x}, is no multiple of {}", region.name, region.address, layout::matrix_alignment));
  if (region.bytes > std::numeric_limits<std::uint64_t>::max() - region.address)
    refuse(fmt::format("{}, {} bytes at {:#x}, reaches behind the last address", region.name, region.bytes, region.address));
}

/// What is read may overlap; what is written may not.
void check_regions(const tensor_region& first, const tensor_region& second, const tensor_region& result) {
  for (const tensor_region* region : {&first, &second, &result}) check_region(*region);
  for (const tensor_region* region : {&first, &second})
    if (region->overlaps(result))
      refuse(fmt::format("{}, {} bytes at {:#x}, overlaps {}, {} bytes at {:#x}", result.name, result.bytes, result.address, region->name,
                         region->bytes, region->address));
}

template <std::size_t Count>
std::string_view name_of(std::uint32_t code, const std::array<named_code, Count>& codes, const char* what) {
  const auto found = std::find_if(codes.begin(), codes.end(), [code](const named_code& row) { return row.code == code; });
  if (found == codes.end())
    refuse(fmt::format("there is no {} with the code {}; there are {} to {}", what, code, codes.front().code, codes.back().code));
  return found->name;
}

isa::architecture architecture_of(const config::machine& machine) { return *isa::find_architecture(machine.architectures.at(0)); }

command_kernel made(const kernels::kernel_text& text, const std::string& name, const trace::size_limits& limits) {
  return {std::make_shared<const trace::trace>(text.made(name, limits)), name};
}

command_kernel convolution_at(const kernels::convolution_problem& problem, const kernels::convolution_options& options,
                              const kernels::matrix_placement& memory, const config::machine& machine, const trace::size_limits& limits) {
  kernels::convolution_plan plan = kernels::make_convolution_plan(problem, options, architecture_of(machine), machine);
  plan.input = memory.a;
  plan.filters = memory.b;
  plan.output = memory.d;
  const kernels::convolution_program program(plan);
  const kernels::convolution_tensors in_memory;
  return made(kernels::convolution_trace(plan, program, in_memory), kernels::convolution_trace::kernel_name(plan), limits);
}

command_kernel register_gemm(const kernels::gemm_problem& problem, const kernels::matrix_placement& memory, const config::machine& machine,
                             const trace::size_limits& limits) {
  kernels::gemm_plan plan = kernels::make_gemm_plan(problem, {}, architecture_of(machine), machine);
  plan.memory = memory;
  const kernels::gemm_program program(plan, machine);
  const kernels::gemm_matrices in_memory;
  return made(kernels::gemm_trace(plan, program, in_memory), kernels::gemm_text::kernel_name(problem), limits);
}

command_kernel warpgroup_gemm(const kernels::gemm_problem& problem, const kernels::matrix_placement& memory, const config::machine& machine,
                              const trace::size_limits& limits) {
  kernels::warpgroup_gemm_plan plan = kernels::make_warpgroup_gemm_plan(problem, {}, architecture_of(machine), machine);
  plan.memory = memory;
  const kernels::warpgroup_gemm_program program(plan);
  const kernels::gemm_matrices in_memory;
  return made(kernels::warpgroup_gemm_trace(plan, program, in_memory), kernels::gemm_text::kernel_name(problem), limits);
}

/// On tensor memory.
command_kernel pointwise_gemm(const kernels::gemm_problem& problem, const kernels::matrix_placement& memory, const config::machine& machine,
                              const trace::size_limits& limits) {
  if (problem.precision.name != "mixed")
    throw kernels::gemm_error(fmt::format("there is no kernel for {} on tensor memory; there is one for mixed", problem.precision.name));
  kernels::require_multiple("k", problem.k, kernels::convolution_problem::channel_unit, "the k of the instruction");
  kernels::convolution_problem pixels;
  pixels.image = {1, problem.m};
  pixels.channels = problem.k;
  pixels.filters = problem.n;
  command_kernel kernel = convolution_at(pixels, {}, memory, machine, limits);
  kernel.name = kernels::gemm_text::kernel_name(problem);
  return kernel;
}

command_kernel gemm_at(const kernels::gemm_problem& problem, const kernels::matrix_placement& memory, gemm_instructions instructions,
                       const config::machine& machine, const trace::size_limits& limits) {
  if (instructions == gemm_instructions::wgmma) return warpgroup_gemm(problem, memory, machine, limits);
  return kernels::has_gemm(architecture_of(machine)) ? register_gemm(problem, memory, machine, limits)
                                                     : pointwise_gemm(problem, memory, machine, limits);
}

/// Errors of kernels are about what the machine and its kernels can do.
template <class Make>
command_kernel made_by(Make make) {
  try {
    return make();
  } catch (const kernels::gemm_error& error) {
    throw command_error(command_status::unsupported, error.what());
  } catch (const kernels::convolution_error& error) {
    throw command_error(command_status::unsupported, error.what());
  } catch (const trace::trace_error& error) {
    throw command_error(command_status::unsupported, error.what());
  }
}

}  // namespace

std::uint32_t capabilities_of(const config::machine& machine) {
  const isa::architecture arch = architecture_of(machine);
  const bool has_convolution = kernels::has_convolution(arch, machine);
  std::uint32_t capabilities = fields::run_trace.mask();
  if (kernels::has_gemm(arch) || has_convolution) capabilities |= fields::gemm.mask();
  if (kernels::has_warpgroup_gemm(arch, machine)) capabilities |= fields::warpgroup_gemm.mask();
  if (has_convolution) capabilities |= fields::convolution.mask();
  return capabilities;
}

command_kernel make_gemm_kernel(const command_descriptor& descriptor, const config::machine& machine, const trace::size_limits& limits) {
  using namespace layout;
  const std::string_view name = name_of(descriptor.number(precision), gemm_precisions, "precision");
  name_of(descriptor.number(instructions), gemm_instruction_codes, "kind of instructions");
  const kernels::gemm_problem problem{descriptor.number(m), descriptor.number(n), descriptor.number(k), kernels::find_precision(name)};
  if (problem.m == 0 || problem.n == 0 || problem.k == 0)
    refuse(fmt::format("a product of {} x {} x {} has no elements", problem.m, problem.n, problem.k));
  if (std::max({problem.m, problem.n, problem.k}) >= 1U << 24) refuse("m, n and k must be less than 16777216");
  const kernels::matrix_placement memory{descriptor.wide(a), descriptor.wide(b), descriptor.wide(d)};
  check_regions({"A", memory.a, problem.a_bytes()}, {"B", memory.b, problem.b_bytes()}, {"D", memory.d, problem.d_bytes()});
  return made_by(
      [&] { return gemm_at(problem, memory, static_cast<gemm_instructions>(descriptor.number(instructions)), machine, limits); });
}

command_kernel make_convolution_kernel(const command_descriptor& descriptor, const config::machine& machine,
                                       const trace::size_limits& limits) {
  using namespace layout;
  const auto extent = [&](const layout_field& vertical, const layout_field& horizontal) {
    return kernels::image_extent{descriptor.number(vertical), descriptor.number(horizontal)};
  };
  kernels::convolution_problem problem;
  problem.batch = descriptor.number(batch);
  problem.image = extent(height, width);
  problem.channels = descriptor.number(channels);
  problem.filters = descriptor.number(filters);
  problem.filter = extent(filter_height, filter_width);
  problem.padding = extent(padding_height, padding_width);
  problem.stride = extent(stride_height, stride_width);
  problem.dilation = extent(dilation_height, dilation_width);
  kernels::convolution_options options;
  name_of(descriptor.number(method), convolution_methods, "method");
  options.method = static_cast<kernels::convolution_method>(descriptor.number(method));
  try {
    kernels::check_problem(problem);
  } catch (const kernels::convolution_error& error) {
    refuse(error.what());
  }
  const kernels::matrix_placement memory{descriptor.wide(input), descriptor.wide(filter), descriptor.wide(output)};
  check_regions({"the input", memory.a, problem.input_bytes()}, {"the filters", memory.b, problem.filter_bytes()},
                {"the output", memory.d, problem.output_bytes()});
  return made_by([&] { return convolution_at(problem, options, memory, machine, limits); });
}

command_kernel kernel_cache::get(const command_descriptor& descriptor) {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const entry& each) { return each.descriptor.has_parameters_of(descriptor); });
  if (found != entries_.end()) {
    std::rotate(found, found + 1, entries_.end());
    return entries_.back().kernel;
  }
  const bool is_gemm = descriptor.opcode() == command_opcode::gemm;
  command_kernel kernel =
      is_gemm ? make_gemm_kernel(descriptor, machine_, limits_) : make_convolution_kernel(descriptor, machine_, limits_);
  if (entries_.size() == kept_kernels) entries_.erase(entries_.begin());
  entries_.push_back({descriptor, kernel});
  return kernel;
}

}  // namespace tc::platform
