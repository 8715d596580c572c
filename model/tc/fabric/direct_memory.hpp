// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <tc/fabric/clocked.hpp>
#include <tc/fabric/extensions.hpp>

namespace tc::fabric {

/// Contiguous bytes of one group of a warp's access, a wavefront of shared memory or a line of global memory: one transaction.
struct access_run {
  std::uint64_t address = 0;
  std::uint16_t offset = 0;  ///< of its first byte in the access's buffer
  std::uint16_t length = 0;
  std::uint16_t group = 0;
};

/// An access of a warp to a memory as a whole, for a unit whose link to the memory is direct (direct_link.hpp).
struct warp_access {
  unsigned link = 0;    ///< over which its transactions would come
  cycle_t arrival = 0;  ///< the coming cycle or a later one
  bool is_write = false;
  std::uint64_t base = 0;                                       ///< to which the addresses of the runs are added
  const access_run *runs_begin = nullptr, *runs_end = nullptr;  ///< in the order of their groups
  unsigned char* buffer = nullptr;                              ///< where the offsets of the runs count from
  const unsigned char* undefined = nullptr;                     ///< of a write: undefined_bytes::flags, as the buffer; null: it has none

  // What the memory answers.
  cycle_t first_valid = 0, valid = 0;  ///< when the first of its groups is done, and the last
};

/// An access of a warp to shared memory as a whole: what its transactions say one by one (warp_tag, wavefront). The words of a group lie in
/// different banks.
struct wavefront_access : warp_access {
  unsigned warp = 0;
  std::uint64_t number = 0;     ///< wavefront::access
  unsigned wavefronts = 0;      ///< the groups of the runs
  std::uint64_t bytes = 0;      ///< from the base to the end of the last run
  std::uint32_t conflicts = 0;  ///< bit per wavefront: wavefront::conflict
};

/// A shared memory for a unit whose link to it is direct (direct_link.hpp): the same changes of state as by transactions, in the same
/// calls, an access at a time.
class direct_shared_memory {
 public:
  /// Announces an access (fabric::wavefront): where it comes from, its arrival and its wavefronts; the rest is not looked at.
  virtual void announce(const wavefront_access& access) = 0;

  /// Executes an access in the cycle before its arrival. False if a transaction of it would have more to tell than data and time: an
  /// address that does not exist, undefined or unordered bytes. Then nothing has happened, and transactions must be sent.
  virtual bool execute(wavefront_access& access) = 0;

 protected:
  ~direct_shared_memory() = default;
};

/// Accesses of an asynchronous unit's stream (wavefront) without transactions, of a memory to which the unit is bound with nothing between
/// (is_direct()): what a transaction would bring, when, and what it would count.
class stream_access {
 public:
  /// Bytes that follow each other in memory: those of one transaction.
  struct byte_run {
    std::uint64_t address = 0;
    unsigned bytes = 0;
    unsigned char* data = nullptr;  ///< not used in a run of the model without data
  };
  struct request {
    unsigned link = 0;  ///< of the memory, to which the unit is bound
    bool is_write = false;
    const byte_run *runs_begin = nullptr, *runs_end = nullptr;  ///< each would be a transaction
    const wavefront* part = nullptr;                            ///< of which wavefront all of them are
    cycle_t arrival = 0;
    bool wants_defined = false;  ///< of a read: nothing if a byte is undefined, since transactions tell which one
  };
  struct answer {
    cycle_t valid = 0;  ///< when the data are there
    // What is to be known of a read, each of the first run that has it.
    proxy_hazard hazard = proxy_hazard::none;             ///< as in proxy_access
    bool any_undefined = false;                           ///< as in undefined_bytes
    std::uint64_t first_hazard = 0, first_undefined = 0;  ///< addresses
    std::ptrdiff_t hazard_run = 0, undefined_run = 0;     ///< numbers of the runs

    /// The same of the answer to a run that was a transaction, with proxy_access and undefined_bytes; but for the time.
    static answer of(const tlm::tlm_generic_payload& payload) {
      const auto& proxy = *payload.get_extension<proxy_access>();
      const auto& undefined = *payload.get_extension<undefined_bytes>();
      answer seen;
      seen.hazard = proxy.found;
      seen.first_hazard = payload.get_address() + proxy.first;
      seen.any_undefined = undefined.any;
      if (undefined.any) seen.first_undefined = payload.get_address() + undefined.first();
      return seen;
    }
  };

  virtual ~stream_access() = default;

  /// Nothing if one of the transactions would be answered with an error, or request::wants_defined says so; then nothing has happened.
  virtual std::optional<answer> access(const request& wanted) = 0;
};

}  // namespace tc::fabric
