// SPDX-License-Identifier: Apache-2.0
#include "memory_probe.hpp"

#include <algorithm>
#include <vector>

#include <tc/fabric/payload_pool.hpp>

namespace tc::device {

bool memory_probe::transfer(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data, std::size_t count,
                            const undefined_flags& written, undefined_flags* read) {
  constexpr std::size_t largest = 1u << 20;
  tlm::tlm_generic_payload payload;
  fabric::undefined_bytes& undefined = fabric::undefined_bytes::of(payload);
  if (read != nullptr) read->clear();
  for (std::size_t done = 0; done < count;) {
    const auto length = static_cast<unsigned>(std::min(largest, count - done));
    fabric::set_attributes(payload, command, address + done, data + done, length);
    undefined.any = !written.empty();
    if (undefined.any) undefined.flags.assign(&written[done], &written[done] + length);
    if ((*this)->transport_dbg(payload) != length) return false;
    if (read != nullptr && undefined.any) {
      read->resize(count);
      std::copy_n(undefined.flags.begin(), length, read->begin() + static_cast<std::ptrdiff_t>(done));
    }
    done += length;
  }
  return true;
}

bool memory_probe::begin_region(std::uint64_t base, std::uint64_t bytes, const fabric::new_region::content& initial) {
  tlm::tlm_generic_payload payload;
  fabric::set_attributes(payload, tlm::TLM_IGNORE_COMMAND, base, nullptr, 0);
  auto* const region = new fabric::new_region;
  payload.set_extension(region);  // which owns it
  region->base = base;
  region->bytes = bytes;
  region->initial = initial;
  (*this)->transport_dbg(payload);
  return region->noted || !initial || copy(base, bytes, initial);
}

/// To a memory that takes no notice of regions.
bool memory_probe::copy(std::uint64_t base, std::uint64_t bytes, const fabric::new_region::content& initial) {
  constexpr std::uint64_t largest = 1u << 16;
  std::vector<std::uint8_t> chunk(std::min(largest, bytes));
  for (std::uint64_t offset = 0; offset < bytes; offset += largest) {
    const auto count = static_cast<std::size_t>(std::min(largest, bytes - offset));
    initial(offset, chunk.data(), count);
    if (!write(base + offset, chunk.data(), count)) return false;
  }
  return true;
}

}  // namespace tc::device
