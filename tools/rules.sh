#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Rules that need no build of the project, in seconds: which room includes which (model/tc/rooms.txt), that files include the library headers
# they need, how long a file may be, its licence, the format, who may ask SystemC for the time, and that the catalogue of messages is what the source says.
# Called from the root of the checkout; prints what breaks a rule. Exit status 1 if anything does.
set -euo pipefail

longest=500   # lines of a source file; who needs more holds two ideas
broken=0

scripts() { find app -name '*.js' | sort; }
sources() { find model app tb record -name '*.hpp' -o -name '*.cpp' | sort; }

mkdir -p build/rules
c++ -std=c++17 -O0 -o build/rules/room_check tb/unit/rooms/room_check.cpp tb/unit/rooms/room_rules.cpp
build/rules/room_check model/tc || broken=1

/usr/bin/python3 tools/library_includes.py model app || broken=1

{ sources; scripts; } | xargs wc -l |
  awk -v longest=$longest '$2 != "total" && $1 > longest { print $2 ": has " $1 " lines; the longest allowed is " longest; found = 1 } END { exit found }' || broken=1

# A clock domain may run ahead of SystemC; its units ask local_time. Who drives SystemC, or lives in a platform, is not called from it.
if grep -rn 'sc_time_stamp' model/tc | grep -vE '^model/tc/(fabric/(local_time|clock_domain)\.|device/sliced_simulation\.|platform/|host/)'; then
  echo 'these lines ask SystemC for the time, and not fabric::local_time'
  broken=1
fi

# Each file in a language that has comments says its licence, as a machine reads it (spdx.dev).
unlicensed=$(find check demo .ci CMakeLists.txt app cmake configs examples model record tb tools \( -name corpus -o -name data -o -name __pycache__ \) -prune -o -type f \
  \( -regex '.*\.\(cpp\|hpp\|h\|c\|cu\|cuh\|inc\|sv\|js\|css\|html\|py\|sh\|awk\|cmake\|in\)' -o -name CMakeLists.txt -o -name Makefile \
  -o -path 'configs/*.json' -o -path check -o -path demo -o -path .ci/run \) -print0 |
  xargs -0 grep -L '^[^ ]* *SPDX-License-Identifier: Apache-2.0' || true)
if [[ -n $unlicensed ]]; then
  printf '%s: has no line "SPDX-License-Identifier: Apache-2.0"\n' $unlicensed
  broken=1
fi

{ sources; scripts; } | xargs clang-format-14 --dry-run -Werror || broken=1
/usr/bin/python3 tools/error_catalogue.py || broken=1
exit "$broken"
