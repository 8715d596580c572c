// SPDX-License-Identifier: Apache-2.0
#include "launched_grid.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tc/execution/launch_constants.hpp>
#include <tc/isa/architecture.hpp>
#include <tc/launches/launch_content.hpp>
#include <tc/trace/trace_error.hpp>

namespace tc::execution {

namespace {

constexpr std::uint64_t usual_local_bytes = std::uint64_t{1} << 16;
constexpr std::uint64_t workspace_bytes = 512;  // of a cooperative launch

unsigned resident_ctas(const launches::launch& launch, const config::machine& machine, std::uint64_t shared_bytes, unsigned registers) {
  constexpr std::uint64_t registers_of_sm = 65536;
  const std::uint64_t warps = (launch.block.count() + warp::lanes_per_warp - 1) / warp::lanes_per_warp;
  std::uint64_t ctas = std::min<std::uint64_t>(machine.sm.max_ctas, machine.sm.max_warps / std::max<std::uint64_t>(warps, 1));
  ctas = std::min(ctas, registers_of_sm / std::max<std::uint64_t>(warps * warp::lanes_per_warp * registers, 1));
  if (shared_bytes != 0) ctas = std::min<std::uint64_t>(ctas, machine.sm.shared_memory.bytes / shared_bytes);
  return static_cast<unsigned>(std::max<std::uint64_t>(ctas, 1) * machine.sms);
}

void check_shared(const launches::launch& launch, std::uint64_t shared_bytes, const config::machine& machine) {
  if (shared_bytes > machine.sm.shared_memory.bytes)
    throw trace::trace_error(launch.file, launch.shared_place.line, launch.shared_place.column,
                             fmt::format("{} bytes of shared memory, with those of the system; an SM of {} has {}", shared_bytes,
                                         machine.name, machine.sm.shared_memory.bytes));
}

void check_registers(const launches::launch& launch, const program& code) {
  if (launch.registers != 0 && code.registers() > launch.registers)
    throw trace::trace_error(launch.file, launch.registers_place.line, launch.registers_place.column,
                             fmt::format("{} registers; the code names R{}", launch.registers, code.registers() - 1));
}

/// Variables of a constant bank can be read as global memory too.
void fill_bank(const warp::constant_memory& constants, const listings::sass_kernel& kernel, const module_symbols& symbols,
               global_memory& memory) {
  std::uint64_t bytes = 0;
  for (const listings::listed_constants& each : kernel.constants)
    if (each.bank == module_symbols::variable_bank) bytes = std::max(bytes, each.content.offset + each.content.bytes.size());
  if (bytes == 0 || symbols.is_bank_given()) return;
  std::uint8_t* const to = memory.add(symbols.bank_address(), bytes).content.data();
  for (std::uint32_t i = 0; i < bytes; ++i)
    to[i] = static_cast<std::uint8_t>(constants.number(module_symbols::variable_bank, i, 1).value_or(0));
}

/// CTAs of a cooperative launch are resident together, since they wait for each other.
void check_cooperative(const launches::launch& launch, unsigned resident, const config::machine& machine) {
  if (launch.is_cooperative && launch.grid.count() > resident)
    throw trace::trace_error(
        launch.file, launch.cooperative_place.line, launch.cooperative_place.column,
        fmt::format("a cooperative launch of {} CTAs; {} holds {} of them at a time", launch.grid.count(), machine.name, resident));
}

std::uint64_t shared_bytes_of(const launches::launch& launch, const listings::sass_kernel& kernel) {
  return launch.shared_bytes() + isa::info(kernel.arch).reserved_shared_bytes;
}

}  // namespace

launched_grid::launched_grid(const launches::launch& launch, const listings::sass_kernel& kernel, const config::machine& machine,
                             execution_observer* observer, bool is_timed)
    : symbols_(launch, kernel),
      constants_(constants_of(launch, kernel, symbols_)),
      code_(kernel, symbols_, constants_, machine.sm.sub_core.tensor_core.arithmetic),
      setting_{code_,
               memory,
               counts,
               launch.grid,
               launch.block,
               launch.cluster,
               shared_bytes_of(launch, kernel),
               launch.local_bytes.value_or(usual_local_bytes),
               symbols_.code_address(),
               observer,
               &symbols_,
               is_timed},
      resident_(execution::resident_ctas(launch, machine, setting_.shared_bytes, std::max(1U, launch.registers))) {
  check_shared(launch, setting_.shared_bytes, machine);
  check_registers(launch, code_);
  check_cooperative(launch, resident_, machine);
  fill_memory(launch, kernel);
}

void launched_grid::fill_memory(const launches::launch& launch, const listings::sass_kernel& kernel) {
  for (const launches::launch_allocation& each : launch.allocations)
    launches::write_content(each.before, memory.add(each.base, each.bytes).content.data(), each.bytes);
  for (const module_symbols::placed_variable& each : symbols_.placed()) {
    const auto& range = memory.add(each.base, each.variable->bytes);
    std::copy(each.variable->content.begin(), each.variable->content.end(), range.content.data());
    for (const listings::listed_symbol& reference : each.variable->references)
      if (const auto address = symbols_.address_of(reference.text)) {
        const std::vector<std::uint8_t> bytes = little_endian(*address, reference.bytes);
        std::copy(bytes.begin(), bytes.end(), range.content.data() + reference.offset);
      }
  }
  fill_bank(constants_, kernel, symbols_, memory);
  if (launch.is_cooperative) memory.add(symbols_.end(), workspace_bytes);
}

}  // namespace tc::execution
