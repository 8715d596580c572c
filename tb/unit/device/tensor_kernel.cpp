#include "tensor_kernel.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tc::device::test::tensor {

namespace {

constexpr const char* meet = "/*1000*/ BAR.SYNC 0x0\n";
constexpr const char* before_meeting = "tcgen05.fence::before_thread_sync\n";
constexpr const char* after_meeting = "tcgen05.fence::after_thread_sync\n";
constexpr const char* one_thread = " mask 00000001\n";
constexpr unsigned column_bytes = 128, most_columns = 64;

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

}  // namespace

std::string multiply(const isa::tensor_mma_operation& operation) {
  const isa::mma_form& form = operation.form;
  std::string text =
      fmt::format("tcgen05.mma{}{}.cta_group::1.kind::{}{}{} [{:#x}], ", form.weight_stationary ? ".ws" : "", form.sparse ? ".sp" : "",
                  isa::name(form.kind), scaling(form), operation.shift_a ? ".ashift" : "", operation.d);
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

std::string commit(unsigned barrier) {
  return fmt::format("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [{:#x}]{}", barrier, one_thread);
}

void tensor_kernel::fill(isa::column_range columns, const cell_value& value) {
  engine::cell_block& cells = filled_.emplace_back(columns);
  for (unsigned lane = 0; lane < isa::tensor_lanes; ++lane)
    for (unsigned column = columns.first; column < columns.first + columns.count; ++column)
      cells.cell({lane, column}) = value(lane, column);
}

void tensor_kernel::wait() {
  issue(commit(barrier));
  issue(fmt::format("mbarrier.try_wait.parity.shared::cta.b64 [{:#x}], {}\n", barrier, waits_++ % 2));
  issue(after_meeting);
}

/// Where a block is in global memory: those that are filled, then those that are sent.
std::uint64_t tensor_kernel::place(const std::vector<engine::cell_block>& blocks, std::size_t block, bool sent) const {
  constexpr std::uint64_t bytes_of_kernel = 0x100000;
  std::uint64_t address = bytes_of_kernel * (number_ + 1) + (sent ? bytes_of_kernel / 2 : 0);
  for (std::size_t i = 0; i < block; ++i) address += bytes_of(blocks[i]);
  return address;
}

std::string tensor_kernel::header() const {
  std::string text = fmt::format("shared {}\n", shared_bytes + 64);
  for (const shared_image& image : shared_)
    text += fmt::format("shared-memory {:#x} {} hex {}\n", image.address, image.bytes.size(), hex(image.bytes.data(), image.bytes.size()));
  for (std::size_t i = 0; i < filled_.size(); ++i)
    text += fmt::format("memory {:#x} {} hex {}\n", place(filled_, i, false), bytes_of(filled_[i]),
                        hex(filled_[i].chunk(0), bytes_of(filled_[i])));
  for (std::size_t i = 0; i < sent_.size(); ++i) text += fmt::format("memory {:#x} {} zero\n", place(sent_, i, true), bytes_of(sent_[i]));
  return kernel_header(1, isa::tensor_chunks, text, "sm_100");
}

std::string tensor_kernel::warp(unsigned chunk) const {
  const bool issues = chunk == 0;
  std::string text = warp_line(chunk) + "reg R2 0x0\nreg R3 0x0\n";
  if (issues) {
    text += fmt::format("mbarrier.init.shared::cta.b64 [{:#x}], 1{}", barrier, one_thread);
    text += fmt::format("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [{:#x}], {}\n", barrier + 16, isa::tensor_columns);
  }
  text += meet;
  for (std::size_t i = 0; i < filled_.size(); ++i) text += move(filled_[i], chunk, place(filled_, i, false), true);
  text += std::string(before_meeting) + meet + after_meeting;
  if (issues) text += issued_ + before_meeting;
  text += std::string(meet) + after_meeting;
  for (std::size_t i = 0; i < sent_.size(); ++i) text += move(sent_[i], chunk, place(sent_, i, true), false);
  text += meet;
  return text + (issues ? deallocate(0, isa::tensor_columns) : "") + leave;
}

std::string tensor_kernel::text() const {
  std::string text = header() + cta_line(0);
  for (unsigned chunk = 0; chunk < isa::tensor_chunks; ++chunk) text += warp(chunk);
  return text;
}

void tensor_kernel::take(gpu& device) {
  for (std::size_t i = 0; i < sent_.size(); ++i) {
    auto* const cells = reinterpret_cast<std::uint8_t*>(sent_[i].chunk(0));
    if (!device.peek_global(place(sent_, i, true), cells, bytes_of(sent_[i]))) throw std::logic_error("no such global memory");
  }
}

std::uint32_t tensor_kernel::cell(isa::tensor_address address) const {
  const auto block = std::find_if(sent_.begin(), sent_.end(), [address](const auto& each) {
    return overlap(each.columns(), {address.column, 1});
  });
  if (block == sent_.end()) throw std::logic_error(fmt::format("column {} is not sent", address.column));
  return block->cell(address);
}

run_result run(std::vector<tensor_kernel>& kernels, const std::vector<std::string>& assignments) {
  std::vector<std::string> texts;
  for (const tensor_kernel& kernel : kernels) texts.push_back(kernel.text());
  run_options options;
  options.timing_of_preset = true;
  options.monitors = true;
  test_machine machine(preset("blackwell", assignments), texts, options);
  run_result result = machine.run();
  for (tensor_kernel& kernel : kernels) kernel.take(machine.device());
  return result;
}

run_result run(tensor_kernel& kernel, const std::vector<std::string>& assignments) {
  std::vector<tensor_kernel> kernels{std::move(kernel)};
  run_result result = run(kernels, assignments);
  kernel = std::move(kernels.front());
  return result;
}

}  // namespace tc::device::test::tensor
