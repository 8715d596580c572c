// SPDX-License-Identifier: Apache-2.0
#include "untimed_access.hpp"

#include <algorithm>

#include <tc/fabric/extensions.hpp>
#include <tc/fabric/payload_pool.hpp>

namespace tc::subcore {

void untimed_global_access::begin(const links::warp_instruction& instruction) {
  fabric::warp_tag::mark(payload_, instruction.warp->slot, instruction.record);
}

bool untimed_global_access::read(std::uint64_t address, unsigned count, unsigned char* bytes, unsigned char* undefined) {
  fabric::set_attributes(payload_, tlm::TLM_READ_COMMAND, address, bytes, count);
  fabric::undefined_bytes& told = fabric::undefined_bytes::of(payload_);
  told.any = false;
  if (link_->transport_dbg(payload_) != count) return false;
  if (told.any)
    std::copy_n(told.flags.begin(), count, undefined);
  else
    std::fill_n(undefined, count, static_cast<unsigned char>(0));
  return true;
}

bool untimed_global_access::write(std::uint64_t address, unsigned count, const unsigned char* bytes, const unsigned char* undefined) {
  // A write does not change the data that it brings.
  fabric::set_attributes(payload_, tlm::TLM_WRITE_COMMAND, address, const_cast<unsigned char*>(bytes), count);
  fabric::undefined_bytes& said = fabric::undefined_bytes::of(payload_);
  said.any = undefined != nullptr && std::any_of(undefined, undefined + count, [](unsigned char flag) { return flag != 0; });
  if (said.any) said.flags.assign(undefined, undefined + count);
  return link_->transport_dbg(payload_) == count;
}

}  // namespace tc::subcore
