#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether more of a resource is ever slower: of each capacity of a machine twice as much, of each time half as much, over small kernels. Each
machine runs a kernel several times, with starts, latencies and ties varied by chance (--jitter). Where the rank test of `tcsim diff` calls
a slower machine real, both run again, more often and with other seeds: among hundreds of comparisons one in forty is slower in the first runs by
chance alone. What is slower there too is a finding, unless exceptions.py has its cause. Exit status 1 if there is any."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

from exceptions import EXCEPTIONS
from resources import resources_of
from workloads import workloads

LEVEL = 0.05  # as rank_test.hpp has it
FALSE_FINDINGS = 0.05  # how many of a kernel are expected at most, if chance alone parts all machines
CLOSER_LOOK = 4  # times the runs of the first look


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tcsim", type=pathlib.Path, help="the command")
    parser.add_argument("--quick", action="store_true", help="few kernels")
    parser.add_argument("--sample", type=int, help="only so many resources of each kernel, drawn with --seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int, default=5, help="of each machine (5); the rank test needs 4")
    parser.add_argument("--only", default="", help="kernels whose machine and name match this regular expression, as hopper/wgmma")
    parser.add_argument("--parameter", default="", help="parameters that match this regular expression")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at a time (all processors)")
    parser.add_argument("--verbose", action="store_true", help="print every comparison")
    return parser.parse_args()


class Runs:
    """What `--stats` wrote of runs of a kernel that only chance sets apart."""

    def __init__(self, statistics):
        self.statistics = statistics
        self.median, self.least, self.most = (json.loads(statistics.read_text())["jitter"]["kernels"][0][key] for key in ("median", "least", "most"))

    def __str__(self):
        return f"{self.median} ({self.least} to {self.most})"


class Suite:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.pool = concurrent.futures.ThreadPoolExecutor(options.jobs)
        self.draw = random.Random(options.seed)
        self.compared = self.refused = self.found = 0
        self.excused = {}

    def run(self, workload, trace, runs, *changes):
        """Runs of it; None where a machine cannot be like that."""
        statistics = self.folder / f"{workload.machine}.{workload.name}.{runs}.{abs(hash(changes))}.json"
        words = [self.options.tcsim, "run", trace, "--config", workload.machine, "--no-data", "--jitter", str(runs), "--stats", statistics]
        for change in (*workload.settings(), *changes):
            words += ["--set", change]
        outcome = subprocess.run(words, capture_output=True, text=True)
        if outcome.returncode == 2:
            return None
        if outcome.returncode not in (0, 1):
            raise RuntimeError(f"{' '.join(map(str, words))}: {outcome.stderr.strip()[-300:]}")
        return Runs(statistics)

    def chance(self, base, better):
        """The probability that chance alone parts two sets of runs as far, as `tcsim diff` says it."""
        difference = better.statistics.with_suffix(".diff")
        words = [self.options.tcsim, "diff", base.statistics, better.statistics, "--json", difference]
        subprocess.run(words, check=True, capture_output=True)
        return json.loads(difference.read_text())["kernels"][0]["p"]

    def looks_slower(self, base, better):
        return better.median > base.median and self.chance(base, better) < LEVEL

    def is_slower(self, workload, trace, row, comparisons):
        """A closer look at what looks slower: more runs, with seeds that were not looked at yet, and a level for as many comparisons."""
        runs, seed = CLOSER_LOOK * self.options.runs, f"jitter.seed={1 + self.options.runs}"
        base = self.run(workload, trace, runs, seed)
        better = self.run(workload, trace, runs, seed, f"{row[0]}={row[2]}")
        return better.median > base.median and self.chance(base, better) < FALSE_FINDINGS / comparisons

    def resources(self, workload):
        shown = subprocess.run([self.options.tcsim, "config", "show", workload.machine], check=True, capture_output=True, text=True)
        rows = [row for row in resources_of(json.loads(shown.stdout)) if re.search(self.options.parameter, row[0])]
        if self.options.sample is not None and self.options.sample < len(rows):
            rows = self.draw.sample(rows, self.options.sample)
        return rows

    def judge(self, workload, trace, row, base, better, comparisons):
        path, value, changed = row
        where = f"{workload.machine}/{workload.name}, {path} {value} -> {changed}"
        if better is None:
            self.refused += 1
            return
        self.compared += 1
        if self.options.verbose:
            print(f"{where}: {base} -> {better}")
        if not self.looks_slower(base, better) or not self.is_slower(workload, trace, row, comparisons):
            return
        words = f"{where}: {100 * (better.median / base.median - 1):.2f} % slower, {base} -> {better} cycles"
        for number, (pattern, cause) in enumerate(EXCEPTIONS):
            if re.fullmatch(pattern, f"{workload.machine}/{workload.name}/{path}"):
                self.excused.setdefault(number, []).append(words)
                return
        self.found += 1
        print(f"finding: {words}", file=sys.stderr, flush=True)

    def compare(self, workload):
        trace = workload.prepare(self.options.tcsim, self.folder)
        base = self.run(workload, trace, self.options.runs)
        rows = self.resources(workload)
        better = self.pool.map(lambda row: self.run(workload, trace, self.options.runs, f"{row[0]}={row[2]}"), rows)
        before = self.compared, self.found
        for row, runs in zip(rows, better):
            self.judge(workload, trace, row, base, runs, len(rows))
        print(f"{workload.machine + '/' + workload.name:30} {str(base):32} {self.compared - before[0]:9} {self.found - before[1]:8}", flush=True)

    def tell_exceptions(self):
        for number, words in sorted(self.excused.items()):
            print(f"\n{EXCEPTIONS[number][1]}:")
            for each in words:
                print(f"  {each}")


def main():
    options = parse_arguments()
    chosen = [each for each in workloads() if (each.quick or not options.quick) and re.search(options.only, f"{each.machine}/{each.name}")]
    if not chosen:
        sys.exit(f"no kernel matches {options.only!r}")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tcsim-metamorphic-"))
    try:
        suite = Suite(options, folder)
        print(f"{'kernel':30} {'cycles':32} {'compared':>9} {'findings':>8}")
        for workload in chosen:
            suite.compare(workload)
        suite.tell_exceptions()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    excused = sum(map(len, suite.excused.values()))
    print(f"\nmetamorphic: {suite.compared} comparisons, {suite.refused} machines that cannot be, {excused} exceptions, {suite.found} findings")
    return 1 if suite.found else 0


if __name__ == "__main__":
    sys.exit(main())
