// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include <systemc>

#include "command_line.hpp"

// SystemC's library has a main of its own, which greets on stderr before sc_main runs.
int main(int argc, char** argv) {
  tcsim::set_up_process();
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
  return sc_core::sc_elab_and_sim(argc, argv);
}

int sc_main(int argc, char** argv) { return static_cast<int>(tcsim::run_command_line(argc, argv)); }
