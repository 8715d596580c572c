// SPDX-License-Identifier: Apache-2.0
#include "machine_state.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include <tc/device/gpu.hpp>
#include <tc/device/run_error.hpp>
#include <tc/device/streaming_multiprocessor.hpp>
#include <tc/isa/tcgen05/tensor_address.hpp>
#include <tc/links/bank_protocol.hpp>

namespace tc::device {

namespace {

constexpr unsigned row_bytes = links::bank_protocol::row_bytes, readable_registers = 255;

[[noreturn]] void refuse(const state_range& range, const std::string& why) {
  throw run_error(fmt::format("{}:{:#x}:{}: {}", range.place.text(), range.base, range.bytes, why));
}

void check_number(const state_range& range, const char* what, const std::optional<unsigned>& number, unsigned count, const char* whose) {
  if (number.value_or(0) < count) return;
  if (count == 1) refuse(range, fmt::format("{} has one {}, {}0", whose, what, what));
  refuse(range, fmt::format("{} has {}0 to {}{}", whose, what, what, count - 1));
}

void check_cta(const gpu& device, const state_range& range) {
  const unsigned warps = device.warps_of_cta(*range.place.cta);
  if (warps == 0) refuse(range, fmt::format("no trace holds CTA {}", *range.place.cta));
  check_number(range, "warp", range.place.warp, warps, "the CTA");
}

void check_units(gpu& device, const state_range& range) {
  const config::sm_parameters& sm = device.machine().sm;
  check_number(range, "sm", range.place.sm, device.machine().sms, "the machine");
  check_number(range, "sm", range.place.sm, device.sms(), "of the machine, this run uses as many SMs as it has work for: it");
  check_number(range, "subcore", range.place.sub_core, sm.sub_cores, "an SM");
  check_number(range, "warp", range.place.warp, sm_occupancy::warp_slots(sm), "a sub-core");
}

/// Bytes of a memory of an SM; of the window of a CTA, all that there can be.
std::uint64_t size_of(const gpu& device, const state_place& place) {
  const config::sm_parameters& sm = device.machine().sm;
  switch (place.space) {
    case state_space::shared:
      return sm.shared_memory.bytes;
    case state_space::tensor:
      return std::uint64_t{isa::tensor_lanes} * sm.tensor_memory.columns * sizeof(std::uint32_t);
    default:
      return std::uint64_t{readable_registers} * row_bytes;
  }
}

void check_end(const state_range& range, std::uint64_t size, const char* whose) {
  if (range.bytes <= size && range.base <= size - range.bytes) return;
  refuse(range, fmt::format("{} ends at {} ({:#x})", whose, size, size));
}

void check_global(const gpu& device, const state_range& range) {
  constexpr std::size_t most_shown = 6;
  std::string there;
  const std::vector<memory_region> regions = device.global_regions();
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const auto& [base, bytes] = regions[i];
    if (range.base >= base && range.base - base < bytes && range.bytes <= bytes - (range.base - base)) return;
    if (i < most_shown) there += fmt::format("{}{:#x} to {:#x}", i == 0 ? "" : ", ", base, base + bytes - 1);
  }
  if (regions.size() > most_shown) there += fmt::format(" and {} more", regions.size() - most_shown);
  refuse(range, there.empty() ? "the traces describe no global memory" : "of global memory there is what the traces describe: " + there);
}

/// Where the state of a place is now.
class located_state {
 public:
  located_state(gpu& device, const state_range& range);

  bool read(std::uint64_t address, std::uint8_t* destination, std::size_t count);

 private:
  void locate_cta();
  void locate_warp(std::uint32_t kernel);
  bool read_cells(std::uint64_t address, std::uint8_t* destination, std::size_t count);
  bool read_registers(std::uint64_t address, std::uint8_t* destination, std::size_t count);

  gpu& device_;
  const state_range& range_;
  streaming_multiprocessor* sm_ = nullptr;
  unsigned sub_core_ = 0, warp_slot_ = 0;
  std::uint64_t shared_base_ = 0;
};

located_state::located_state(gpu& device, const state_range& range) : device_(device), range_(range) {
  if (range.place.space == state_space::global) return;
  if (range.place.cta) {
    locate_cta();
    return;
  }
  sm_ = &device.sm(range.place.sm.value_or(0));
  sub_core_ = range.place.sub_core.value_or(0);
  warp_slot_ = range.place.warp.value_or(0);
  if (range.place.space == state_space::registers && sm_->warp_in(sub_core_, warp_slot_) == nullptr)
    refuse(range, "no warp has been in this warp slot");
}

/// The CTA of the latest kernel that has one of this number.
void located_state::locate_cta() {
  const std::uint32_t cta = *range_.place.cta;
  std::optional<streaming_multiprocessor::cta_place> found;
  for (unsigned s = 0; s < device_.sms(); ++s) {
    const auto here = device_.sm(s).find_cta(cta);
    if (!here || (found && found->kernel > here->kernel)) continue;
    found = here;
    sm_ = &device_.sm(s);
  }
  if (!found) refuse(range_, fmt::format("CTA {} is not on the machine now: it has not started yet, or another has its place", cta));
  if (range_.place.space == state_space::registers) locate_warp(found->kernel);
  if (range_.place.space != state_space::shared) return;
  check_end(range_, found->shared_bytes, "the CTA's shared memory");
  if (!found->is_shared_intact) refuse(range_, fmt::format("CTA {} has ended, and another has its shared memory", cta));
  shared_base_ = found->shared_base;
}

void located_state::locate_warp(std::uint32_t kernel) {
  const unsigned number = range_.place.warp.value_or(0);
  sub_core_ = number % sm_->sub_cores();
  const warp::warp_context* const warp = sm_->find_warp(kernel, *range_.place.cta, number);
  if (warp == nullptr)
    refuse(range_, fmt::format("warp {} of CTA {} is not in a warp slot now: the trace does not hold it, or another has its place", number,
                               *range_.place.cta));
  warp_slot_ = warp->slot;
}

bool located_state::read(std::uint64_t address, std::uint8_t* destination, std::size_t count) {
  switch (range_.place.space) {
    case state_space::shared:
      return sm_->peek_shared(shared_base_ + address, destination, count);
    case state_space::tensor:
      return read_cells(address, destination, count);
    case state_space::registers:
      return read_registers(address, destination, count);
    default:
      return device_.peek_global(address, destination, count);
  }
}

bool located_state::read_cells(std::uint64_t address, std::uint8_t* destination, std::size_t count) {
  constexpr std::size_t cell_bytes = sizeof(std::uint32_t);
  const unsigned columns = device_.machine().sm.tensor_memory.columns;
  std::array<std::uint8_t, cell_bytes> cell{};
  for (std::size_t done = 0; done < count;) {
    const std::uint64_t number = (address + done) / cell_bytes;
    const auto offset = static_cast<std::size_t>((address + done) % cell_bytes);
    const isa::tensor_address place{static_cast<unsigned>(number / columns), static_cast<unsigned>(number % columns)};
    if (!sm_->peek_cell(place, cell.data())) return false;
    const std::size_t taken = std::min(cell_bytes - offset, count - done);
    std::memcpy(destination + done, cell.data() + offset, taken);
    done += taken;
  }
  return true;
}

bool located_state::read_registers(std::uint64_t address, std::uint8_t* destination, std::size_t count) {
  warp::lane_vector row{};
  for (std::size_t done = 0; done < count;) {
    const auto offset = static_cast<std::size_t>((address + done) % row_bytes);
    if (!sm_->sub_core(sub_core_).peek_register(warp_slot_, static_cast<unsigned>((address + done) / row_bytes), row)) return false;
    const std::size_t taken = std::min(row_bytes - offset, count - done);
    std::memcpy(destination + done, reinterpret_cast<const std::uint8_t*>(row.data()) + offset, taken);
    done += taken;
  }
  return true;
}

std::string part(const char* name, const std::optional<unsigned>& number) {
  return number ? fmt::format("{}{}.", name, *number) : std::string();
}

const char* name_of(state_space space) {
  switch (space) {
    case state_space::shared:
      return "shared";
    case state_space::tensor:
      return "tensor";
    case state_space::registers:
      return "registers";
    default:
      return "global";
  }
}

}  // namespace

std::string state_place::text() const {
  return part("sm", sm) + part("subcore", sub_core) + part("cta", cta) + part("warp", warp) + name_of(space);
}

void check_state_range(gpu& device, const state_range& range) {
  if (!device.computes_values()) refuse(range, "the run computes no values: without data there is nothing in memories and registers");
  if (range.place.space == state_space::tensor && !device.machine().sm.tensor_memory.is_there())
    refuse(range, "the machine has no tensor memory");
  if (range.place.cta)
    check_cta(device, range);
  else
    check_units(device, range);
  if (range.place.space == state_space::global)
    check_global(device, range);
  else
    check_end(range, size_of(device, range.place), "the memory");
}

void read_state(gpu& device, const state_range& range, const state_consumer& consumer) {
  constexpr std::uint64_t largest = std::uint64_t{1} << 20;
  located_state state(device, range);
  std::vector<std::uint8_t> piece(static_cast<std::size_t>(std::min(largest, range.bytes)));
  for (std::uint64_t done = 0; done < range.bytes; done += piece.size()) {
    piece.resize(static_cast<std::size_t>(std::min(largest, range.bytes - done)));
    if (!state.read(range.base + done, piece.data(), piece.size())) refuse(range, "the memory does not have all of these bytes");
    consumer(piece.data(), piece.size());
  }
}

}  // namespace tc::device
