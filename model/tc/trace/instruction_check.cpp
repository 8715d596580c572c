// SPDX-License-Identifier: Apache-2.0
#include "instruction_check.hpp"

#include <cctype>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include <tc/isa/named_registers.hpp>
#include <tc/isa/shared_matrix.hpp>
#include <tc/trace/limits.hpp>

namespace tc::trace {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// Offset of the register R`index` in an instruction's text, 0 if it is not written there.
std::size_t find_register(std::string_view code, unsigned index) {
  const std::string name = fmt::format("R{}", index);
  for (std::size_t at = code.find(name); at != std::string_view::npos; at = code.find(name, at + 1)) {
    const std::size_t behind = at + name.size();
    if (at > 0 && !is_word(code[at - 1]) && (behind == code.size() || !is_word(code[behind]))) return at;
  }
  return 0;
}

}  // namespace

void check_registers(const isa::instruction& instruction, unsigned registers, const instruction_line& parts, const text_cursor& in) {
  isa::visit_vector_registers(instruction, [&](unsigned first, unsigned count) {
    const unsigned last = first + count - 1;
    if (last < registers) return;
    in.fail_at(parts.code_position + find_register(parts.code, first),
               fmt::format("the instruction uses R{}; the kernel has {} registers, R0 to R{}", last, registers, registers - 1));
  });
}

namespace {

constexpr std::uint64_t barrier_bytes = 8, tensor_address_bytes = 4;
constexpr unsigned warpgroup_warps = 4;

std::size_t place_of_mask(const instruction_line& parts) { return parts.mask ? parts.mask_position : parts.code_position; }

/// Checks the operands of one instruction.
class operand_check {
 public:
  operand_check(const kernel_header& header, const instruction_line& parts, const text_cursor& in)
      : header_(header), parts_(parts), in_(in) {}

  void operator()(const isa::wgmma_operation& wgmma) const {
    if (!wgmma.a_in_registers) check_matrix("A", isa::shared_a(wgmma).footprint());
    check_matrix("B", isa::shared_b(wgmma).footprint());
  }

  void operator()(const isa::barrier_operation& barrier) const { check_barrier(barrier.address); }

  void operator()(const isa::bulk_copy_operation& copy) const {
    const isa::tensor_map* const map = copy.tensor ? &find_map(copy) : nullptr;
    check_shared("the copy's part of shared memory", copy.shared, copy.shared + (map != nullptr ? isa::shared_bytes(*map) : copy.bytes));
    if (copy.to_shared) check_barrier(copy.barrier);
    if (map == nullptr && (copy.global >= address_limit || copy.bytes > address_limit - copy.global))
      fail(fmt::format("the copy's part of global memory, {} bytes at {:#x}, must end at or below {:#x}", copy.bytes, copy.global,
                       address_limit));
  }

  void operator()(const isa::async_control_operation& /*control*/) const {}

  void operator()(const isa::tcgen05_operation& operation) const {
    const auto* const allocation = std::get_if<isa::tensor_allocation_operation>(&operation);
    if (allocation != nullptr && allocation->action == isa::tensor_allocation::allocate)
      check_shared("the destination of the allocation", allocation->destination, allocation->destination + tensor_address_bytes);
    if (const auto* const commit = std::get_if<isa::tensor_commit_operation>(&operation)) check_barrier(commit->barrier);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { in_.fail_at(parts_.code_position, message); }

  void check_matrix(std::string_view matrix, isa::byte_range range) const {
    check_shared(fmt::format("matrix {}", matrix), range.begin, range.end);
  }

  void check_barrier(std::uint32_t address) const { check_shared("the mbarrier", address, address + barrier_bytes); }

  void check_shared(std::string_view what, std::uint64_t begin, std::uint64_t end) const {
    if (end > header_.shared_bytes)
      fail(fmt::format("{} reaches from {:#x} up to {:#x}; the CTA's shared memory ends at {:#x}", what, begin, end, header_.shared_bytes));
  }

  const isa::tensor_map& find_map(const isa::bulk_copy_operation& copy) const {
    const isa::tensor_map* const map = header_.find_tensor_map(copy.map);
    if (map == nullptr) fail(fmt::format("the header has no line 'tensor-map {:#x} ...', which describes the tensor", copy.map));
    if (map->rank != copy.rank)
      fail(fmt::format("the copy names {} dimensions; the tensor at tensor map {:#x} has {}", copy.rank, copy.map, map->rank));
    if (map->im2col != copy.im2col)
      fail(fmt::format("the tensor map {:#x} is for {}", copy.map, map->im2col ? "copies that are .im2col" : "tiles"));
    return *map;
  }

  const kernel_header& header_;
  const instruction_line& parts_;
  const text_cursor& in_;
};

/// Whether all lanes of a warp must execute an instruction together: .sync.aligned.
bool is_aligned(const isa::tcgen05_operation& operation) {
  return std::holds_alternative<isa::tensor_allocation_operation>(operation) ||
         std::holds_alternative<isa::tensor_access_operation>(operation) || std::holds_alternative<isa::tensor_wait_operation>(operation);
}

/// Whether an instruction must not be executed by several lanes at once, which would do the same several times.
bool has_one_lane(const isa::asynchronous_operation& operation) {
  if (std::holds_alternative<isa::bulk_copy_operation>(operation)) return true;
  if (const auto* const on_tensor_memory = std::get_if<isa::tcgen05_operation>(&operation))
    return !is_aligned(*on_tensor_memory) && !std::holds_alternative<isa::tensor_fence_operation>(*on_tensor_memory);
  const auto* const barrier = std::get_if<isa::barrier_operation>(&operation);
  return barrier != nullptr && (barrier->action == isa::barrier_action::initialise || barrier->action == isa::barrier_action::invalidate);
}

}  // namespace

void check_asynchronous_operands(const isa::instruction& instruction, const kernel_header& header, const instruction_line& parts,
                                 const text_cursor& in) {
  std::visit(operand_check(header, parts, in), *instruction.asynchronous);
}

void check_lanes(const isa::instruction& instruction, lane_mask mask, unsigned warp, const kernel_header& header,
                 const instruction_line& parts, const text_cursor& in) {
  if (mask == 0) return;
  const isa::tcgen05_operation* const on_tensor_memory = isa::tcgen05_of(instruction);
  if (on_tensor_memory != nullptr && is_aligned(*on_tensor_memory)) check_aligned(mask, parts, in);
  if (isa::unit_of(instruction.op) == isa::execution_unit::warpgroup) {
    check_aligned(mask, parts, in);
    const unsigned first = warp / warpgroup_warps * warpgroup_warps;
    if (std::uint64_t{first + warpgroup_warps} * warp_lanes > header.block.count())
      in.fail_at(parts.code_position, fmt::format("the warpgroup of warp {}, warps {} to {}, is not complete: the block has {} threads",
                                                  warp, first, first + warpgroup_warps - 1, header.block.count()));
  } else if (has_one_lane(*instruction.asynchronous) && count_lanes(mask) != 1) {
    in.fail_at(place_of_mask(parts),
               fmt::format("one lane must execute this instruction, such as 'mask 00000001'; these are {:08x}", mask));
  }
}

void check_aligned(lane_mask mask, const instruction_line& parts, const text_cursor& in) {
  if (mask != all_lanes && mask != 0)
    in.fail_at(place_of_mask(parts), fmt::format("all 32 lanes must execute an instruction that is .sync.aligned; these are {:08x}", mask));
}

void check_step(const step& s, const code_entry& code, unsigned warp, const kernel_header& header, const text_cursor& in) {
  instruction_line parts;
  parts.code = in.line().text;
  if ((s.mask & ~header.lanes_of_warp(warp)) != 0) in.fail(fmt::format("the mask {:08x} names lanes without a thread", s.mask));
  if (code.instruction.asynchronous) check_lanes(code.instruction, s.mask, warp, header, parts, in);
  const bool accesses = code.access.space != isa::memory_space::none && s.mask != 0;
  const lane_mask lanes = !accesses ? 0 : code.access.every_lane ? all_lanes : s.mask;
  if (s.addresses.lanes() != lanes)
    in.fail(fmt::format("there are addresses for the lanes {:08x}; there must be for {:08x}", s.addresses.lanes(), lanes));
  check_addresses(code.access, s.addresses, header, in, 0);
}

}  // namespace tc::trace
