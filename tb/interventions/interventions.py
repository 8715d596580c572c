#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether the first line of a run's summary is a cause: relaxes what it names, and looks whether at least half of the cycles that it promises
are saved. Runs without data and with `hazards=interlock`, before and after. Prints a line for each promise that was not kept, and one for
all; exit status 1 if fewer than --least per cent were kept. With --others it relaxes, each by itself, what comes behind the first line too, and
says how often one of those saves more than twice as much."""

import argparse
import concurrent.futures
import functools
import json
import os
import pathlib
import re
import sys
import tempfile

from workloads import Golden, random_workloads, run, without_control_codes

KEPT = 0.5         # of a promise
NO_PROMISE = 0.01  # of the cycles: less is promised of a run that nothing limits by itself
INTERLOCK = "sm.sub_core.issue.hazards=interlock"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tcsim", type=pathlib.Path, help="the command")
    parser.add_argument("--random", type=int, default=200, metavar="N", help="machines drawn at random, beside the golden runs (200)")
    parser.add_argument("--seed", type=int, default=1, help="of these, and of --draw")
    parser.add_argument("--draw", type=int, metavar="N", help="of the golden runs, only so many")
    parser.add_argument("--least", type=float, default=90, metavar="PERCENT", help="promises that must be kept (90)")
    parser.add_argument("--others", type=int, default=0, metavar="N", help="limits behind the first to relax too (0)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at a time (all processors)")
    parser.add_argument("--table", type=pathlib.Path, help="write all runs as comma-separated values")
    return parser.parse_args()


def refused(assignments, message):
    """The assignments without one that the machine does not accept beside the others; nothing if the message is about something else."""
    for path in assignments:
        if path in message:
            return {each: value for each, value in assignments.items() if each != path}
    named = re.search(r"((?:sm|global_memory)\.[\w.]+): ", message)
    record = named.group(1).rsplit(".", 1)[0] if named else None
    for path in assignments:
        if record is not None and path.rsplit(".", 1)[0] == record:
            return {each: value for each, value in assignments.items() if each != path}
    return None


def statistics(tcsim, trace, machine, assignments, folder):
    """What a run counted. Changes that the machine does not accept are left out."""
    with tempfile.NamedTemporaryFile(dir=folder, suffix=".json") as file:
        while True:
            words = [word for path, value in assignments.items() for word in ("--set", f"{path}={value}")]
            done = run(tcsim, "run", trace, "--config", machine, "--no-data", "--stats", file.name, *words)
            if done.returncode in (0, 1):
                return json.load(open(file.name))
            assignments = refused(assignments, done.stderr)
            if assignments is None:
                return None


class Outcome:
    def __init__(self, workload, limit, before, after, others=()):
        self.workload, self.limit, self.before, self.after = workload, limit, before, after
        self.others = others  # limits behind the first, with the cycles of the run without each

    @property
    def better(self):
        """The other limit that saves most, if it saves more than twice as much as the first, with its cycles; or nothing."""
        best = min(self.others, key=lambda other: other[1], default=None)
        return best if best is not None and 1 - best[1] / self.before > max(NO_PROMISE, self.saved / KEPT) else None

    @property
    def promised(self):
        return self.limit["saving"] if self.limit else 0.0

    @property
    def saved(self):
        return 1 - self.after / self.before

    @property
    def has_promise(self):
        return self.promised >= NO_PROMISE

    @property
    def is_kept(self):
        return self.saved >= KEPT * self.promised

    def line(self):
        return (f"{self.workload.name}: {self.limit['text']}; relaxed, {self.before} cycles became {self.after}, "
                f"{100 * self.saved:.1f} % of them saved")


def cycles_without(tcsim, folder, workload, own, limit):
    """Of the run, with what relaxes the limit; nothing if no machine is left."""
    trace = without_control_codes(workload.trace, folder) if limit["without_control_codes"] else workload.trace
    relaxed = {path: json.dumps(value).strip('"') for path, value in limit["relaxed"].items()}
    after = statistics(tcsim, trace, workload.machine, {**own, **relaxed}, folder)
    return after["cycles"] if after else None


def intervene(tcsim, folder, others, workload):
    own = dict(each.split("=", 1) for each in (*workload.assignments, INTERLOCK))
    before = statistics(tcsim, workload.trace, workload.machine, own, folder)
    if before is None or before["status"] != "finished":
        return None
    cycles = before["cycles"]
    if not before["limits"] or before["limits"][0]["saving"] < NO_PROMISE:
        return Outcome(workload, next(iter(before["limits"]), None), cycles, cycles)
    first, *behind = before["limits"]
    after = [(limit, cycles_without(tcsim, folder, workload, own, limit) or cycles) for limit in (first, *behind[:others])]
    return Outcome(workload, first, cycles, after[0][1], after[1:])


def write_table(outcomes, path):
    lines = ["run,limit,promised,saved,cycles,relaxed_cycles"]
    for each in outcomes:
        key = each.limit["limit"] if each.limit else ""
        lines.append(f'"{each.workload.name}",{key},{each.promised:.4f},{each.saved:.4f},{each.before},{each.after}')
    path.write_text("\n".join(lines) + "\n")


def report_others(outcomes):
    overtaken = [each for each in outcomes if each.better is not None]
    for each in overtaken:
        other, cycles = each.better
        print(f"{each.line()}; without {other['limit']}, {100 * (1 - cycles / each.before):.1f} %")
    print(f"{len(outcomes)} first lines: behind {len(overtaken)} of them another limit saves more than twice as much")


def main():
    arguments = parse_arguments()
    tcsim = arguments.tcsim.resolve()
    with tempfile.TemporaryDirectory() as folder:
        golden = Golden(tcsim, folder).workloads(arguments.draw, arguments.seed)
        workloads = [*golden]
        workloads += random_workloads(tcsim, golden, arguments.random, arguments.seed)
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            outcomes = [each for each in pool.map(functools.partial(intervene, tcsim, folder, arguments.others), workloads) if each is not None]
    if arguments.table:
        write_table(outcomes, arguments.table)
    promises = [each for each in outcomes if each.has_promise]
    broken = [each for each in promises if not each.is_kept]
    for each in sorted(broken, key=lambda each: each.saved / each.promised):
        print(each.line())
    if arguments.others:
        report_others(promises)
    kept = 100 * (len(promises) - len(broken)) / max(1, len(promises))
    print(f"{len(outcomes)} runs, {len(promises)} with a promise: {len(promises) - len(broken)} kept half of it ({kept:.1f} %), {len(broken)} did not")
    return 0 if promises and kept >= arguments.least else 1


if __name__ == "__main__":
    sys.exit(main())
