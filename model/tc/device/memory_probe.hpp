// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>

#include <tc/fabric/extensions.hpp>
#include <tc/fabric/protocols.hpp>

namespace tc::device {

/// A link to a memory that reads and writes bytes in no time, by debug transport: for images before a kernel, for checks and dumps after
/// it.
class memory_probe final : public tlm_utils::simple_initiator_socket<memory_probe, fabric::base_link_width_bits> {
 public:
  using simple_initiator_socket::simple_initiator_socket;

  /// By byte: not 0 if it is undefined; empty if none is, as far as the memory keeps count (fabric::undefined_bytes).
  using undefined_flags = std::vector<unsigned char>;

  /// Copies bytes; false if one of them does not exist, and then what was copied is unspecified.
  bool read(std::uint64_t address, std::uint8_t* destination, std::size_t count, undefined_flags* undefined = nullptr) {
    return transfer(tlm::TLM_READ_COMMAND, address, destination, count, {}, undefined);
  }
  bool write(std::uint64_t address, std::uint8_t* source, std::size_t count, const undefined_flags& undefined = {}) {
    return transfer(tlm::TLM_WRITE_COMMAND, address, source, count, undefined, nullptr);
  }

  /// Bytes begin a new life, with a content or, if that is empty, with none (fabric::new_region). `initial` must stay usable as long as
  /// the memory lives. False if the memory does not take the content.
  bool begin_region(std::uint64_t base, std::uint64_t bytes, const fabric::new_region::content& initial = {});

 private:
  bool copy(std::uint64_t base, std::uint64_t bytes, const fabric::new_region::content& initial);
  bool transfer(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data, std::size_t count, const undefined_flags& written,
                undefined_flags* read);
};

}  // namespace tc::device
