#include <algorithm>

#include <tc/device/memory_probe.hpp>
#include <tc/fabric/payload_pool.hpp>

namespace tc::device {

bool memory_probe::transfer(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data, std::size_t count) {
  constexpr std::size_t largest = 1u << 20;
  tlm::tlm_generic_payload payload;
  for (std::size_t done = 0; done < count;) {
    const auto length = static_cast<unsigned>(std::min(largest, count - done));
    fabric::set_attributes(payload, command, address + done, data + done, length);
    if ((*this)->transport_dbg(payload) != length) return false;
    done += length;
  }
  return true;
}

}  // namespace tc::device
