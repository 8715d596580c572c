#pragma once

namespace tcsim {

/// SystemC prints its reports on stdout; from now on what is displayed goes to stderr. stdout is for results.
void send_reports_to_stderr();

}  // namespace tcsim
