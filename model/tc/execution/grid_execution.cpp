// SPDX-License-Identifier: Apache-2.0
#include "grid_execution.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <memory>

#include <fmt/format.h>

#include <tc/execution/cta_state.hpp>
#include <tc/execution/kernel_fault.hpp>
#include <tc/execution/program.hpp>
#include <tc/isa/architecture.hpp>
#include <tc/launches/launch_content.hpp>
#include <tc/trace/trace_error.hpp>

namespace tc::execution {

namespace {

constexpr std::uint64_t turn_instructions = 4096;  // that a warp executes before others of its CTA go on
constexpr unsigned turns_alone = 64;               // of a CTA before the next one begins
constexpr std::uint64_t usual_local_bytes = std::uint64_t{1} << 16;

std::vector<std::uint8_t> little_endian(std::uint64_t value, unsigned bytes) {
  std::vector<std::uint8_t> result(bytes);
  for (unsigned i = 0; i < bytes; ++i) result[i] = static_cast<std::uint8_t>(value >> 8 * i);
  return result;
}

/// Where a driver puts what, in constant bank 0 up to the parameters (read from compiled code).
struct driver_constants {
  std::uint32_t shared_window, local_window, stack, descriptor, variable_bank;
  std::uint32_t workspace_high = 0,
                workspace_low = 0;  ///< halves of the address of what CTAs of a cooperative launch wait by; 0: not known
};

constexpr std::uint64_t workspace_bytes = 512;

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

unsigned resident_ctas(const launches::launch& launch, const config::machine& machine, std::uint64_t shared_bytes, unsigned registers) {
  constexpr std::uint64_t registers_of_sm = 65536;
  const std::uint64_t warps = (launch.block.count() + warp::lanes_per_warp - 1) / warp::lanes_per_warp;
  std::uint64_t ctas = std::min<std::uint64_t>(machine.sm.max_ctas, machine.sm.max_warps / std::max<std::uint64_t>(warps, 1));
  ctas = std::min(ctas, registers_of_sm / std::max<std::uint64_t>(warps * warp::lanes_per_warp * registers, 1));
  if (shared_bytes != 0) ctas = std::min<std::uint64_t>(ctas, machine.sm.shared_memory.bytes / shared_bytes);
  return static_cast<unsigned>(std::max<std::uint64_t>(ctas, 1) * machine.sms);
}

void fill_memory(const launches::launch& launch, global_memory& memory) {
  for (const launches::launch_allocation& each : launch.allocations)
    launches::write_content(each.before, memory.add(each.base, each.bytes).content.data(), each.bytes);
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

/// The CTAs of a launch, in order.
class grid_runner {
 public:
  grid_runner(const grid_setting& setting, unsigned resident, const execution_limits& limits, const execution_listener& listener)
      : setting_(setting), resident_(resident), limits_(limits), listener_(listener) {}

  void run() {
    while (next_ < setting_.grid.count() || !ctas_.empty()) {
      if (ctas_.empty()) begin_next();
      if (!run_first(turns_alone)) rotate();
    }
  }

 private:
  struct resident_cta {
    std::unique_ptr<cta_state> state;
    std::uint64_t executed = 0;
  };

  void begin_next() { ctas_.push_back({std::make_unique<cta_state>(setting_, next_++)}); }

  /// True if the first CTA has ended.
  bool run_first(unsigned turns) {
    resident_cta& first = ctas_.front();
    for (unsigned turn = 0; turn < turns; ++turn) {
      const std::uint64_t executed = first.state->run(turn_instructions);
      first.executed += executed;
      if (first.state->has_ended()) {
        if (setting_.observer != nullptr) setting_.observer->ended(first.state->number());
        ctas_.pop_front();
        ++ended_;
        if (listener_) listener_(ended_);
        return true;
      }
      if (first.executed > limits_.cta_instructions) fail(*first.state, limits_.cta_instructions);
    }
    if (listener_) listener_(ended_);
    return false;
  }

  /// The first one goes behind those that are resident, and one more begins if there is place.
  void rotate() {
    if (ctas_.size() < resident_ && next_ < setting_.grid.count()) begin_next();
    ctas_.push_back(std::move(ctas_.front()));
    ctas_.pop_front();
  }

  [[noreturn]] static void fail(const cta_state& cta, std::uint64_t limit) {
    throw kernel_fault(fmt::format("{}; a CTA has executed {} warp instructions here, as many as the limit allows", cta.place(), limit));
  }

  const grid_setting& setting_;
  unsigned resident_;
  const execution_limits& limits_;
  const execution_listener& listener_;
  std::deque<resident_cta> ctas_;
  std::uint64_t next_ = 0, ended_ = 0;
};

}  // namespace

std::uint32_t stack_constant_offset(isa::architecture arch) { return driver_constants_of(arch).stack; }

void run_grid(const grid_setting& setting, unsigned resident, const execution_limits& limits, const execution_listener& listener) {
  grid_runner(setting, resident, limits, listener).run();
}

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

execution_result execute(const launches::launch& launch, const listings::sass_kernel& kernel, const config::machine& machine,
                         const execution_limits& limits, const execution_listener& listener, execution_observer* observer) {
  const std::uint64_t local_bytes = launch.local_bytes.value_or(usual_local_bytes);
  const module_symbols symbols(launch, kernel);
  const warp::constant_memory constants = constants_of(launch, kernel, symbols);
  const program code(kernel, symbols, constants, machine.sm.sub_core.tensor_core.arithmetic);
  const std::uint64_t shared_bytes = launch.shared_bytes() + isa::info(kernel.arch).reserved_shared_bytes;
  check_shared(launch, shared_bytes, machine);
  check_registers(launch, code);
  execution_result result;
  fill_memory(launch, result.memory);
  for (const module_symbols::placed_variable& each : symbols.placed()) {
    const auto& range = result.memory.add(each.base, each.variable->bytes);
    std::copy(each.variable->content.begin(), each.variable->content.end(), range.content.data());
    for (const listings::listed_symbol& reference : each.variable->references)
      if (const auto address = symbols.address_of(reference.text)) {
        const std::vector<std::uint8_t> bytes = little_endian(*address, reference.bytes);
        std::copy(bytes.begin(), bytes.end(), range.content.data() + reference.offset);
      }
  }
  fill_bank(constants, kernel, symbols, result.memory);
  const grid_setting setting{code,         result.memory, result.counts,          launch.grid, launch.block, launch.cluster,
                             shared_bytes, local_bytes,   symbols.code_address(), observer,    &symbols};
  const unsigned resident = resident_ctas(launch, machine, shared_bytes, std::max(1U, launch.registers));
  check_cooperative(launch, resident, machine);
  if (launch.is_cooperative) result.memory.add(symbols.end(), workspace_bytes);
  if (observer != nullptr) observer->begins(result.memory, constants);
  run_grid(setting, resident, limits, listener);
  result.refused = code.refused();
  return result;
}

}  // namespace tc::execution
