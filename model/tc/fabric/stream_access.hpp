#pragma once

#include <cstdint>
#include <optional>

#include <tc/fabric/clocked.hpp>
#include <tc/fabric/proxy_access.hpp>
#include <tc/fabric/wavefront.hpp>

namespace tc::fabric {

/// Accesses of an asynchronous unit's stream (wavefront) without transactions, of a memory to which the unit is bound with nothing between
/// (is_direct()): what a transaction would bring, when, and what it would count.
class stream_access {
 public:
  struct request {
    unsigned link = 0;  ///< of the memory, to which the unit is bound
    bool is_write = false;
    std::uint64_t address = 0;
    unsigned bytes = 0;
    unsigned char* data = nullptr;    ///< not used in a run without data
    const wavefront* part = nullptr;  ///< of which wavefront
    cycle_t arrival = 0;
  };
  struct answer {
    cycle_t valid = 0;  ///< when the data are there
    // What is to be known of a read.
    proxy_hazard hazard = proxy_hazard::none;  ///< as in proxy_access
    bool any_undefined = false;                ///< as in undefined_bytes
    std::uint32_t first_hazard = 0, first_undefined = 0;
  };

  virtual ~stream_access() = default;

  /// Nothing if a transaction would be answered with an error; then nothing has happened.
  virtual std::optional<answer> access(const request& wanted) = 0;
};

}  // namespace tc::fabric
