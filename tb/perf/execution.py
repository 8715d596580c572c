#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast `tcsim execute` executes: CPU time and memory of whole processes, median of three runs.

    tb/perf/execution.py build/release/bin/tcsim               a table
    tb/perf/execution.py build/release/bin/tcsim --markdown    the table of docs/performance.md
"""

import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

WARPS = 32
INTEGERS = ["IMAD R2, R2, 0x5, R3", "SHF.R.U32.HI R4, RZ, 0x3, R3", "LOP3.LUT R3, R4, R2, RZ, 0x3c, !PT", "LOP3.LUT R5, R2, 0xff, RZ, 0xc0, !PT",
            "IADD3 R6, R6, R5, RZ", "VIMNMX R7, R7, R6, PT", "ISETP.GT.U32.AND P1, PT, R3, R7, PT", "@P1 IADD3 R3, R3, -R7, RZ"]
NUMBERS = ["FFMA R2, R2, 0.5, R3", "FFMA R3, R3, 0.25, R2", "FFMA R4, R4, 0.5, R2", "FMNMX R5, R5, R4, !PT", "FADD R3, R3, -R5", "FMUL R5, R5, 0.125",
           "FADD R2, R2, R4", "FSETP.GT.AND P1, PT, R3, R5, PT"]
MATRICES = [f"HMMA.16816.F32 R{16 + 4 * i}, R4, R8, R{16 + 4 * i}" for i in range(8)]
SHARED = ["STS [R10], R2", "LDS R3, [R10]", "LDS.64 R4, [R10]", "IADD3 R2, R3, R4, RZ"]
BEGIN = ["S2R R0, SR_TID.X", "MOV R1, RZ", "SHF.L.U32 R10, R0, 0x3, RZ", "I2FP.F32.U32 R2, R0", "MOV R3, R2", "MOV R4, R2", "MOV R5, R2"]

BENCHMARKS = [  # name, the instructions of a loop, rounds of each warp
    ("integers", INTEGERS, 60_000),
    ("numbers of f32", NUMBERS, 60_000),
    ("shared memory", SHARED, 60_000),
    ("HMMA.16816", MATRICES, 8_000),
    ("integers, 100 million", INTEGERS, 285_000),
]


def listing(loop, rounds):
    """The code of a kernel, with the words of a NOP."""
    lines = [*BEGIN, "LOOP:", *loop, "IADD3 R1, R1, 0x1, RZ", f"ISETP.LT.U32.AND P0, PT, R1, {rounds:#x}, PT", "@P0 BRA `(LOOP)", "EXIT"]
    text, pc = '\t.target\tsm_90\n\t.section\t.text.kernel,"ax",@progbits\n.text.kernel:\n', 0
    for line in lines:
        if line.endswith(":"):
            text += line + "\n"
        else:
            text += f"        /*{pc:04x}*/  {line} ;  /* 0x0000000000007918 */\n  /* 0x000fc00000000000 */\n"
            pc += 16
    return text


def write_launch(folder, loop, rounds):
    folder.mkdir()
    (folder / "code.sass").write_text(listing(loop, rounds))
    (folder / "launch.txt").write_text(f"launch 2\nkernel kernel\ngrid {WARPS // 4} 1 1\nblock 128 1 1\nshared dynamic 0 static 2048\n")


def measure(program, folder):
    """Warp instructions, CPU seconds and MiB of one run."""
    with subprocess.Popen([program, "execute", folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        text = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    found = re.search(r"executed +(\d+) warp instructions", text)
    if process.returncode != 0 or not found:
        sys.exit(f"{program} execute {folder}: {text}")
    return int(found[1]), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--markdown", action="store_true")
    arguments = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        for number, (name, loop, rounds) in enumerate(BENCHMARKS):
            folder = pathlib.Path(scratch) / str(number)
            write_launch(folder, loop, rounds)
            runs = [measure(arguments.program, folder) for _ in range(3)]
            instructions, seconds = runs[0][0], statistics.median(run[1] for run in runs)
            rows.append([name, f"{instructions / 1e6:.1f} M", f"{seconds:.2f}", f"{instructions / seconds / 1e6:.2f} M", f"{max(run[2] for run in runs):.0f}"])
    headings = ["", "warp instructions", "CPU s", "a second", "MiB"]
    if arguments.markdown:
        for line in [headings, ["---"] * len(headings), *rows]:
            print("| " + " | ".join(line) + " |")
    else:
        for row in [headings, *rows]:
            print("".join(cell.ljust(24) for cell in row))


if __name__ == "__main__":
    main()
