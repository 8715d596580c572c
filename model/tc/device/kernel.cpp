// SPDX-License-Identifier: Apache-2.0
#include "kernel.hpp"

#include <algorithm>
#include <numeric>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tc/config/machine_architectures.hpp>
#include <tc/device/kernel_queue.hpp>
#include <tc/device/run_error.hpp>
#include <tc/isa/named_registers.hpp>
#include <tc/subcore/tensor/tensor_operation.hpp>

namespace tc::device {

namespace {

/// The .cta_group of an instruction, nothing if it has none.
struct group_of {
  std::optional<isa::cta_group> operator()(const isa::tensor_mma_operation& operation) const { return operation.form.group; }
  std::optional<isa::cta_group> operator()(const isa::tensor_access_operation& /*operation*/) const { return std::nullopt; }
  std::optional<isa::cta_group> operator()(const isa::tensor_wait_operation& /*operation*/) const { return std::nullopt; }
  std::optional<isa::cta_group> operator()(const isa::tensor_fence_operation& /*operation*/) const { return std::nullopt; }
  template <class Operation>
  std::optional<isa::cta_group> operator()(const Operation& operation) const {
    return operation.group;
  }
};

}  // namespace

std::string tensor_memory_check::refusal(const isa::tcgen05_operation& operation, std::uint64_t line) {
  if (!machine_.sm.tensor_memory.is_there()) return "the machine has no tensor memory: sm.tensor_memory.columns is 0";
  if (const std::optional<isa::cta_group> group = std::visit(group_of(), operation); group) {
    if (!group_) line_ = line;
    if (group_.value_or(*group) != *group)
      return fmt::format("all instructions of a kernel must have the same .cta_group; that of line {} is another", line_);
    group_ = group;
  }
  return has_pairs() ? pair_refusal() : std::string();
}

std::string tensor_memory_check::pair_refusal() const {
  if (const trace::dim3& cluster = header_.cluster; cluster.count() % 2 != 0)
    return fmt::format("pairs of CTAs (.cta_group::2) need a cluster of an even number of CTAs; the header's `cluster` is {} {} {}",
                       cluster.x, cluster.y, cluster.z);
  if (machine_.sms < 2) return fmt::format("a pair of CTAs (.cta_group::2) needs two SMs; sms is {}", machine_.sms);
  return {};
}

kernel::kernel(std::uint32_t number, const kernel_source& source, const config::machine& machine)
    : number_(number), file_(source.file), owner_(source.owner), images_(source.images), trace_(*source.trace), run_(trace_.begin_run()) {
  demand_ = {header().warps_per_cta(), header().registers, header().shared_bytes};
  order_ctas();
  load_constants();
  for (const trace::tensor_map_entry& entry : header().tensor_maps) tensor_maps_.add(entry.address, entry.map);
  check(machine);
}

std::uint32_t kernel::linear_number(const trace::cta_entry& cta) const {
  return cta.x + header().grid.x * (cta.y + header().grid.y * cta.z);
}

std::uint32_t kernel::cluster_rank(const trace::cta_entry& cta) const {
  const trace::dim3& cluster = header().cluster;
  return cta.x % cluster.x + cluster.x * (cta.y % cluster.y + cluster.y * (cta.z % cluster.z));
}

std::uint32_t kernel::number_of_rank(const trace::cta_entry& other, std::uint32_t rank) const {
  const trace::dim3& cluster = header().cluster;
  trace::cta_entry cta;
  cta.x = other.x - other.x % cluster.x + rank % cluster.x;
  cta.y = other.y - other.y % cluster.y + rank / cluster.x % cluster.y;
  cta.z = other.z - other.z % cluster.z + rank / cluster.x / cluster.y;
  return linear_number(cta);
}

/// Clusters tile the grid; they count x fastest too.
std::uint64_t kernel::cluster_of(const trace::cta_entry& cta) const {
  const trace::dim3 &grid = header().grid, &cluster = header().cluster;
  const std::uint64_t along_x = (grid.x + cluster.x - 1) / cluster.x, along_y = (grid.y + cluster.y - 1) / cluster.y;
  return cta.x / cluster.x + along_x * (cta.y / cluster.y + along_y * (cta.z / cluster.z));
}

void kernel::order_ctas() {
  order_.resize(trace_.ctas().size());
  std::iota(order_.begin(), order_.end(), 0u);
  if (header().cluster.count() == 1) return;
  std::stable_sort(order_.begin(), order_.end(),
                   [this](std::uint32_t x, std::uint32_t y) { return cluster_of(trace_.ctas()[x]) < cluster_of(trace_.ctas()[y]); });
}

std::size_t kernel::group_size(std::size_t position) const {
  if (header().cluster.count() == 1) return 1;
  const std::uint64_t cluster = cluster_of(cta(position));
  std::size_t end = position + 1;
  while (end < cta_count() && cluster_of(cta(end)) == cluster) ++end;
  return end - position;
}

void kernel::load_constants() {
  for (const trace::constant_image& image : header().constants) {
    std::vector<std::uint8_t> bytes(image.content.bytes());
    image.content.copy(0, bytes.data(), bytes.size());
    constants_.set(image.bank, static_cast<std::uint32_t>(image.offset), bytes);
  }
}

void kernel::check(const config::machine& machine) {
  const std::string_view arch = isa::name(header().arch);
  if (!config::runs_code_of(machine, header().arch))
    throw run_error(fmt::format("{}:{}:{}: the trace is for {}; the machine {} runs {} (architectures)", file_, header().arch_line,
                                header().arch_column, arch, machine.name, fmt::join(machine.architectures, ", ")));
  check_matrix_operations(machine);

  std::string refusal = sm_occupancy::refusal(demand_, machine.sm);
  if (!refusal.empty() && demand_.registers == trace::kernel_header::max_registers) {
    demand_.registers = named_registers();  // the trace may not say how many there are; these are at least needed
    refusal = sm_occupancy::refusal(demand_, machine.sm);
  }
  if (!refusal.empty()) throw run_error(fmt::format("{}: a CTA does not fit into an SM: {}", file_, refusal));

  for (std::size_t position = 0; position < cta_count(); position += group_size(position)) {
    const std::uint64_t room = std::uint64_t{sm_occupancy::capacity(demand_, machine.sm)} * usable_sms(machine.sms);
    if (group_size(position) > room)
      throw run_error(fmt::format("{}: a cluster of {} CTAs does not fit: sms = {} hold {} of them at a time", file_, group_size(position),
                                  machine.sms, room));
    if (header().cluster.count() == 1) break;
  }
}

void kernel::check_matrix_operations(const config::machine& machine) {
  const config::sm_parameters& sm = machine.sm;
  tensor_memory_check tensor_memory(machine, header());
  for (std::uint32_t i = 0; i < trace_.code_size(); ++i) {
    const isa::instruction& code = trace_.code(i);
    const auto require = [&](const std::string& refusal) {
      if (!refusal.empty()) throw run_error(fmt::format("{}:{}: {}: {}", file_, trace_.code_line(i), code.text, refusal));
    };
    if (code.mma) require(subcore::unsupported_reason(*code.mma, sm.sub_core.tensor_core));
    if (const auto* const operation = isa::tcgen05_of(code)) require(tensor_memory.refusal(*operation, trace_.code_line(i)));
    if (isa::unit_of(code.op) != isa::execution_unit::warpgroup) continue;
    has_warpgroup_operations_ = true;
    if (!sm.warpgroup.is_there()) require("the machine has no warpgroup matrix instructions: sm.warpgroup.operand_tiles is 0");
    if (const auto* const operation = isa::wgmma_of(code))
      require(subcore::unsupported_warpgroup_reason(operation->mma, sm.sub_core.tensor_core));
  }
  has_pairs_ = tensor_memory.has_pairs();
  if (has_pairs_) check_pairs(tensor_memory.group_line());
}

/// A trace need not hold all CTAs of the grid, but no CTA without its peer. `line`: of the first instruction of a pair.
void kernel::check_pairs(std::uint64_t line) const {
  std::vector<std::uint32_t> numbers;
  for (const trace::cta_entry& cta : trace_.ctas()) numbers.push_back(linear_number(cta));
  for (const trace::cta_entry& cta : trace_.ctas()) {
    if (std::binary_search(numbers.begin(), numbers.end(), peer_of(cta))) continue;
    throw run_error(
        fmt::format("{}:{}: the instructions of pairs of CTAs (.cta_group::2) need both: the trace holds CTA {} of cluster rank "
                    "{}, but not its peer, CTA {} of rank {}",
                    file_, line, linear_number(cta), cluster_rank(cta), peer_of(cta), cluster_rank(cta) ^ 1u));
  }
}

/// One more than the highest vector register that an instruction names.
unsigned kernel::named_registers() const {
  unsigned count = 0;
  for (std::uint32_t i = 0; i < trace_.code_size(); ++i)
    isa::visit_vector_registers(trace_.code(i), [&](unsigned first, unsigned registers) { count = std::max(count, first + registers); });
  return count;
}

kernel_list make_kernels(const std::vector<kernel_source>& sources, const config::machine& machine) {
  kernel_list kernels;
  memory_regions of_all;
  for (const kernel_source& source : sources) {
    kernels.push_back(std::make_unique<kernel>(static_cast<std::uint32_t>(kernels.size()), source, machine));
    of_all.check(*kernels.back());
    of_all.add(*kernels.back());
  }
  memory_regions so_far;
  for (const auto& kernel : kernels) {
    so_far.add(*kernel);
    so_far.check_expectations(*kernel);
  }
  return kernels;
}

}  // namespace tc::device
