// SPDX-License-Identifier: Apache-2.0
#include "register_file.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tc::platform {
namespace {

namespace map = registers;

std::uint32_t low_half(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t high_half(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }
void set_low_half(std::uint64_t& value, std::uint32_t half) { value = (value & ~std::uint64_t{0xffffffff}) | half; }
void set_high_half(std::uint64_t& value, std::uint32_t half) { value = (value & 0xffffffff) | std::uint64_t{half} << 32; }

constexpr std::uint32_t interrupt_causes =
    fields::command_done.mask() | fields::fault.mask() | fields::queue_empty.mask() | fields::reset_done.mask();

std::uint32_t bit(const register_field& field, bool set) { return set ? field.mask() : 0; }

}  // namespace

std::uint32_t register_file::read(std::uint32_t offset, std::uint64_t cycle, bool idle) {
  if (offset == map::cycles_low.offset) cycles_high_ = high_half(cycle - first_cycle_);
  return peek(offset, cycle, idle);
}

std::uint32_t register_file::peek(std::uint32_t offset, std::uint64_t cycle, bool idle) const {
  switch (offset) {
    case map::identification.offset:
      return map::identification_value;
    case map::version.offset:
      return map::version_value;
    case map::architecture.offset:
      return architecture_;
    case map::capabilities.offset:
      return capabilities_;
    case map::control.offset:
      return bit(fields::enable, enabled_);
    case map::status.offset:
      return status(idle);
    case map::interrupt_enable.offset:
      return interrupt_enable_;
    case map::interrupt_cause.offset:
      return cause_;
    case map::cycles_low.offset:
      return low_half(cycle - first_cycle_);
    case map::cycles_high.offset:
      return cycles_high_;
    case map::ring_base_low.offset:
      return low_half(ring_base_);
    case map::ring_base_high.offset:
      return high_half(ring_base_);
    case map::ring_entries.offset:
      return ring_entries_;
    case map::head.offset:
      return head_;
    case map::tail.offset:
      return tail_;
    case map::completed.offset:
      return completed_;
    case map::latest_status.offset:
      return latest_status_;
    case map::latest_identifier.offset:
      return latest_identifier_;
    case map::time_limit_low.offset:
      return low_half(time_limit_);
    case map::time_limit_high.offset:
      return high_half(time_limit_);
    default:
      return 0;
  }
}

std::uint32_t register_file::status(bool idle) const {
  return bit(fields::idle, idle) | bit(fields::running, running_) | bit(fields::resetting, resetting_) | bit(fields::faulted, faulted_) |
         bit(fields::queue_error, queue_error_);
}

bool register_file::is_writable(std::uint32_t offset) {
  return std::any_of(map::all.begin(), map::all.end(), [offset](const device_register* each) {
    return each->offset == offset && each->access != register_access::read_only;
  });
}

bool register_file::is_constant(std::uint32_t offset) {
  return offset == map::identification.offset || offset == map::version.offset || offset == map::architecture.offset ||
         offset == map::capabilities.offset;
}

register_file::effect register_file::write(std::uint32_t offset, std::uint32_t value) {
  switch (offset) {
    case map::control.offset:
      enabled_ = (value & fields::enable.mask()) != 0;
      return (value & fields::reset.mask()) != 0 ? effect::reset : effect::look;
    case map::interrupt_enable.offset:
      interrupt_enable_ = value & interrupt_causes;
      return effect::none;
    case map::interrupt_cause.offset:
      cause_ &= ~value;
      return effect::none;
    case map::tail.offset:
      ring(value);
      return effect::look;
    case map::time_limit_low.offset:
      set_low_half(time_limit_, value);
      return effect::none;
    case map::time_limit_high.offset:
      set_high_half(time_limit_, value);
      return effect::none;
    default:
      write_ring(offset, value);
      return effect::none;
  }
}

/// Takes a tail only if it makes sense.
void register_file::ring(std::uint32_t tail) {
  if (ring_base_ % layout::descriptor_bytes != 0)
    ring_mistake_ =
        fmt::format("ring_base is {:#x}: it must be a multiple of {}, the size of a descriptor", ring_base_, layout::descriptor_bytes);
  else if (ring_entries_ < 2)
    ring_mistake_ = fmt::format("ring_entries is {}: it must be 2 or more", ring_entries_);
  else if (tail >= ring_entries_)
    ring_mistake_ = fmt::format("tail {} is not less than ring_entries, {}", tail, ring_entries_);
  else if (behind_head(tail) < behind_head(tail_))
    ring_mistake_ = fmt::format("tail {} takes commands back: it was {}, and head is {}", tail, tail_, head_);
  else
    tail_ = tail;
}

void register_file::write_ring(std::uint32_t offset, std::uint32_t value) {
  if (head_ != tail_) return;
  if (offset == map::ring_base_low.offset) set_low_half(ring_base_, value);
  if (offset == map::ring_base_high.offset) set_high_half(ring_base_, value);
  if (offset != map::ring_entries.offset) return;
  ring_entries_ = value;
  head_ = tail_ = 0;
}

void register_file::begin_reset(std::uint64_t cycle) {
  *this = register_file(architecture_, capabilities_);
  first_cycle_ = cycle;
  resetting_ = true;
}

void register_file::end_reset() {
  resetting_ = false;
  cause_ |= fields::reset_done.mask();
}

void register_file::end_command(std::uint32_t identifier, command_status status, bool interrupts) {
  head_ = (head_ + 1) % ring_entries_;
  ++completed_;
  latest_status_ = code_of(status);
  latest_identifier_ = identifier;
  faulted_ = status != command_status::done;
  cause_ |= bit(fields::command_done, interrupts) | bit(fields::fault, faulted_) | bit(fields::queue_empty, head_ == tail_);
}

void register_file::fail_queue() {
  ring_mistake_.clear();
  queue_error_ = true;
  cause_ |= fields::fault.mask();
}

std::uint32_t register_file::queued() const { return queue_error_ ? 0 : behind_head(tail_); }

std::uint64_t register_file::descriptor_address(std::uint32_t index) const {
  return ring_base_ + (std::uint64_t{head_} + index) % ring_entries_ * layout::descriptor_bytes;
}

}  // namespace tc::platform
