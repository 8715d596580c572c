// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tcsim {

/// Makes SystemC's reports those of a command: what is displayed goes to stderr, as stdout is for results, and a fatal report, such as a
/// failed assertion, throws sc_report instead of aborting the process.
void set_up_reports();

}  // namespace tcsim
