// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <systemc>

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
  unsigned outstanding = 16;              ///< transactions of a socket that are not answered yet, at most
  unsigned burst_bytes = 128;             ///< of one transaction, which crosses no multiple of it, at most
  timing mode = timing::approximate;
  bool direct_memory = true;   ///< loose: whether pointers to memory are asked for where the platform offers them
  sc_core::sc_time quantum{};  ///< loose: how far ahead of simulation time a socket may run, at most; zero: tlm::tlm_global_quantum
};

}  // namespace tc::platform
