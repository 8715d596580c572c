// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <tc/fabric/clocked.hpp>
#include <tc/fabric/proxy_access.hpp>
#include <tc/fabric/undefined_bytes.hpp>
#include <tc/fabric/wavefront.hpp>

namespace tc::fabric {

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

  /// Nothing if one of the transactions would be answered with an error; then nothing has happened.
  virtual std::optional<answer> access(const request& wanted) = 0;
};

}  // namespace tc::fabric
