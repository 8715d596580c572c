#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether units count what moves: compares counters of runs with counts made from the traces alone (trace_counts.py). Traces are those that
are shipped, products and convolutions of each generation, loads in which lanes lie in all kinds of orders, and those named."""

import argparse
import functools
import itertools
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from trace_counts import LANES, counts_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
MACHINES = {"sm_70": "volta", "sm_75": "turing", "sm_80": "ampere", "sm_89": "ada", "sm_90": "hopper", "sm_100": "blackwell"}
MADE = [
    "gemm --config volta -m 64 -n 64 -k 32",
    "gemm --config turing -m 128 -n 64 -k 64",
    "gemm --config turing -m 64 -n 64 -k 64 --precision s8",
    "gemm --config ampere -m 64 -n 64 -k 64",
    "gemm --config ampere -m 64 -n 64 -k 64 --precision tf32",
    "gemm --config hopper -m 64 -n 64 -k 64 --precision f16",
    "gemm --config hopper --instructions wgmma -m 128 -n 64 -k 128",
    "gemm --config hopper --instructions wgmma -m 64 -n 64 -k 96 --precision s8",
    "conv --config blackwell --height 6 --width 6 --channels 32 --filters 16 --filter-height 3 --filter-width 3 --padding 1 --method shift",
    "conv --config blackwell --height 5 --width 7 --channels 16 --filters 16 --filter-width 3 --method im2col",
]
SUMS = {"bulk_copy.bytes": ("bytes_to_shared", "bytes_to_global", "bytes_filled")}
BASE = 0x1000000


def orders():
    """Which word each lane takes, by name."""
    shuffled = list(range(LANES))
    random.Random(3).shuffle(shuffled)
    yield "ascending", lambda lane: lane
    yield "descending", lambda lane: LANES - 1 - lane
    yield "shuffled", lambda lane: shuffled[lane]
    yield "one word", lambda lane: 0
    yield "two words", lambda lane: lane // 16
    for stride in (2, 3, 8, 9, 33):
        yield f"stride {4 * stride}", lambda lane, stride=stride: stride * lane


def write_accesses(path, arch, opcode, shared, again):
    """Warps that access words in each order, `again` times."""
    space = "shared 65536\n" if shared else f"memory {BASE:#x} 16777216 zero\n"
    lines = [f"tcsim-trace 1\narch {arch}\nkernel accesses\ngrid 1 1 1\nblock 128 1 1\nregisters 64\n{space}data none\ncta 0 0 0"]
    for warp in range(4):
        lines.append(f"warp {warp}")
        pc = 0
        for number, (_, word) in enumerate(orders()):
            base = (1024 if shared else BASE + (warp * 16 + number) * 8192)
            addresses = ", ".join(hex(base + 4 * word(lane)) for lane in range(LANES))
            for _ in range(again):
                operands = "R16, [R2]" if opcode.startswith("LD") else "[R2], R16"
                lines.append(f"/*{pc:04x}*/ {opcode} {operands} @ {{{addresses}}}")
                pc += 16
        lines.append(f"/*{pc:04x}*/ EXIT")
    path.write_text("\n".join(lines) + "\n")


def made_traces(tcsim, folder):
    for number, words in enumerate(MADE):
        path = folder / f"made_{number}.trace"
        subprocess.run([tcsim, *words.split(), "-o", path], check=True, capture_output=True)
        yield words, path
    for (arch, suffix), (opcode, shared), again in itertools.product(
        (("sm_75", ".SYS"), ("sm_80", ""), ("sm_90", "")), (("LDG.E", False), ("STG.E", False), ("LDS", True), ("STS", True)), (1, 2)
    ):
        path = folder / f"{arch}_{opcode}_{again}.trace"
        write_accesses(path, arch, opcode + ("" if shared else suffix), shared, again)
        yield f"{opcode} on {arch}, {again} times", path


def architecture_of(path):
    text = subprocess.run(["xz", "-dcf", path], check=True, capture_output=True, text=True).stdout
    return re.search(r"^arch (\S+)", text, re.MULTILINE).group(1)


@functools.cache
def l2_sector_of(tcsim, machine):
    shown = subprocess.run([tcsim, "config", "show", machine], check=True, capture_output=True, text=True).stdout
    return json.loads(shown)["global_memory"]["hierarchy"]["l2"]["sector_bytes"]


def counters_of(tcsim, trace, machine, folder):
    """Sums over all objects, by "unit.counter" for each ending of the unit's path without numbers."""
    statistics = folder / "statistics.json"
    words = [tcsim, "run", trace, "--config", machine, "--no-data", "--set", "sms=1", "--set", "global_memory.hierarchy.enabled=true",
             "--stats", statistics]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{trace}: {done.stderr}")
    found = {}
    for path, unit in json.loads(statistics.read_text())["units"].items():
        names = re.sub(r"_\d+", "", path).split(".")
        for counter, value in unit.items():
            for first in range(len(names)):
                key = ".".join([*names[first:], counter])
                found[key] = found.get(key, 0) + value
    return found


def compare(tcsim, name, trace, folder, checked):
    """The counters that differ, in words."""
    machine = MACHINES[architecture_of(trace)]
    counted = counters_of(tcsim, trace, machine, folder)
    for key, expected in counts_of(trace, l2_sector_of(tcsim, machine)).items():
        unit, _, counter = key.rpartition(".")
        key = key if unit else f"sm.{key}"
        got = sum(counted.get(f"{unit}.{part}", 0) for part in SUMS[key]) if key in SUMS else counted.get(key)
        if key.startswith("global_memory.") and counted.get("bulk_copy.copies", 0):
            continue  # copies go through the caches too, to where tensor maps say
        checked.add(key)
        if got != expected:
            yield f"{name}: {key} is {got}, and the trace makes {expected}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tcsim", type=pathlib.Path, help="the command")
    parser.add_argument("traces", type=pathlib.Path, nargs="*", help="traces besides those that are shipped and made")
    arguments = parser.parse_args()
    tcsim, findings, checked, runs = arguments.tcsim.resolve(), [], set(), 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shipped = [(path.parent.name, path) for path in sorted((ROOT / "traces").glob("*/kernel.trace*"))]
        for what, path in [*shipped, *((each.name, each) for each in arguments.traces), *made_traces(tcsim, folder)]:
            runs += 1
            findings += compare(tcsim, what, path, folder, checked)
    print(*findings, f"counters: {len(checked)} counters in {runs} runs, {len(findings)} differ: {', '.join(sorted(checked))}", sep="\n")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
