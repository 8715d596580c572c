// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <string>

#include <systemc>

#include <tc/fabric/clock_domain.hpp>

#include "command_line.hpp"

// The command tcsim with the units of each stage of an edge in another order in each edge, drawn from the seed TC_SHUFFLE_SEED (1). What it
// says must be what tcsim says (fabric::clocked).
int main(int argc, char** argv) {
  tcsim::set_up_process();
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
  return sc_core::sc_elab_and_sim(argc, argv);
}

int sc_main(int argc, char** argv) {
  const char* const seed = std::getenv("TC_SHUFFLE_SEED");
  tc::fabric::clock_domain::shuffle_stages(seed == nullptr ? 1U : static_cast<unsigned>(std::stoul(seed)));
  return static_cast<int>(tcsim::run_command_line(argc, argv));
}
