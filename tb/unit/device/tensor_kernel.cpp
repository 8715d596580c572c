// SPDX-License-Identifier: Apache-2.0
#include "tensor_kernel.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace tc::device::test::tensor {

namespace {

constexpr const char* meet = "/*1000*/ BAR.SYNC 0x0\n";
constexpr const char* before_meeting = "tcgen05.fence::before_thread_sync\n";
constexpr const char* after_meeting = "tcgen05.fence::after_thread_sync\n";
constexpr const char* one_thread = " mask 00000001\n";
constexpr unsigned column_bytes = 128, most_columns = 64;

// Of the kernel itself, in shared memory: where the allocation's address goes, and mbarriers for what comes into shared memory and for
// the other CTA of a pair.
constexpr unsigned allocation = tensor_kernel::barrier + 16, load_barrier = tensor_kernel::barrier + 24,
                   pair_barrier = tensor_kernel::barrier + 32;

std::string initialise(unsigned barrier) { return fmt::format("mbarrier.init.shared::cta.b64 [{:#x}], 1{}", barrier, one_thread); }

std::string wait_for(unsigned barrier, unsigned parity) {
  return fmt::format("mbarrier.try_wait.parity.shared::cta.b64 [{:#x}], {}\n", barrier, parity);
}

/// A CTA of a pair tells the other one that it has come so far.
std::string tell(unsigned cta) {
  return fmt::format("tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [{:#x}], {:#x}{}",
                     pair_barrier, 1U << cta, one_thread);
}

std::string hex(const void* bytes, std::size_t count) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * count);
  for (const auto* byte = static_cast<const std::uint8_t*>(bytes); byte != static_cast<const std::uint8_t*>(bytes) + count; ++byte) {
    text += digits[*byte >> 4];
    text += digits[*byte & 15];
  }
  return text;
}

/// Columns of a chunk of a block, as many at once as an instruction may have.
std::string move(const engine::cell_block& block, unsigned chunk, std::uint64_t place, bool to_tensor_memory) {
  std::string text;
  const isa::column_range columns = block.columns();
  for (unsigned done = 0, count = most_columns; done < columns.count; done += count) {
    while (count > columns.count - done) count /= 2;
    const std::uint64_t from = place + std::uint64_t{chunk * columns.count + done} * column_bytes;
    const std::string form = fmt::format("32x32b.x{}", count);
    const unsigned address = isa::encode({chunk * isa::chunk_lanes, columns.first + done});
    if (!to_tensor_memory) text += load(form, count, address, first_register) + wait_for_loads;
    for (unsigned i = 0; i < count; ++i)
      text += fmt::format(to_tensor_memory ? "/*0100*/ LDG.E R{}, [R2.64] @ {:#x}+4\n" : "/*0200*/ STG.E [R2.64], R{} @ {:#x}+4\n",
                          first_register + i, from + i * column_bytes);
    if (to_tensor_memory) text += store(form, count, address, first_register) + wait_for_stores;
  }
  return text;
}

std::uint64_t bytes_of(const engine::cell_block& block) { return std::uint64_t{block.columns().count} * isa::tensor_chunks * column_bytes; }

/// Qualifiers behind the kind.
std::string scaling(const isa::mma_form& form) {
  if (form.scales == isa::scale_vector::none) return "";
  return fmt::format(".block_scale.{}", isa::name(form.scales));
}

/// Nothing for the default, discard.
std::string collecting(const isa::tensor_mma_operation& operation) {
  constexpr std::array uses{"fill", "use", "lastuse"};
  if (operation.use == isa::collector_use::discard) return "";
  const std::string buffer = operation.form.weight_stationary ? fmt::format("b{}", operation.collector) : "a";
  return fmt::format(".collector::{}::{}", buffer, uses.at(static_cast<std::size_t>(operation.use)));
}

}  // namespace

std::string multiply(const isa::tensor_mma_operation& operation) {
  const isa::mma_form& form = operation.form;
  std::string text = fmt::format("tcgen05.mma{}{}.cta_group::{}.kind::{}{}{}{} [{:#x}], ", form.weight_stationary ? ".ws" : "",
                                 form.sparse ? ".sp" : "", isa::ctas(form.group), isa::name(form.kind), scaling(form),
                                 operation.shift_a ? ".ashift" : "", collecting(operation), operation.d);
  text += operation.a_in_tensor_memory ? fmt::format("[{:#x}], ", operation.a_address) : fmt::format("{:#018x}, ", operation.a_descriptor);
  text += fmt::format("{:#018x}, ", operation.b_descriptor);
  if (form.sparse) text += fmt::format("[{:#x}], ", operation.metadata);
  text += fmt::format("{:#010x}, ", operation.descriptor);
  if (form.scales != isa::scale_vector::none) text += fmt::format("[{:#x}], [{:#x}], ", operation.scale_a, operation.scale_b);
  if (!operation.disabled_lanes.empty()) text += fmt::format("{{{:#x}}}, ", fmt::join(operation.disabled_lanes, ", "));
  text += fmt::format("{:d}", operation.enable_input_d);
  if (operation.scale_input_d != 0) text += fmt::format(", {}", operation.scale_input_d);
  if (operation.zero_column_mask) text += fmt::format(", {:#018x}", *operation.zero_column_mask);
  return text + one_thread;
}

std::string copy(const std::string& form, unsigned address, std::uint64_t descriptor) {
  return fmt::format("tcgen05.cp.cta_group::1.{} [{:#x}], {:#018x}{}", form, address, descriptor, one_thread);
}

std::string shift(unsigned address) { return fmt::format("tcgen05.shift.cta_group::1.down [{:#x}]{}", address, one_thread); }

std::string commit(unsigned barrier, isa::cta_group group) {
  return fmt::format("tcgen05.commit.cta_group::{}.mbarrier::arrive::one.shared::cluster.b64 [{:#x}]{}", isa::ctas(group), barrier,
                     one_thread);
}

void tensor_kernel::fill(isa::column_range columns, const cell_value& value) {
  engine::cell_block cells(columns);
  for (unsigned lane = 0; lane < isa::tensor_lanes; ++lane)
    for (unsigned column = columns.first; column < columns.first + columns.count; ++column)
      cells.cell({lane, column}) = value(lane, column);
  fill(cells);
}

void tensor_kernel::wait() {
  issue(commit(barrier, group_));
  issue(wait_for(barrier, waits_++ % 2));
  issue(after_meeting);
}

void tensor_kernel::send(isa::column_range columns) {
  for (unsigned cta = 0; cta < ctas(); ++cta) sent_.push_back({engine::cell_block(columns), cta});
}

std::uint64_t tensor_kernel::global_base() const { return std::uint64_t{0x400000} * (number_ + 1); }

/// Where a block is in global memory: those that are filled, then those that are sent.
std::uint64_t tensor_kernel::place(const std::vector<cells_of_cta>& blocks, std::size_t block, bool sent) const {
  std::uint64_t address = global_base() + (sent ? 0x100000 : 0);
  for (std::size_t i = 0; i < block; ++i) address += bytes_of(blocks[i].cells);
  return address;
}

/// And behind them what goes to the shared memory of a pair.
std::uint64_t tensor_kernel::place(std::size_t shared) const {
  std::uint64_t address = global_base() + 0x200000;
  for (std::size_t i = 0; i < shared; ++i) address += shared_[i].bytes.size();
  return address;
}

std::string tensor_kernel::header() const {
  std::string text = fmt::format("shared {}\n", shared_bytes + 64);
  if (ctas() == 2) text += "cluster 2 1 1\n";
  for (std::size_t i = 0; i < shared_.size(); ++i) {
    const std::string where = ctas() == 1 ? fmt::format("shared-memory {:#x}", shared_[i].address) : fmt::format("memory {:#x}", place(i));
    text += fmt::format("{} {} hex {}\n", where, shared_[i].bytes.size(), hex(shared_[i].bytes.data(), shared_[i].bytes.size()));
  }
  for (std::size_t i = 0; i < filled_.size(); ++i)
    text += fmt::format("memory {:#x} {} hex {}\n", place(filled_, i, false), bytes_of(filled_[i].cells),
                        hex(filled_[i].cells.chunk(0), bytes_of(filled_[i].cells)));
  for (std::size_t i = 0; i < sent_.size(); ++i)
    text += fmt::format("memory {:#x} {} zero\n", place(sent_, i, true), bytes_of(sent_[i].cells));
  return kernel_header(ctas(), isa::tensor_chunks, text, "sm_100");
}

/// The header's images of shared memory are those of all CTAs: the CTAs of a pair copy their own.
std::string tensor_kernel::load_shared_memory(unsigned cta) const {
  std::string text;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < shared_.size(); ++i) {
    if (shared_[i].cta != cta) continue;
    bytes += shared_[i].bytes.size();
    text += fmt::format("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [{:#x}], [{:#x}], {}, [{:#x}]{}", shared_[i].address,
                        place(i), shared_[i].bytes.size(), load_barrier, one_thread);
  }
  const std::string expect = fmt::format("mbarrier.arrive.expect_tx.shared::cta.b64 _, [{:#x}], {}{}", load_barrier, bytes, one_thread);
  return initialise(load_barrier) + expect + text + wait_for(load_barrier, 0);
}

/// What warp 0 does before all others.
std::string tensor_kernel::begin(unsigned cta) const {
  std::string text = initialise(barrier) + initialise(pair_barrier);
  if (ctas() == 2) text += load_shared_memory(cta);
  return text +
         fmt::format("tcgen05.alloc.cta_group::{}.sync.aligned.shared::cta.b32 [{:#x}], {}\n", ctas(), allocation, isa::tensor_columns);
}

std::string tensor_kernel::warp(unsigned cta, unsigned chunk) const {
  const bool is_first = chunk == 0, is_pair = ctas() == 2;
  std::string text = warp_line(chunk) + "reg R2 0x0\nreg R3 0x0\n";
  if (is_first) text += begin(cta);
  text += meet;
  for (std::size_t i = 0; i < filled_.size(); ++i)
    if (filled_[i].cta == cta) text += move(filled_[i].cells, chunk, place(filled_, i, false), true);
  text += std::string(before_meeting) + meet + after_meeting;
  if (is_first && cta == 1) text += tell(0) + wait_for(pair_barrier, 0);
  if (is_first && cta == 0) text += (is_pair ? wait_for(pair_barrier, 0) : "") + issued_ + (is_pair ? tell(1) : "") + before_meeting;
  text += std::string(meet) + after_meeting;
  for (std::size_t i = 0; i < sent_.size(); ++i)
    if (sent_[i].cta == cta) text += move(sent_[i].cells, chunk, place(sent_, i, true), false);
  text += meet;
  if (is_first) text += fmt::format("tcgen05.dealloc.cta_group::{}.sync.aligned.b32 0x0, {}\n", ctas(), isa::tensor_columns);
  return text + leave;
}

std::string tensor_kernel::text() const {
  std::string text = header();
  for (unsigned cta = 0; cta < ctas(); ++cta) {
    text += cta_line(cta);
    for (unsigned chunk = 0; chunk < isa::tensor_chunks; ++chunk) text += warp(cta, chunk);
  }
  return text;
}

void tensor_kernel::take(gpu& device) {
  for (std::size_t i = 0; i < sent_.size(); ++i) {
    auto* const cells = reinterpret_cast<std::uint8_t*>(sent_[i].cells.chunk(0));
    if (!device.peek_global(place(sent_, i, true), cells, bytes_of(sent_[i].cells))) throw std::logic_error("no such global memory");
  }
}

std::uint32_t tensor_kernel::cell(isa::tensor_address address) const {
  const auto block = std::find_if(sent_.begin(), sent_.end(), [address](const auto& each) {
    return overlap(each.cells.columns(), {address.column, 1});
  });
  if (block == sent_.end()) throw std::logic_error(fmt::format("column {} is not sent", address.column));
  return block->cells.cell(address);
}

accounting::run_result run(std::vector<tensor_kernel>& kernels, const std::vector<std::string>& assignments) {
  std::vector<std::string> texts;
  for (const tensor_kernel& kernel : kernels) texts.push_back(kernel.text());
  run_options options;
  options.timing_of_preset = true;
  options.monitors = true;
  test_machine machine(preset("blackwell", assignments), texts, options);
  accounting::run_result result = machine.run();
  for (tensor_kernel& kernel : kernels) kernel.take(machine.device());
  return result;
}

accounting::run_result run(tensor_kernel& kernel, const std::vector<std::string>& assignments) {
  std::vector<tensor_kernel> kernels{std::move(kernel)};
  accounting::run_result result = run(kernels, assignments);
  kernel = std::move(kernels.front());
  return result;
}

namespace {

using engine::tensor_operand;
constexpr std::array operands{tensor_operand::d, tensor_operand::a, tensor_operand::metadata, tensor_operand::scale_a,
                              tensor_operand::scale_b};

void put(tensor_kernel& kernel, const engine::test::tensor_mma_bench& bench, const engine::shared_operand& matrix) {
  const isa::byte_range range = matrix.place.footprint();
  for (unsigned cta = 0; cta < bench.plan().ctas(); ++cta) {
    const auto first = bench.shared(cta).begin();
    kernel.put(range.begin, {first + range.begin, first + range.end}, cta);
  }
}

}  // namespace

tensor_kernel kernel_of(const isa::tensor_mma_operation& operation, const engine::test::tensor_mma_bench& bench, unsigned number) {
  return kernel_of(multiply(operation), bench, number);
}

tensor_kernel kernel_of(const std::string& instructions, const engine::test::tensor_mma_bench& bench, unsigned number) {
  tensor_kernel kernel(number, bench.plan().form().group);
  if (bench.plan().shared_a()) put(kernel, bench, *bench.plan().shared_a());
  put(kernel, bench, bench.plan().shared_b());
  for (const tensor_operand which : operands) {
    if (bench.plan().columns(which).count == 0) continue;
    for (unsigned cta = 0; cta < bench.plan().ctas(); ++cta) kernel.fill(bench.block(bench.plan().columns(which), cta), cta);
    kernel.send(bench.plan().columns(which));
  }
  kernel.issue(instructions);
  kernel.wait();
  return kernel;
}

void take_product(const tensor_kernel& kernel, engine::test::tensor_mma_bench& bench) {
  for (unsigned cta = 0; cta < bench.plan().ctas(); ++cta) {
    bench.take(kernel.sent(0, cta), cta);
    std::size_t next = 1;
    for (const tensor_operand which : operands) {
      const isa::column_range columns = bench.plan().columns(which);
      if (which == tensor_operand::d || columns.count == 0) continue;
      const engine::cell_block before = bench.block(columns, cta), &after = kernel.sent(next++, cta);
      const std::size_t cells = std::size_t{columns.count} * isa::tensor_lanes;
      ASSERT_TRUE(std::equal(before.chunk(0), before.chunk(0) + cells, after.chunk(0))) << "operand in column " << columns.first;
    }
  }
}

}  // namespace tc::device::test::tensor
