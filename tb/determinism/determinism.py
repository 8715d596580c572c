#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether a run gives the same bits, cycles, statistics and recordings whatever it is run with: builds of different compilers, debug and
release, each set of vector instructions of the host, one process and 64, each form of a trace, with and without recordings, and other
surroundings (memory that holds something else, another language, another folder). Compares all byte by byte with the first variant. Prints
a table of what was compared, and one line for all; exit status 1 if anything differs."""

import argparse
import collections
import concurrent.futures
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from kernels import Variant, kernels

INSTRUCTIONS = ("avx512", "avx2", "portable")
OTHER_SURROUNDINGS = {"MALLOC_PERTURB_": "173", "LC_ALL": "C", "TZ": "Pacific/Chatham", "COLUMNS": "40", "UNUSED": "x" * 5000}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tcsim", type=pathlib.Path, nargs="+", help="the command, of one build or several; the first one's results count")
    parser.add_argument("--quick", action="store_true", help="few kernels, and what can vary varies by itself instead of with all else")
    parser.add_argument("--binaries-alone", action="store_true", help="nothing varies but the binary; nothing is recorded")
    parser.add_argument("--only", help="kernels whose names contain this")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at a time (all processors)")
    return parser.parse_args()


def instructions_of(binary):
    """Sets of instructions that a binary can use here. It refuses the others before it looks at anything else."""
    found = []
    for name in INSTRUCTIONS:
        environment = dict(os.environ, TCSIM_INSTRUCTION_SET=name)
        if subprocess.run([binary, "--version"], env=environment, capture_output=True).returncode == 0:
            found.append(name)
    return found


def all_variants(kernel, binaries):
    """Everything with everything; other surroundings, and no values, once for each binary."""
    for binary, sets in binaries.items():
        recordings = (False, True) if kernel.may_record else (False,)
        for words in itertools.product(sets, kernel.processes, kernel.forms, recordings):
            yield Variant(binary, *words)
        yield Variant(binary, sets[0], kernel.processes[-1], kernel.forms[-1], kernel.may_record, "others")
        if kernel.has_time:
            yield Variant(binary, sets[0], kernel.processes[-1], kernel.forms[-1], values=False)


def few_variants(kernel, binaries):
    """For each binary: one thing at a time, then all at once."""
    for binary, sets in binaries.items():
        axes = [sets, kernel.processes, kernel.forms, (False, True) if kernel.may_record else (False,), ("as they are", "others")]
        first = [values[0] for values in axes]
        yield Variant(binary, *first)
        for axis, values in enumerate(axes):
            for value in values[1:]:
                yield Variant(binary, *first[:axis], value, *first[axis + 1 :])
        yield Variant(binary, *(values[-1] for values in axes))
        if kernel.has_time:
            yield Variant(binary, *first, values=False)


def binaries_alone(kernel, binaries):
    for binary, sets in binaries.items():
        yield Variant(binary, sets[0], kernel.processes[0], kernel.forms[0], False)


def first_difference(expected, found):
    """In words."""
    if expected.startswith(b"{"):
        try:
            return difference_of_documents(json.loads(expected), json.loads(found), "")
        except ValueError:
            pass
    at = next((i for i, (x, y) in enumerate(zip(expected, found)) if x != y), min(len(expected), len(found)))
    if b"\0" in expected or b"\0" in found:
        return f"byte {at:#x}: {found[at:at + 1].hex() or 'the end'} instead of {expected[at:at + 1].hex() or 'the end'}"
    line = expected[:at].count(b"\n")
    of = [dict(enumerate(content.splitlines())).get(line, b"the end").decode(errors="replace")[:150] for content in (found, expected)]
    return f"line {line + 1}: {of[0]!r} instead of {of[1]!r}"


def difference_of_documents(expected, found, path):
    if type(expected) is type(found) and isinstance(expected, dict):
        for key in sorted(expected.keys() | found.keys()):
            if expected.get(key) != found.get(key):
                return difference_of_documents(expected.get(key), found.get(key), f"{path}.{key}" if path else key)
    if type(expected) is type(found) and isinstance(expected, list):
        for number, (x, y) in enumerate(itertools.zip_longest(expected, found)):
            if x != y:
                return difference_of_documents(x, y, f"{path}[{number}]")
    return f"{path}: {json.dumps(found)[:100]} instead of {json.dumps(expected)[:100]}"


class Suite:
    """Runs kernels, and collects what differs."""

    def __init__(self, binaries, variants_of, jobs, folder):
        self.binaries, self.folder, self.variants_of = binaries, folder, variants_of
        self.pool = concurrent.futures.ThreadPoolExecutor(jobs)
        self.runs, self.differences, self.variants = 0, 0, set()
        self.names = {}  # of what a kernel gives, with recordings and without
        self.by_value = collections.defaultdict(lambda: [0, 0])  # of an axis and a value on it: runs, differences

    def tell(self, kernel, where, what):
        self.differences += 1
        print(f"difference: {kernel.name}, {where}: {what}", file=sys.stderr, flush=True)

    def prepare(self, kernel, folder):
        """The kernel's trace, as each binary writes it; it must be the same. Returns the first one's folder."""
        folders = [folder / f"binary{number}" for number in range(len(self.binaries))]
        for binary, each in zip(self.binaries, folders):
            if error := kernel.prepare(binary, each):
                self.tell(kernel, f"{binary} makes its trace", error)
                return None
            for file in sorted(folders[0].iterdir()):
                if (folders[0] / file.name).read_bytes() != (each / file.name).read_bytes():
                    self.tell(kernel, f"{binary} makes its trace", f"{file.name} is not that of {next(iter(self.binaries))}")
        return folders[0]

    def run_one(self, kernel, variant, prepared, number):
        """In a folder of its own; others have a longer name."""
        has_others = variant.surroundings == "others"
        folder = prepared.parent / (f"{number}{'x' * 60}" if has_others else str(number))
        folder.mkdir()
        environment = dict(os.environ, TCSIM_INSTRUCTION_SET=variant.instructions, **(OTHER_SURROUNDINGS if has_others else {}))
        try:
            return kernel.run(variant, prepared, folder, environment)
        finally:
            shutil.rmtree(folder)

    def compare(self, kernel, reference, results, used, variant):
        """Says what differs. What the first variants did not have, as recordings, becomes what later ones are compared with."""
        where = ", ".join(variant.words().values())
        before = self.differences
        if used != variant.instructions:
            self.tell(kernel, where, f"the run used {used} instructions")
        if results.keys() == {"exit status"}:  # the run failed
            self.tell(kernel, where, f"exit status {results['exit status'].decode(errors='replace')}")
            return self.differences - before
        names = self.names.setdefault((kernel, variant.recorded, variant.values), results.keys())
        if results.keys() != names:
            self.tell(kernel, where, f"only some variants give {', '.join(sorted(results.keys() ^ names))}")
        for name, content in results.items():
            expected = reference.setdefault(name, content)
            if content != expected:
                self.tell(kernel, where, f"{name}: {first_difference(expected, content)}")
                break  # one difference brings others
        return self.differences - before

    def run(self, kernel):
        folder = self.folder / "kernel"
        prepared = self.prepare(kernel, folder)
        if prepared is None:
            shutil.rmtree(folder)
            return
        variants = list(dict.fromkeys(self.variants_of(kernel, self.binaries)))
        outcomes = self.pool.map(lambda number: self.run_one(kernel, variants[number], prepared, number), range(len(variants)))
        reference, found = {}, 0
        for variant, (results, used) in zip(variants, outcomes):
            differences = self.compare(kernel, reference, results, used, variant)
            found += differences
            for words in variant.words().items():
                self.by_value[words][0] += 1
                self.by_value[words][1] += differences
        shutil.rmtree(folder)
        self.runs += len(variants)
        self.variants.update(variants)
        cycles = reference.get("cycles", b"").decode().split(" ")[0]
        compared = ", ".join(sorted(reference.keys() - {"exit status"}))
        print(f"{kernel.name:34} {cycles:>8} {len(variants):5} {found:11}  {compared}", flush=True)

    def print_variants(self):
        print(f"\n{'what varied':76} {'runs':>5} differences")
        axes = list(dict.fromkeys(axis for axis, _ in self.by_value))
        for axis in axes:
            for (of, value), (runs, differences) in self.by_value.items():
                if of == axis:
                    print(f"{axis + ': ' + value:76} {runs:5} {differences:11}")
        for binary, sets in self.binaries.items():
            for name in INSTRUCTIONS:
                if name not in sets:
                    print(f"instructions of the host: {name} left out: {binary} has none, or this machine does not execute them")


def main():
    options = parse_arguments()
    binaries = {binary.resolve(): instructions_of(binary.resolve()) for binary in options.tcsim}
    if useless := [str(binary) for binary, sets in binaries.items() if not sets]:
        sys.exit(f"{', '.join(useless)}: this is no tcsim, or one that does not know TCSIM_INSTRUCTION_SET")
    chosen = [kernel for kernel in kernels() if (options.only in kernel.name if options.only else kernel.quick or not options.quick)]
    if not chosen:
        sys.exit(f"no kernel's name contains {options.only!r}")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tcsim-determinism-"))
    try:
        variants_of = binaries_alone if options.binaries_alone else few_variants if options.quick else all_variants
        suite = Suite(binaries, variants_of, options.jobs, folder)
        print(f"{'kernel':34} {'cycles':>8} {'runs':>5} differences  compared")
        for kernel in chosen:
            suite.run(kernel)
        suite.print_variants()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"determinism: {suite.runs} runs in {len(suite.variants)} variants, {suite.differences} differences")
    return 1 if suite.differences else 0


if __name__ == "__main__":
    sys.exit(main())
