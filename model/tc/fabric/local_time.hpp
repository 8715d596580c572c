// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

namespace tc::fabric {

/// The time of what is going on: SystemC's or, while a clock domain runs ahead of it, that of the domain's running edge. The units of the
/// model ask here, and never SystemC itself. (Temporal decoupling, as TLM-2.0 has it for initiators.)
class local_time {
 public:
  static sc_core::sc_time now() { return sc_core::sc_time_stamp() + sc_core::sc_time::from_value(lead_); }

  /// Notifies an event `delay` after now().
  static void notify(sc_core::sc_event& event, const sc_core::sc_time& delay) { event.notify(delay + sc_core::sc_time::from_value(lead_)); }

 private:
  friend class clock_domain;

  static inline sc_dt::uint64 lead_ = 0;  ///< from SystemC's time to now(), in units of the resolution
};

}  // namespace tc::fabric
