#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many lines of the library do the tests execute? Builds the preset `coverage`, runs the tests in it, and prints for each room the
lines that have code, those that ran, and what is wanted; then the files with most lines that did not run. Exit status 1 if a room is below
what is wanted. Pages with every line are under build/coverage/report."""

import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "coverage"
WANTED_OF_FOUNDATIONS, WANTED = 95, 90  # per cent of lines
FOUNDATIONS = ("numerics", "isa", "trace", "config")
# Tests of the command as it is installed, of pages, clusters and benchmarks: they run what others run. And those that limit the size of
# files: the counts are files, too.
LEFT_OUT = "^(package|browser|slurm|perf|faults)/"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="of the build and of the tests (default: one for each processor)")
    parser.add_argument("--keep", action="store_true", help="count what ran before, too, and run no tests")
    parser.add_argument("--files", type=int, default=15, help="files to list (default 15)")
    return parser.parse_args()


def call(*command):
    environment = os.environ | {"SYSTEMC_DISABLE_COPYRIGHT_MESSAGE": "1"}
    subprocess.run([str(word) for word in command], cwd=ROOT, check=True, env=environment)


def run_tests(jobs):
    call("bash", "-c", "source tools/setup.sh; configure coverage")
    call("cmake", "--build", "--preset", "coverage", "--parallel", jobs)
    for counts in BUILD.rglob("*.gcda"):
        counts.unlink()
    call("ctest", "--preset", "coverage", "--parallel", jobs, "--exclude-regex", LEFT_OUT, "--output-log", BUILD / "tests.log", "--quiet")


def count_lines(jobs):
    """Of each source of the library: lines with code, and those that ran."""
    call("bash", "-c", "source tools/setup.sh; install_packages \"${coverage_packages[@]}\"")
    report = BUILD / "report"
    report.mkdir(exist_ok=True)
    call("gcovr", "--root", ROOT, "--filter", "model/tc/", "-j", jobs, "--json-summary", report / "summary.json",
         "--html-details", report / "index.html", BUILD)
    files = json.loads((report / "summary.json").read_text())["files"]
    return {file["filename"]: (file["line_total"], file["line_covered"]) for file in files}


def rooms():
    """The names of rooms.txt without rooms in rooms."""
    lines = (ROOT / "model" / "tc" / "rooms.txt").read_text().splitlines()
    names = [line.split()[0] for line in lines if line and not line.startswith("#")]
    return [name for name in names if "/" not in name]


def print_rooms(files):
    """Whether all have what is wanted."""
    lines, ran = collections.Counter(), collections.Counter()
    for name, (total, covered) in files.items():
        if room := re.match(r"model/tc/(\w+)/", name):
            lines[room[1]] += total
            ran[room[1]] += covered
    print(f"\n{'room':10} {'lines':>7} {'ran':>7} {'share':>8} {'wanted':>7}")
    are_enough = True
    for room in rooms():
        wanted = WANTED_OF_FOUNDATIONS if room in FOUNDATIONS else WANTED
        share = 100 * ran[room] / max(1, lines[room])
        are_enough &= share > wanted
        print(f"{room:10} {lines[room]:7} {ran[room]:7} {share:6.1f} % {wanted:5} %{'' if share > wanted else '  too few'}")
    total, covered = sum(lines.values()), sum(ran.values())
    print(f"coverage: {total} lines in {len(lines)} rooms, {100 * covered / max(1, total):.1f} % ran")
    return are_enough


def main():
    options = parse_arguments()
    if not options.keep:
        run_tests(options.jobs)
    files = count_lines(options.jobs)
    missing = sorted(files, key=lambda name: files[name][1] - files[name][0])
    print(f"\n{'not run':>7}  file")
    for name in missing[: options.files]:
        print(f"{files[name][0] - files[name][1]:7}  {name}")
    return 0 if print_rooms(files) else 1


if __name__ == "__main__":
    sys.exit(main())
