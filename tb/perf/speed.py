#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast the command simulates: whole processes, CPU time, with data and without.

    tb/perf/speed.py build/release/bin/tcsim                             a table, median of five runs in turn
    tb/perf/speed.py TCSIM --only '^hmma' --json after.json              some rows, and all numbers in a file
    tb/perf/speed.py TCSIM --compare before.json                         and how many times faster than in the file
    tb/perf/speed.py TCSIM --against OTHER_TCSIM                         the same with two programs run alternately
    tb/perf/speed.py TCSIM --markdown                                    the table of docs/performance.md
    tb/perf/speed.py build/profile/bin/tcsim --shares                    where the time goes instead, see profile.py

Benchmarks that take minutes run only where --only names them. "of numerics" is the whole run's multiply-accumulates a second against those that the
arithmetic alone makes of the same operations, measured in turn with the run by tc_instruction_benchmark, where it has been built.
"""

import argparse
import json
import pathlib
import re
import statistics
import sys
import tempfile

FOLDER = pathlib.Path(__file__).parent
sys.path.insert(0, str(FOLDER))

from benchmarks import benchmarks
from markdown_table import markdown_table
from measuring import Measurement, Measurer, cpu_name, numerics_speed
from sampling import KINDS, samples_of, shares

LONG = 30  # seconds of a row's runs after which it is not repeated

COLUMNS = [  # heading, width, text of a measurement
    ("instructions", 12, lambda m: f"{m.instructions}"),
    ("matrix", 9, lambda m: f"{m.matrix_instructions}"),
    ("cycles", 10, lambda m: f"{m.cycles}"),
    ("CPU s", 8, lambda m: f"{m.seconds:.3f}"),
    ("k instr/s", 10, lambda m: f"{m.per_second(m.instructions) / 1e3:.1f}"),
    ("k matrix/s", 10, lambda m: f"{m.per_second(m.matrix_instructions) / 1e3:.1f}"),
    ("M MAC/s", 9, lambda m: f"{m.per_second(m.multiply_accumulates) / 1e6:.1f}"),
    ("k cycles/s", 10, lambda m: f"{m.per_second(m.cycles) / 1e3:.1f}"),
    ("MiB", 7, lambda m: f"{m.peak_bytes / 2**20:.1f}"),
    ("of numerics", 11, lambda m: f"{m.of_numerics:.2f}" if m.of_numerics else ""),
]


def name_width(rows):
    return max(len(title(name, data)) for name, data in rows)


def title(name, data):
    return name if data else f"{name} --no-data"


def print_heading(width, compared):
    columns = [(heading, size) for heading, size, _ in COLUMNS] + ([("faster", 7)] if compared else [])
    print(" ".join(["benchmark".ljust(width)] + [heading.rjust(size) for heading, size in columns]), flush=True)


def print_row(width, measurement, other):
    texts = [text(measurement).rjust(size) for _, size, text in COLUMNS]
    if other is not None:
        texts.append(f"{other / measurement.seconds:.2f}".rjust(7))
    print(" ".join([title(measurement.name, measurement.data).ljust(width)] + texts), flush=True)


def older_seconds(file):
    """CPU seconds of the rows of a file that --json has written."""
    rows = json.loads(pathlib.Path(file).read_text())["rows"]
    return {(row["name"], row["data"]): row["seconds"] for row in rows}


def measure_row(measurers, benchmark, data, repetitions, numerics):
    """The first program's measurement, and the seconds of the other, if there is one."""
    runs = [[] for _ in measurers]
    alone = []
    for _ in range(repetitions):
        for measurer, list_of_runs in zip(measurers, runs):
            list_of_runs.append(measurer.run(benchmark, data))
        if numerics and benchmark.operation and data:
            alone.append(numerics_speed(numerics, benchmark.operation))
        if sum(run.seconds for run in runs[0]) > LONG:
            break
    measurement = Measurement.of(benchmark.name, data, runs[0])
    if alone:
        measurement.of_numerics = measurement.per_second(measurement.multiply_accumulates) / statistics.median(alone)
    return measurement, Measurement.of(benchmark.name, data, runs[1]).seconds if len(runs) > 1 else None


def arguments_of_command_line():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tcsim", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true", help="small sizes, one run each: whether everything works")
    parser.add_argument("--only", metavar="PATTERN", help="benchmarks whose name the regular expression is found in")
    parser.add_argument("--list", action="store_true", help="the names, and nothing more")
    parser.add_argument("--repetitions", type=int, metavar="N", default=5)
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write all numbers")
    parser.add_argument("--markdown", action="store_true", help="print a table for a document in the end")
    parser.add_argument("--compare", type=pathlib.Path, metavar="OLD.json")
    parser.add_argument("--against", type=pathlib.Path, metavar="OTHER_TCSIM")
    parser.add_argument("--shares", action="store_true", help="shares of the time by room of the model, of a program with lines")
    parser.add_argument("--numerics", type=pathlib.Path, metavar="PROGRAM", help="tc_instruction_benchmark, if not in the same build")
    return parser.parse_args()


def chosen(options):
    everything = benchmarks(options.quick)
    if options.only:
        return [benchmark for benchmark in everything if re.search(options.only, benchmark.name)]
    return [benchmark for benchmark in everything if not benchmark.is_long]


def numerics_program(options):
    program = options.numerics or options.tcsim.parent.parent / "tb/perf/tc_instruction_benchmark"
    return program.resolve() if program.exists() else None


def measure(options, list_of_benchmarks, folder):
    """Prints a row for each benchmark with data and without; returns the measurements."""
    older = older_seconds(options.compare) if options.compare else {}
    repetitions = 1 if options.quick else options.repetitions
    measurers = [Measurer(program.resolve(), folder) for program in [options.tcsim, options.against] if program]
    width = name_width([(benchmark.name, False) for benchmark in list_of_benchmarks])
    print(f"{cpu_name()}; CPU time of the process, median of {repetitions}")
    print_heading(width, options.compare or options.against)
    rows = []
    for benchmark in list_of_benchmarks:
        for data in (True, False):
            measurement, other = measure_row(measurers, benchmark, data, repetitions, numerics_program(options))
            rows.append(measurement)
            print_row(width, measurement, older.get((benchmark.name, data), other))
        benchmark.remove_trace(folder)
    return rows


def print_shares(options, list_of_benchmarks, folder):
    """For each benchmark, per cent of the time by kind of work."""
    kinds = [kind for kind, _ in KINDS]
    for i, kind in enumerate(kinds):
        print(f"{chr(ord('a') + i)}: {kind}")
    width = name_width([(benchmark.name, False) for benchmark in list_of_benchmarks])
    print(" ".join(["".ljust(width)] + [chr(ord("a") + i).rjust(3) for i in range(len(kinds))]))
    for benchmark in list_of_benchmarks:
        for data in (True, False):
            found = shares(samples_of(benchmark.command(options.tcsim.resolve(), folder, data)))
            print(" ".join([title(benchmark.name, data).ljust(width)] + [f"{100 * found.get(kind, 0):3.0f}" for kind in kinds]), flush=True)
        benchmark.remove_trace(folder)


def main():
    options = arguments_of_command_line()
    list_of_benchmarks = chosen(options)
    if options.list:
        print("\n".join(benchmark.name for benchmark in list_of_benchmarks))
        return 0
    if not list_of_benchmarks:
        sys.exit(f"no benchmark's name has {options.only}; --list shows them")
    with tempfile.TemporaryDirectory() as folder:
        if options.shares:
            print_shares(options, list_of_benchmarks, pathlib.Path(folder))
            return 0
        rows = measure(options, list_of_benchmarks, pathlib.Path(folder))
    if options.markdown:
        print("\n" + markdown_table(rows))
    if options.json:
        options.json.write_text(json.dumps({"cpu": cpu_name(), "rows": [row.as_json() for row in rows]}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
