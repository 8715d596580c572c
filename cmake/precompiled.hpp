// Headers that most sources include and that take longest to read. Only presets that ask for it precompile them (TC_PRECOMPILE_HEADERS); the
// preset dev does not, so that every file must include what it uses.
#pragma once

#define SC_INCLUDE_DYNAMIC_PROCESSES  // sc_spawn, for the sources that ask for it; must precede the first SystemC header

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/describe.hpp>
#include <boost/json.hpp>
#include <systemc>
#include <tlm>
