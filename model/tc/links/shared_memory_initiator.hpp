// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include <tlm_utils/simple_initiator_socket.h>

#include <tc/links/shared_memory_link.hpp>

namespace tc::links {

/// The initiator's end of a link to shared memory: sends transfers, takes every legal answer, and tells its owner.
class shared_memory_initiator final
    : public tlm_utils::simple_initiator_socket<shared_memory_initiator, fabric::base_link_width_bits, shared_memory_protocol> {
 public:
  /// Called once for each access sent, in the call or later, with what the memory answers.
  using done_callback = std::function<void(shared_memory_transfer& transfer)>;

  /// Without `done` it sends no accesses.
  explicit shared_memory_initiator(const char* name, done_callback done = {});

  void announce(shared_memory_transfer& transfer) { notify(transfer, ACCESS_ANNOUNCED); }
  /// Sends an access, which stays where it is until it is done.
  void send(shared_memory_transfer& transfer);
  /// Changes what may be read of some bytes.
  void change(shared_memory_transfer::kind what, std::uint64_t base, std::uint64_t bytes);

  /// By debug transport; false if the memory does not move all bytes. Flags of undefined bytes: of a read they are filled in, of a write
  /// null says that all bytes have a value.
  bool read(memory_user user, std::uint64_t address, unsigned char* bytes, std::size_t count, unsigned char* undefined = nullptr);
  bool write(memory_user user, std::uint64_t address, const unsigned char* bytes, std::size_t count,
             const unsigned char* undefined = nullptr);
  /// Bytes begin a new life, undefined.
  void begin_region(std::uint64_t base, std::uint64_t bytes);

  /// Accesses that are sent and not done.
  std::size_t outstanding() const { return outstanding_; }

 private:
  void notify(shared_memory_transfer& transfer, tlm::tlm_phase phase);
  bool move(shared_memory_transfer& transfer, std::uint64_t address, std::size_t count);
  void finish(shared_memory_transfer& transfer);
  tlm::tlm_sync_enum backward(shared_memory_transfer& transfer, tlm::tlm_phase& phase, sc_core::sc_time& delay);

  done_callback done_;
  std::size_t outstanding_ = 0;
};

}  // namespace tc::links
