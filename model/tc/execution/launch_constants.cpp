// SPDX-License-Identifier: Apache-2.0
#include "launch_constants.hpp"

#include <cmath>
#include <cstring>
#include <initializer_list>

#include <tc/execution/cta_state.hpp>
#include <tc/launches/launch_content.hpp>

namespace tc::execution {

namespace {

/// Where a driver puts what, in constant bank 0 up to the parameters (read from compiled code).
struct driver_constants {
  std::uint32_t shared_window, local_window, stack, descriptor, variable_bank;
  std::uint32_t workspace_high = 0,
                workspace_low = 0;  ///< halves of the address of what CTAs of a cooperative launch wait by; 0: not known
};

driver_constants driver_constants_of(isa::architecture arch) {
  if (arch >= isa::architecture::sm_100) return {0x348, 0x350, 0x37c, 0x358, 0x120, 0x254, 0x258};
  if (arch >= isa::architecture::sm_90) return {0x18, 0x20, 0x28, 0x208, 0xd0, 0x44, 0x48};
  return {0x18, 0x20, 0x28, 0x118, 0x50, 0x8c, 0x90};
}

std::uint32_t words_of_float(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// The smallest f32 that is not below 1 / x, so that the code's products with it are not below the quotients.
std::uint32_t reciprocal(std::uint32_t x) {
  const float nearest = 1.0F / static_cast<float>(x);
  return words_of_float(static_cast<double>(nearest) * x < 1.0 ? std::nextafter(nearest, 2.0F) : nearest);
}

/// What the driver says of clusters and of shared memory on Hopper (read from compiled code of %cluster_ctaid, %nclusterid and the like).
template <class SetWords>
void set_cluster_constants(const launches::launch& launch, const SetWords& set_words) {
  const trace::dim3 &cluster = launch.cluster, &grid = launch.grid;
  const auto count = static_cast<std::uint32_t>(cluster.count());
  set_words(0x2c, {static_cast<std::uint32_t>(launch.dynamic_shared_bytes)});
  set_words(0x114, {isa::info(isa::architecture::sm_90).reserved_shared_bytes});
  set_words(0x140,
            {count > 1 ? 1U : 0U, cluster.x, cluster.y, cluster.z, reciprocal(cluster.x), reciprocal(cluster.y), reciprocal(cluster.z)});
  set_words(0x15c, {grid.x / cluster.x, grid.y / cluster.y, grid.z / cluster.z});
  set_words(0x188, {count});
}

}  // namespace

std::vector<std::uint8_t> little_endian(std::uint64_t value, unsigned bytes) {
  std::vector<std::uint8_t> result(bytes);
  for (unsigned i = 0; i < bytes; ++i) result[i] = static_cast<std::uint8_t>(value >> 8 * i);
  return result;
}

std::uint32_t stack_constant_offset(isa::architecture arch) { return driver_constants_of(arch).stack; }

warp::constant_memory constants_of(const launches::launch& launch, const listings::sass_kernel& kernel, const module_symbols& symbols) {
  warp::constant_memory constants;
  const isa::architecture_info& arch = isa::info(kernel.arch);
  const driver_constants driver = driver_constants_of(kernel.arch);
  const auto set_words = [&](std::uint32_t offset, std::initializer_list<std::uint32_t> words) {
    for (const std::uint32_t word : words) {
      constants.set(0, offset, little_endian(word, 4));
      offset += 4;
    }
  };
  set_words(arch.block_extents_offset, {launch.block.x, launch.block.y, launch.block.z});
  set_words(arch.grid_extents_offset, {launch.grid.x, launch.grid.y, launch.grid.z});
  constants.set(0, driver.shared_window, little_endian(shared_window, 8));
  constants.set(0, driver.local_window, little_endian(local_window, 8));
  constants.set(0, driver.stack, little_endian(stack_top, 4));
  constants.set(0, driver.descriptor, little_endian(0, 8));
  constants.set(0, driver.variable_bank, little_endian(symbols.bank_address(), 8));
  if (driver.workspace_high != 0) {
    const std::uint64_t workspace = launch.is_cooperative ? symbols.end() : 0;
    set_words(driver.workspace_high, {static_cast<std::uint32_t>(workspace >> 32U)});
    set_words(driver.workspace_low, {static_cast<std::uint32_t>(workspace)});
  }
  if (kernel.arch == isa::architecture::sm_90) set_cluster_constants(launch, set_words);
  for (const listings::listed_constants& listed : kernel.constants)
    constants.set(listed.bank, static_cast<std::uint32_t>(listed.content.offset), listed.content.bytes);
  for (const listings::listed_reference& reference : kernel.references)
    if (const auto address = symbols.address_of(reference.symbol.text))
      constants.set(reference.bank, static_cast<std::uint32_t>(reference.symbol.offset), little_endian(*address, reference.symbol.bytes));
  for (const launches::launch_allocation& each : launch.allocations)
    if (const auto variable = kernel.constant_variables.find(each.name); variable != kernel.constant_variables.end())
      constants.set(variable->second.bank, variable->second.offset, launches::content_bytes(each.before, each.bytes));
  for (const launches::launch_parameter& parameter : launch.parameters)
    constants.set(0, arch.parameter_offset + parameter.offset, parameter.bytes);
  for (const launches::launch_constant& constant : launch.constants) constants.set(constant.bank, constant.offset, constant.bytes);
  return constants;
}

}  // namespace tc::execution
