#pragma once

#include <cstdint>

#include <tc/fabric/clocked.hpp>

namespace tc::fabric {

/// Contiguous bytes of one group of a warp's access, as a wavefront: one transaction.
struct access_run {
  std::uint64_t address = 0;
  std::uint16_t offset = 0;  ///< of its first byte in the access's buffer
  std::uint16_t length = 0;
  std::uint16_t group = 0;
};

/// An access of a warp to shared memory as a whole: what its transactions say one by one (warp_tag, wavefront).
struct wavefront_access {
  unsigned link = 0;  ///< over which its transactions would come
  unsigned warp = 0;
  std::uint64_t number = 0;  ///< wavefront::access
  cycle_t arrival = 0;       ///< the coming cycle or a later one
  unsigned wavefronts = 0;   ///< the groups of the runs

  bool is_write = false;
  std::uint64_t base = 0;                                       ///< to which the addresses of the runs are added
  std::uint64_t bytes = 0;                                      ///< from there to the end of the last run
  const access_run *runs_begin = nullptr, *runs_end = nullptr;  ///< by wavefront; the words of a wavefront lie in different banks
  std::uint32_t conflicts = 0;                                  ///< bit per wavefront: wavefront::conflict
  unsigned char* buffer = nullptr;                              ///< where the offsets of the runs count from

  // What the memory answers.
  cycle_t first_valid = 0, valid = 0;  ///< ends of the first wavefront and of the last
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

}  // namespace tc::fabric
