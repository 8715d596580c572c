// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <tlm>

namespace tc::tmem {

/// The bytes of a chunk of tensor memory, and which of them were written since their columns began a new life.
class chunk_storage {
 public:
  chunk_storage();

  /// Moves the enabled bytes of a read or write between the payload and the bytes from `address` on, all of them in the chunk. A read that
  /// asks for it (fabric::undefined_bytes) is told which ones nobody has written.
  void transfer(tlm::tlm_generic_payload& payload, unsigned address);

  /// In `columns` columns every lane takes the cell of the next lane; the last one keeps its own.
  void shift(unsigned first_column, unsigned columns);

  /// Nobody has written these bytes; what they hold stays. Those beyond the chunk do not exist.
  void begin(std::uint64_t address, std::uint64_t bytes);

  void reset();

 private:
  void tell_undefined(tlm::tlm_generic_payload& payload, unsigned address) const;

  std::vector<unsigned char> bytes_;
  std::vector<unsigned char> written_;  // by byte: 1 if it was
};

}  // namespace tc::tmem
