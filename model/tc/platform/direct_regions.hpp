// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>

#include <systemc>
#include <tlm>

namespace tc::platform {

/// The regions of memory that a socket may access by pointer, as its target has granted them and not revoked.
class direct_regions {
 public:
  /// The region that allows an access to all these bytes; null if there is none.
  const tlm::tlm_dmi* find(bool is_write, sc_dt::uint64 address, sc_dt::uint64 bytes) const;

  /// Asks the target for a region around an access, which said that it has one.
  void ask(tlm::tlm_fw_direct_mem_if<>& target, bool is_write, sc_dt::uint64 address, unsigned char* data, unsigned bytes);

  /// The target has revoked [first, last]: regions with any of these addresses are forgotten whole.
  void invalidate(sc_dt::uint64 first, sc_dt::uint64 last);

 private:
  using by_end = std::multimap<sc_dt::uint64, tlm::tlm_dmi>;  // regions may overlap, e.g. one to read and one to write

  by_end regions_;
  std::uint64_t invalidations_ = 0;
};

}  // namespace tc::platform
