# SPDX-License-Identifier: Apache-2.0
"""What a run of the command costs, and what it has simulated."""

import dataclasses
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys


@dataclasses.dataclass
class Run:
    seconds: float  # of the CPU, user and system
    peak_bytes: int  # not below this script's own 19 MiB, which Linux counts too
    statistics: dict


@dataclasses.dataclass
class Measurement:
    """Some runs of one benchmark, which have simulated the same."""

    name: str
    data: bool
    instructions: int  # of warps
    matrix_instructions: int  # of them, or of the engine of tensor memory
    multiply_accumulates: int
    cycles: int
    seconds: float  # median
    all_seconds: list
    peak_bytes: int
    of_numerics: float = None  # multiply-accumulates a second, against the arithmetic alone

    @staticmethod
    def of(name, data, runs):
        counted = runs[0].statistics
        if any(run.statistics["cycles"] != counted["cycles"] for run in runs):
            sys.exit(f"{name}: runs of the same kernel take different numbers of cycles")
        units = counted["units"]
        multiplying = {path: unit for path, unit in units.items() if unit.get("multiply_accumulates")}
        seconds = [run.seconds for run in runs]
        return Measurement(
            name=name,
            data=data,
            instructions=counted["instructions"],
            matrix_instructions=sum(unit["instructions"] for unit in multiplying.values()),
            multiply_accumulates=sum(unit["multiply_accumulates"] for unit in multiplying.values()),
            cycles=counted["cycles"],
            seconds=statistics.median(seconds),
            all_seconds=seconds,
            peak_bytes=max(run.peak_bytes for run in runs),
        )

    def per_second(self, number):
        return number / self.seconds

    def as_json(self):
        return dataclasses.asdict(self)


class Measurer:
    """Runs benchmarks with one program, in a folder for their traces."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder

    def run(self, benchmark, data):
        command = benchmark.command(self.program, self.folder, data)
        process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"exit status {process.returncode}: {' '.join(map(str, command))}")
        return Run(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, json.loads((self.folder / benchmark.statistics_file).read_text()))


def numerics_speed(program, operation):
    """Multiply-accumulates a second of the arithmetic of an operation alone."""
    command = [program, f"--benchmark_filter=^{re.escape(operation)}$", "--benchmark_format=json", "--benchmark_min_time=0.2"]
    shown = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return json.loads(shown[shown.index("{") :])["benchmarks"][0]["MAC/s"]


def cpu_name():
    cpu_information = pathlib.Path("/proc/cpuinfo")
    if not cpu_information.exists():
        return platform.processor()
    fields = dict(re.findall(r"^([^\t:]+)\s*: (.*)$", cpu_information.read_text(), re.MULTILINE))
    return f"{fields.get('model name', platform.machine())}, family {fields.get('cpu family')}, model {fields.get('model')}"
