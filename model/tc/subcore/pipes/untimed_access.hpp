// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tlm>

#include <tc/fabric/base_protocol_initiator.hpp>
#include <tc/links/shared_memory_initiator.hpp>
#include <tc/links/warp_instruction.hpp>

namespace tc::subcore {

/// Reads and writes of warps whose time another access takes, over the debug transport of a link to a memory. Nothing comes between two of
/// them in one call, whatever the memory is. What they say besides the bytes tells the memory that they are a warp's.
class untimed_access {
 public:
  /// Fills in the bytes, and 1 by each that is undefined, or else 0. False if the memory does not give them.
  virtual bool read(std::uint64_t address, unsigned count, unsigned char* bytes, unsigned char* undefined) = 0;
  /// Flags as above, null: all bytes have a value. False if the memory does not take them.
  virtual bool write(std::uint64_t address, unsigned count, const unsigned char* bytes, const unsigned char* undefined) = 0;

 protected:
  ~untimed_access() = default;
};

class untimed_global_access final : public untimed_access {
 public:
  explicit untimed_global_access(fabric::base_protocol_initiator& link) : link_(link) {}

  /// For which warp instruction the coming accesses are.
  void begin(const links::warp_instruction& instruction);
  bool read(std::uint64_t address, unsigned count, unsigned char* bytes, unsigned char* undefined) override;
  bool write(std::uint64_t address, unsigned count, const unsigned char* bytes, const unsigned char* undefined) override;

 private:
  fabric::base_protocol_initiator& link_;
  tlm::tlm_generic_payload payload_;
};

class untimed_shared_access final : public untimed_access {
 public:
  explicit untimed_shared_access(links::shared_memory_initiator& link) : link_(link) {}

  bool read(std::uint64_t address, unsigned count, unsigned char* bytes, unsigned char* undefined) override {
    return link_.read(links::memory_user::warp, address, bytes, count, undefined);
  }
  bool write(std::uint64_t address, unsigned count, const unsigned char* bytes, const unsigned char* undefined) override {
    return link_.write(links::memory_user::warp, address, bytes, count, undefined);
  }

 private:
  links::shared_memory_initiator& link_;
};

}  // namespace tc::subcore
