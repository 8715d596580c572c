// SPDX-License-Identifier: Apache-2.0
// Headers that most sources include and that take longest to read, precompiled by the presets that ask for it (TC_PRECOMPILE_HEADERS).
// Every file includes what it uses all the same: ./check compiles each header alone or first in its source, and reads the sources of the
// library and the command with clang-tidy, without this file.
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

#include <systemc>
#include <tlm>

#include <boost/describe.hpp>
#include <boost/json.hpp>
