// SPDX-License-Identifier: Apache-2.0
#include <systemc>

// SystemC's library calls sc_main() of the program; one in another language has none. A program that has its own gets that.
extern "C" [[gnu::weak]] int sc_main(int, char**);
int sc_main(int, char**) { return 0; }
