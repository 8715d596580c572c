// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <systemc>
#include <tlm>

#include <tc/fabric/base_protocol_initiator.hpp>
#include <tc/fabric/payload_pool.hpp>
#include <tc/platform/blocking_callers.hpp>

namespace tc::platform {

/// How a bus interface speaks to the platform.
enum class timing {
  approximate,  ///< non-blocking transport, four phases (IEEE 1666-2011, section 10.3.3)
  loose         ///< blocking transport from threads, with temporal decoupling and direct access to memory (section 10.3.2)
};

/// What a bus interface is.
struct bus_parameters {
  unsigned sockets = 1;                   ///< outward
  std::uint64_t interleave_bytes = 4096;  ///< addresses of one socket, then those of the next; a multiple of burst_bytes
  /// Transactions of a socket that are not answered yet, at most. Absent: as many as the machine has, whose units bound them themselves.
  std::optional<unsigned> outstanding{};
  unsigned burst_bytes = 128;  ///< of one transaction, which crosses no multiple of it, at most
  timing mode = timing::approximate;
  bool direct_memory = true;   ///< loose: whether pointers to memory are asked for where the platform offers them
  sc_core::sc_time quantum{};  ///< loose: how far ahead of simulation time a socket may run, at most; zero: tlm::tlm_global_quantum
};

/// A request of the machine on its way over the bus. Its attributes are those that it came with.
struct bus_request {
  tlm::tlm_generic_payload* payload = nullptr;
  bool is_write = false;
  sc_dt::uint64 address = 0;
  unsigned char* data = nullptr;
  unsigned bytes = 0;
  const unsigned char* byte_enables = nullptr;  ///< null: all bytes
  unsigned byte_enable_bytes = 0;               ///< after which they repeat
  unsigned link = 0;                            ///< that it came over
  sc_core::sc_time arrival{};                   ///< absolute
  unsigned sent = 0;                            ///< bytes of the bursts that have left
  unsigned open = 0;                            ///< bursts that are not answered, and one while bursts are being sent
  bool is_limited = false;                      ///< has waited for a place among the transactions of a socket
  sc_core::sc_time valid{};                     ///< absolute, of the latest answer
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
  sc_core::sc_event* answered = nullptr;  ///< of a sender that waits inside b_transport

  bool all_sent() const { return sent == bytes; }
  bool is_enabled(unsigned byte) const { return byte_enables == nullptr || byte_enables[byte % byte_enable_bytes] == TLM_BYTE_ENABLED; }
};

/// The part of a request that goes over the bus in one transaction.
struct bus_burst {
  bus_request* of = nullptr;
  sc_dt::uint64 address = 0;
  unsigned offset = 0;  ///< in the data of the request
  unsigned bytes = 0;

  unsigned char* data() const { return of->data + offset; }
};

/// Whether the order of two accesses matters: they share bytes, and one of them writes.
inline bool depend_on_each_other(const bus_burst& a, const bus_burst& b) {
  const bool share = a.address < b.address + b.bytes && b.address < a.address + a.bytes;
  return share && (a.of->is_write || b.of->is_write);
}

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

/// An outward socket of a bus interface: base protocol, 32 bit. Bind it to any target or interconnect.
using bus_initiator = fabric::base_protocol_initiator;

/// A place for a transaction that is on its way.
struct bus_slot {
  bus_burst burst{};
  tlm::tlm_generic_payload* payload = nullptr;  ///< null: free, from free_at on
  sc_core::sc_time start{}, free_at{};          ///< absolute
  std::vector<unsigned char> byte_enables{};
  bus_slot* next = nullptr;  ///< in the list of bursts_on_their_way that it is in
};

/// The bursts of a socket that are not answered, by the multiple of burst_bytes that each lies in.
class bursts_on_their_way {
 public:
  explicit bursts_on_their_way(unsigned burst_bytes) : burst_bytes_(burst_bytes) {}

  void insert(bus_slot& slot);
  void erase(bus_slot& slot);
  /// Whether one of them and the burst depend on each other.
  bool any_depends_on(const bus_burst& burst) const;

 private:
  static constexpr std::size_t lists = 512;

  std::size_t list_of(const bus_burst& burst) const { return burst.address / burst_bytes_ % lists; }

  unsigned burst_bytes_;
  std::array<bus_slot*, lists> first_{};
};

/// What goes over one outward socket: transactions that are answered in any order, never two at a time whose order matters, and no more at
/// a time than a limit, if there is one.
class bus_channel {
 public:
  /// A burst has been answered; the answer is valid at a time, now or later.
  using done_callback = std::function<void(const bus_burst& burst, tlm::tlm_response_status status, const sc_core::sc_time& valid)>;

  bus_channel(bus_initiator& socket, const bus_parameters& parameters, done_callback done);

  /// Whether it depends on no burst that is on its way.
  bool is_independent(const bus_burst& burst) const { return !sent_.any_depends_on(burst); }
  /// When a place is free (absolute), zero: it is; maximum_time(): not before another answer comes.
  sc_core::sc_time first_free() const;

  /// Sends a burst that can leave at its request's arrival or as soon after as there is a place.
  void send(const bus_burst& burst);

  /// What the socket is to tell when a payload is answered.
  void answered(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);

  /// Whether the target has granted a pointer for an access.
  bool is_direct(const bus_burst& burst) const;
  /// Accesses memory by it, and returns the latency that the target says.
  sc_core::sc_time reach_directly(const bus_burst& burst);

  /// No transaction is on its way.
  bool idle() const { return pool_.live() == 0; }

  /// Ahead of simulation time by at most this.
  sc_core::sc_time quantum() const;

  std::uint64_t transactions() const { return transactions_; }
  std::uint64_t direct_accesses() const { return direct_accesses_; }
  /// Most that were on their way at a time, or answered by what was valid later.
  std::uint64_t most_outstanding() const { return slots_.size(); }

  static sc_core::sc_time maximum_time() { return sc_core::sc_max_time(); }

 private:
  bool has_unused_slot() const { return !params_.outstanding || slots_.size() < *params_.outstanding; }
  bus_slot& take_slot(const sc_core::sc_time& start);
  void set_request(bus_slot& slot);
  void call_blocking(bus_slot& slot);

  bus_initiator& socket_;
  const bus_parameters params_;
  done_callback done_;
  fabric::payload_pool pool_;
  std::deque<bus_slot> slots_;   // as many as have been needed at a time
  std::vector<bus_slot*> free_;  // of these: a heap, the one that is free first on top
  bursts_on_their_way sent_;
  direct_regions regions_;
  std::unique_ptr<blocking_callers> callers_;  // none: approximate timing
  std::uint64_t transactions_ = 0, direct_accesses_ = 0;
};

}  // namespace tc::platform
