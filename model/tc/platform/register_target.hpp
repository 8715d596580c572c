// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/passthrough_target_socket.h>

#include <tc/fabric/access_rules.hpp>
#include <tc/fabric/protocols.hpp>

namespace tc::platform {

/// The socket at which a platform accesses the registers of a device: base protocol, words of 32 bits, little endian. An access takes no
/// time, and acts at the time that its delay says, also if it is called before: those of initiators that run ahead act in the order of
/// their times, and those of one time in the order of the calls.
///
/// b_transport waits for that time, and nb_transport_fw is answered then, with BEGIN_RESP. What has no delay, and what never changes, is
/// answered in the call; so are b_transport where nothing can wait, outside of threads, and payloads without a memory manager: a write is
/// then kept until its time, and a read tells what is there now.
class register_target final : public tlm_utils::passthrough_target_socket_optional<register_target, fabric::base_link_width_bits> {
 public:
  /// The registers, by their offsets. All but `read` act now.
  struct registers {
    std::function<bool(std::uint32_t offset)> is_writable;
    std::function<bool(std::uint32_t offset)> is_constant;
    /// `delay` is 0 but for a read that cannot wait for its time.
    std::function<std::uint32_t(std::uint32_t offset, const sc_core::sc_time& delay)> read;
    std::function<void(std::uint32_t offset, std::uint32_t value)> write;
    /// An access has acted later than in its call.
    std::function<void()> has_acted_later;
    std::function<unsigned(tlm::tlm_generic_payload& payload)> debug;
  };

  /// `bytes`: of all registers. During elaboration.
  register_target(const char* name, std::uint32_t bytes, registers owner);

  /// No access is to act later.
  bool idle() const { return kept_.empty(); }

 private:
  /// An access whose time has not come.
  struct access {
    sc_core::sc_time time;
    std::uint64_t number = 0;                // of the call
    tlm::tlm_generic_payload* of = nullptr;  // null: it has been answered, and writes:
    std::uint32_t offset = 0, value = 0;
  };
  struct is_later {
    bool operator()(const access& a, const access& b) const { return a.time != b.time ? a.time > b.time : a.number > b.number; }
  };

  bool is_refused(tlm::tlm_generic_payload& payload);
  void blocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum begin_request(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum end_response(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  unsigned debug(tlm::tlm_generic_payload& payload);

  void transfer(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  void execute(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  void keep(access later, const sc_core::sc_time& delay);
  void act();
  void on_due();

  const fabric::access_rules rules_;
  const registers owner_;
  std::priority_queue<access, std::vector<access>, is_later> kept_;
  std::uint64_t calls_ = 0;
  sc_core::sc_event due_;                           // something acts, or a response may begin
  std::deque<tlm::tlm_generic_payload*> answered_;  // accesses whose responses have not begun
  tlm::tlm_generic_payload* responding_ = nullptr;  // between its BEGIN_RESP and its END_RESP
  sc_core::sc_time response_end_{};                 // of the latest one
};

}  // namespace tc::platform
