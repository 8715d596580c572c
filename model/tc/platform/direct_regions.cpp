// SPDX-License-Identifier: Apache-2.0
#include "direct_regions.hpp"

#include <iterator>

#include <tc/fabric/payload_pool.hpp>

namespace tc::platform {

const tlm::tlm_dmi* direct_regions::find(bool is_write, sc_dt::uint64 address, sc_dt::uint64 bytes) const {
  for (auto region = regions_.lower_bound(address + bytes - 1); region != regions_.end(); ++region) {
    const tlm::tlm_dmi& one = region->second;
    if (one.get_start_address() <= address && (is_write ? one.is_write_allowed() : one.is_read_allowed())) return &one;
  }
  return nullptr;
}

void direct_regions::ask(tlm::tlm_fw_direct_mem_if<>& target, bool is_write, sc_dt::uint64 address, unsigned char* data, unsigned bytes) {
  tlm::tlm_generic_payload request;
  fabric::set_attributes(request, is_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, address, data, bytes);
  tlm::tlm_dmi region;
  const std::uint64_t before = invalidations_;
  const bool granted = target.get_direct_mem_ptr(request, region);
  if (!granted || region.is_none_allowed() || region.get_dmi_ptr() == nullptr || before != invalidations_) return;
  if (region.get_start_address() > address || region.get_end_address() < address) return;  // a region for something else
  const auto same = regions_.equal_range(region.get_end_address());
  for (auto old = same.first; old != same.second;) {
    const bool is_replaced = old->second.get_start_address() == region.get_start_address() &&
                             (old->second.get_granted_access() & ~region.get_granted_access()) == 0;
    old = is_replaced ? regions_.erase(old) : std::next(old);
  }
  regions_.emplace(region.get_end_address(), region);
}

void direct_regions::invalidate(sc_dt::uint64 first, sc_dt::uint64 last) {
  ++invalidations_;
  for (auto region = regions_.lower_bound(first); region != regions_.end();)
    region = region->second.get_start_address() <= last ? regions_.erase(region) : std::next(region);
}

}  // namespace tc::platform
