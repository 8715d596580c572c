// SPDX-License-Identifier: Apache-2.0
#include "memory_changes.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <boost/endian/conversion.hpp>
#include <fmt/format.h>

#include <tc/fabric/reports.hpp>
#include <tc/lanes/atomic_arithmetic.hpp>

namespace tc::subcore {

namespace {

constexpr unsigned operand_source = links::warp_instruction::stored_source, replacement_source = operand_source + 1;
constexpr unsigned max_lane_bytes = 16, word_bytes = 4;

using lane_bytes = std::array<unsigned char, max_lane_bytes>;

constexpr lane_bytes filled(unsigned char value) {
  lane_bytes all{};
  for (unsigned char& each : all) each = value;
  return all;
}
constexpr lane_bytes zeros = filled(0), no_value = filled(1);

template <class Visit>
void for_each_lane_of(std::uint32_t mask, const Visit& visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<unsigned>(__builtin_ctz(mask)));
}

bool has_lane(std::uint32_t lanes, unsigned lane) { return (lanes >> lane & 1U) != 0; }

memory_changes::failure refusal(const char* memory, std::uint64_t address) {
  return {fabric::report::load_store_memory,
          fmt::format("the {} memory does not let debug transport change its bytes at {:#x}, as atomic operations and copies do", memory,
                      address)};
}

/// Writes of lanes to shared memory, those that follow each other at once.
class joined_writes {
 public:
  explicit joined_writes(untimed_access& memory) : memory_(memory) {}

  void add(std::uint64_t address, unsigned count, const unsigned char* bytes, const unsigned char* undefined) {
    if (count_ != 0 && address != first_ + count_) flush();
    if (count_ == 0) first_ = address;
    std::copy_n(bytes, count, &bytes_[count_]);
    std::copy_n(undefined, count, &undefined_[count_]);
    count_ += count;
  }

  void flush() {
    if (count_ != 0 && !memory_.write(first_, count_, bytes_.data(), undefined_.data()) && !refused_) refused_ = first_;
    count_ = 0;
  }

  /// The first address that was not taken.
  const std::optional<std::uint64_t>& refused() const { return refused_; }

 private:
  untimed_access& memory_;
  std::array<unsigned char, access_plan::max_bytes> bytes_, undefined_;
  std::uint64_t first_ = 0;
  unsigned count_ = 0;
  std::optional<std::uint64_t> refused_;
};

/// Every address of a copy lies in the CTA's window, at a multiple of its bytes.
std::optional<memory_changes::failure> check_target(const links::warp_instruction& instruction, std::uint32_t lanes) {
  const unsigned bytes = instruction.code().mods.access_bits / 8U;
  const warp::warp_context& warp = *instruction.warp;
  std::optional<memory_changes::failure> wrong;
  for_each_lane_of(lanes, [&](unsigned lane) {
    const std::uint64_t address = instruction.copy_addresses[lane];
    const bool is_aligned = address % bytes == 0;
    if (wrong || (is_aligned && address + bytes <= warp.shared_bytes)) return;
    const std::string rule = is_aligned ? fmt::format("outside the window of {} bytes of CTA {}", warp.shared_bytes, warp.cta)
                                        : fmt::format("which is no multiple of {}", bytes);
    wrong = {fabric::report::load_store_window,
             fmt::format("lane {} copies {} bytes to {:#x} of shared memory, {}", lane, bytes, address, rule)};
  });
  return wrong;
}

/// Nothing is known of the shared memory of a CTA any more.
bool undefine_window(const warp::warp_context& warp, untimed_access& memory) {
  std::vector<unsigned char> bytes(warp.shared_bytes), undefined(warp.shared_bytes);
  if (!memory.read(warp.shared_base, warp.shared_bytes, bytes.data(), undefined.data())) return false;
  std::fill(undefined.begin(), undefined.end(), static_cast<unsigned char>(1));
  return memory.write(warp.shared_base, warp.shared_bytes, bytes.data(), undefined.data());
}

/// The bytes of an operand in one lane; one that the instruction does not have is zero.
lane_bytes operand_bytes(const links::warp_instruction& instruction, unsigned s, unsigned lane) {
  lane_bytes bytes{};
  if (s >= instruction.code().source_count) return bytes;
  const unsigned registers = std::min<unsigned>(instruction.sources[s].count, max_lane_bytes / word_bytes);
  for (unsigned i = 0; i < registers; ++i) boost::endian::store_little_u32(&bytes[i * word_bytes], instruction.operand(s, i)[lane]);
  return bytes;
}

/// Lanes in which something that the instruction brings has no value.
std::uint32_t undefined_operands(const links::warp_instruction& instruction) {
  std::uint32_t lanes = 0;
  for (unsigned s = operand_source; s < instruction.code().source_count; ++s) lanes |= instruction.sources[s].undefined_lanes;
  return lanes;
}

/// What one atomic operation does, lane by lane.
class atomic_operation {
 public:
  atomic_operation(links::warp_instruction& instruction, untimed_access& memory)
      : instruction_(instruction),
        memory_(memory),
        arithmetic_(lanes::atomic_arithmetic::of(instruction.code())),
        bytes_(arithmetic_ ? arithmetic_->bytes() : instruction.code().mods.access_bits / 8U),
        undefined_operands_(undefined_operands(instruction)),
        written_(instruction.step.mask) {
    for (unsigned i = 0; i < registers(); ++i) instruction.result_registers[i] = {};
  }

  bool perform(unsigned lane, std::uint64_t address) {
    lane_bytes bytes, undefined;
    if (!memory_.read(address, bytes_, bytes.data(), undefined.data())) return false;
    const lane_bytes before = bytes;
    bool is_undefined = std::any_of(undefined.begin(), undefined.begin() + bytes_, [](unsigned char flag) { return flag != 0; });
    if (!arithmetic_ || is_undefined) instruction_.undefined_lanes |= 1U << lane;
    is_undefined = is_undefined || !arithmetic_ || has_lane(undefined_operands_, lane);
    if (arithmetic_) {
      const lane_bytes operand = operand_bytes(instruction_, operand_source, lane);
      const lane_bytes replacement = operand_bytes(instruction_, replacement_source, lane);
      if (!arithmetic_->perform(bytes.data(), operand.data(), replacement.data())) written_ &= ~(1U << lane);
    }
    set_result(lane, before);
    return memory_.write(address, bytes_, bytes.data(), is_undefined ? no_value.data() : nullptr);
  }

  void set_predicates() {
    for (unsigned d = 0; d < instruction_.code().destination_count; ++d)
      if (instruction_.code().destinations[d].is_predicate()) instruction_.result_predicates[d] = written_;
  }

 private:
  unsigned registers() const { return (bytes_ + word_bytes - 1) / word_bytes; }

  void set_result(unsigned lane, const lane_bytes& before) {
    for (unsigned i = 0; i < registers(); ++i)
      instruction_.result_registers[i][lane] = boost::endian::load_little_u32(&before[i * word_bytes]);
    if (!arithmetic_ || !arithmetic_->tells_whether_written()) return;
    instruction_.result_registers[0][lane] = written_ >> lane & 1U;
    for (unsigned i = 1; i < registers(); ++i) instruction_.result_registers[i][lane] = 0;
  }

  links::warp_instruction& instruction_;
  untimed_access& memory_;
  const std::optional<lanes::atomic_arithmetic> arithmetic_;
  const unsigned bytes_;
  const std::uint32_t undefined_operands_;
  std::uint32_t written_;  // lanes
};

}  // namespace

std::optional<memory_changes::failure> memory_changes::copy(const links::warp_instruction& instruction, const access_plan& plan,
                                                            const access_buffer& read) {
  const std::uint32_t mask = instruction.step.mask, known = mask & ~instruction.unknown_copy_lanes;
  if (auto wrong = check_target(instruction, known)) return wrong;
  const warp::warp_context& warp = *instruction.warp;
  if (known != mask && !undefine_window(warp, shared_)) return refusal("shared", warp.shared_base);
  const lane_condition condition = condition_of(instruction);
  joined_writes writes(shared_);
  for_each_lane_of(known, [&](unsigned lane) {
    const bool is_read = has_lane(condition.lanes, lane);
    const bool has_flags = is_read && read.any_undefined;
    const unsigned char* const flags = has_lane(condition.undefined, lane) ? no_value.data()
                                       : has_flags                         ? &read.undefined[plan.offset(lane)]
                                                                           : zeros.data();
    writes.add(warp.shared_base + instruction.copy_addresses[lane], instruction.code().mods.access_bits / 8U,
               is_read ? &read.bytes[plan.offset(lane)] : zeros.data(), flags);
  });
  writes.flush();
  if (writes.refused()) return refusal("shared", *writes.refused());
  return std::nullopt;
}

std::optional<memory_changes::failure> memory_changes::combine(links::warp_instruction& instruction, const memory_operation& operation) {
  const bool is_shared = operation.space == memory_space::shared;
  untimed_access& memory = is_shared ? static_cast<untimed_access&>(shared_) : static_cast<untimed_access&>(global_);
  global_.begin(instruction);
  atomic_operation atomic(instruction, memory);
  std::optional<failure> wrong;
  for_each_lane_of(instruction.step.mask, [&](unsigned lane) {
    const std::uint64_t address = instruction.step.addresses[lane] + (is_shared ? instruction.warp->shared_base : 0);
    if (!wrong && !atomic.perform(lane, address)) wrong = refusal(is_shared ? "shared" : "global", address);
  });
  atomic.set_predicates();
  return wrong;
}

}  // namespace tc::subcore
