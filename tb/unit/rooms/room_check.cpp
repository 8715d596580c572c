// SPDX-License-Identifier: Apache-2.0
// room_check LIBRARY: prints what breaks the rules of rooms in model/tc. Exit status 1 if anything does. Needs only the standard library,
// so that it can be compiled and run before everything else is.

#include <cstdio>

#include "room_rules.hpp"

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: room_check FOLDER-WITH-ROOMS.TXT\n", stderr);
    return 2;
  }
  const auto violations = room_violations(arguments[1]);
  for (const auto& violation : violations) std::puts(violation.c_str());
  return violations.empty() ? 0 : 1;
}
