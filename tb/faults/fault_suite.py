#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the command while the world around it fails: signals, full and read-only disks, inputs that vanish or are damaged, too little memory,
an output that nobody takes, two processes on one file of results, a clock that jumps. After each fault the exit status must be right, and no
file may look complete that is not. Prints a line for each fault, and one for all; exit status 1 if anything was found."""

import argparse
import pathlib
import shutil
import sys
import tempfile
import time

import faults
from jobs import make_jobs


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tcsim", type=pathlib.Path, help="the command to be tested")
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument("--rounds", type=int, default=3, help="times each fault happens (default 3)")
    amount.add_argument("--seconds", type=float, help="time that all faults share, instead of rounds")
    parser.add_argument("--seed", type=int, default=1, help="of what is chosen at random (default 1); times depend on the machine too")
    parser.add_argument("--only", choices=[fault.__name__ for fault in faults.ALL], help="one fault")
    return parser.parse_args()


def happen(fault, suite, rounds, seconds):
    """Lets a fault happen `rounds` times or for `seconds`. Returns executions and findings."""
    begin, executions, findings = time.monotonic(), 0, []
    for found in fault(suite):
        executions += 1
        if found:
            findings.append(found)
            print(f"finding: {fault.__name__}: {found}", file=sys.stderr, flush=True)
        if time.monotonic() - begin >= seconds if seconds is not None else executions >= rounds:
            break
    return executions, findings


def main():
    options = parse_arguments()
    root = pathlib.Path(__file__).resolve().parents[2]
    chosen = [fault for fault in faults.ALL if options.only in (None, fault.__name__)]
    seconds = None if options.seconds is None else options.seconds / len(chosen)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tcsim-faults-"))
    executions, findings = 0, 0
    try:
        tcsim = options.tcsim.resolve()
        jobs = make_jobs(tcsim, root, folder)
        for fault in chosen:
            begin = time.monotonic()
            suite = faults.Suite(tcsim, root, folder, jobs, f"{options.seed} {fault.__name__}")
            done, found = happen(fault, suite, options.rounds, seconds)
            executions, findings = executions + done, findings + len(found)
            remark = "" if done else ", left out: this machine cannot do it"
            print(f"{fault.__name__:16} {done:6} executions {len(found):4} findings {time.monotonic() - begin:8.1f} s{remark}", flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"faults: {executions} executions, {findings} findings (seed {options.seed})")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
