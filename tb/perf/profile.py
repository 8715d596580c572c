#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where the time of a run goes, by room of the model: samples of perf (package linux-perf), inlined code counted where it is written.

    cmake --preset release -B build/profile -DCMAKE_CXX_FLAGS=-g1 && cmake --build build/profile --target tcsim
    tb/perf/profile.py build/profile/bin/tcsim run stream.trace --config hopper
    tb/perf/profile.py --functions 20 build/profile/bin/tcsim ...        the functions that take longest too

Code of the C++ library that is inlined counts for who uses it; functions of the libraries themselves have rows of their own.
"""

import argparse
import collections
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from sampling import samples_of, shares


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--functions", type=int, metavar="N", default=0)
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="COMMAND")
    options = parser.parse_args()
    if not options.command:
        parser.error("which command?")
    samples = samples_of(options.command)
    for kind, share in shares(samples).items():
        print(f"{100 * share:5.1f} %  {kind}")
    for (kind, function), count in collections.Counter(samples).most_common(options.functions):
        print(f"{100 * count / len(samples):5.1f} %  {kind}: {function}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
