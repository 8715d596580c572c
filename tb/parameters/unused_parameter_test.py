#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A parameter of a unit that no instruction of a kernel uses does not move the kernel by a cycle.

Without arguments but --tcsim, some parameters are drawn for each kernel and machine; --all takes each one. What a parameter belongs to says
the table below, of which every parameter of the configuration must be in a row. Whether a kernel uses that, its counters say."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).parents[2]
arguments = argparse.Namespace()
MACHINES = {"volta": "sm_70", "four_banks": "sm_70", "turing": "sm_75", "turing_geforce": "sm_75", "collectors": "sm_75", "ampere": "sm_80",
            "ada": "sm_89", "hopper": "sm_90", "blackwell": "sm_100"}
DRAWN = 4  # parameters of each kernel and machine

# Kernels of a few instructions, which any of the machines runs.
KERNELS = {
    "integer": ["[B------:R-:W-:-:S06] IADD3 R4, R2, R3, RZ", "[B------:R-:W-:-:S06] IMAD R5, R4, R3, R2",
                "[B------:R-:W-:-:S15] FADD R6, R5, R4", "[B------:R-:W-:-:S01] MOV R7, 0x1", "[B------:R-:W-:-:S15] MOV R7, R6"],
    "queued": ["[B------:R-:W0:-:S02] MUFU.RCP R4, R2", "[B0-----:R-:W-:-:S15] FADD R5, R4, R2", "[B------:R-:W-:-:S15] HADD2 R6, R5, R4",
               "[B------:R-:W1:-:S02] S2R R8, SR_TID.X", "[B-1----:R-:W-:-:S15] IADD3 R9, R8, R6, RZ"],
    "shared": ["[B------:R-:W-:-:S15] MOV R2, 0x400", "[B------:R0:W-:-:S02] STS [R2], R3 @ 0x400+4", "[B0-----:R-:W-:-:S02] BAR.SYNC 0x0",
               "[B------:R-:W1:-:S02] LDS R4, [R2] @ 0x400+4", "[B-1----:R-:W-:-:S15] IADD3 R5, R4, R3, RZ"],
    "global": ["[B------:R-:W-:-:S15] MOV R2, 0x1000", "[B------:R-:W-:-:S15] MOV R3, RZ", "[B------:R0:W1:-:S02] LDG.E R4, [R2] @ 0x1000+4",
               "[B01----:R-:W-:-:S15] IADD3 R5, R4, R3, RZ", "[B------:R2:W-:-:S02] STG.E [R2], R5 @ 0x1000+4"]}
RECORDED = {"volta": ["sm_70.wmma_f16_f32_m16n16k16"], "turing": ["sm_75.tiled_f16_f32", "sm_75.micro_s8_s32_m16n16k16"],
            "ampere": ["sm_80.gemm_f16_f32_m16n16k16"], "hopper": ["sm_90.mma_sync_m16n8k16_f32_f16"]}
# An opcode of each pipe that stands in no kernel here.
OTHER_OPCODES = {"fp32": "FMNMX", "integer": "BMSK", "half": "HMNMX2", "fp64": "DMUL", "special_function": "FLO", "uniform": "UFLO",
                 "constant": "LDC", "system": "S2UR"}
OTHER_CHOICES = {"sm.sub_core.issue.policy": ["greedy_then_youngest", "greedy_then_oldest", "loose_round_robin"],
                 "sm.tensor_memory.banks": ["interleaved", "sectors_of_2", "sectors_of_4", "none"]}


class Use:
    """What a kernel used, by the statistics of its run."""

    def __init__(self, statistics, text):
        self.units, self.configuration, self.text = statistics["units"], statistics["config"], text

    def count(self, unit, *counters):
        return sum(numbers.get(counter, 0) for path, numbers in self.units.items() if re.fullmatch(rf"(?:.*\.)?{unit}(?:_\d+)?", path)
                   for counter in counters)

    def has(self, pattern):
        return re.search(pattern, self.text) is not None

    def setting(self, path):
        place = self.configuration
        for key in path.split("."):
            place = place[key]
        return place

    def moves_global(self):
        return self.count("global_memory", "bytes_read", "bytes_written") > 0 or self.count("load_store", "requests") > 0

    def moves_shared(self):
        return self.count("shared_memory", "wavefronts", "stream_wavefronts") > 0 or self.has(r" (SHFL|MOVM|BAR)\b")

    def multiplies(self):
        return self.count("tensor", "instructions") + self.count("warpgroup", "instructions") + self.count("matrix_pipe", "instructions") > 0

    def multiplies_in(self, kind):
        return self.multiplies() and (not re.search("tensor", " ".join(self.units)) or self.count("tensor", f"multiply_accumulates_of_{kind}") > 0)


def always(_use, _path):
    return True


def never(_use, _path):
    return False


def of_pipe(use, path):
    return use.count(path.split(".")[3], "instructions") > 0


# Which parameters a kernel uses: the first row whose pattern a path begins with says. A new parameter needs a row.
ROWS = [
    (r"name|architectures|units\.", None),  # no numbers: what is what, and whose
    (r"energy|global_memory\.peak\.|global_memory\.max_bytes|sm\.sub_core\.tensor_core\.arithmetic\.", never),  # no matter of time
    (r"jitter\.seed", always),
    (r"jitter\.", never),  # without a seed
    (r"(global_memory\.)?clock_mhz", lambda use, _: use.moves_global()),
    (r"sms|sm\.sub_cores|sm\.max_|sm\.shared_memory\.bytes", always),  # where CTAs and warps are
    (r"sm\.sub_core\.(issue|register_file|reuse_cache)\.", always),  # every instruction passes these
    (r"sm\.sub_core\.operand_fetch\.matrix_", lambda use, _: use.multiplies()),
    (r"sm\.sub_core\.operand_fetch\.", always),
    (r"sm\.sub_core\.bypass\.(other_pipe|guard_lead)_cycles", always),  # of every dependence
    (r"sm\.sub_core\.bypass\.wide_", lambda use, _: use.has(r"\.(WIDE|HI)\b")),
    (r"sm\.sub_core\.bypass\.store_data_cycles", lambda use, _: use.has(r" ST[GSL]?\b")),
    (r"sm\.sub_core\.bypass\.double_conversion_cycles", lambda use, _: use.count("special_function", "instructions") > 0),
    (r"sm\.sub_core\.bypass\.fp64_is_fixed", lambda use, _: use.count("fp64", "instructions") > 0),
    (r"sm\.sub_core\.branch\.computed_cycles", lambda use, _: use.has(r" (RET|BRX|JMX)\b")),
    (r"sm\.sub_core\.branch\.(re)?convergence_cycles", lambda use, _: use.has(r" BSYNC\b")),
    (r"sm\.sub_core\.branch\.", lambda use, _: use.has(r" (BRA|CALL|JMP|BSYNC|EXIT)\b")),
    (r"sm\.sub_core\.fetch\.ideal", always),
    (r"sm\.sub_core\.fetch\.", lambda use, _: not use.setting("sm.sub_core.fetch.ideal")),
    (r"sm\.sub_core\.constant_cache\.", lambda use, _: use.count("constant", "instructions") > 0),
    (r"sm\.sub_core\.pipes\..*\.opcode_latency_cycles", lambda use, path: use.has(rf" {OTHER_OPCODES[path.split('.')[3]]}\b")),
    (r"sm\.sub_core\.pipes\.", of_pipe),
    (r"sm\.sub_core\.tensor_core\.unit\.sub_byte", lambda use, _: use.multiplies_in("s4") or use.multiplies_in("b1")),
    (r"sm\.sub_core\.tensor_core\.unit\.f4_per_cycle", lambda use, _: use.multiplies_in("e2m1")),
    (r"sm\.sub_core\.tensor_core\.unit\.", lambda use, path: use.multiplies_in(path.split(".")[4].split("_")[0])),
    (r"sm\.sub_core\.tensor_core\.f64_", lambda use, _: use.multiplies_in("f64")),
    # A dependence counter does not know who waits for it, and is released in time for matrix instructions.
    (r"sm\.sub_core\.tensor_core\.operand_lead_cycles", lambda use, _: use.multiplies() or use.has(r"\[B[-0-9]*[0-9]")),
    (r"sm\.sub_core\.tensor_core\.", lambda use, _: use.multiplies()),
    (r"sm\.sub_core\.load_store\.load_matrix_cycles", lambda use, _: use.has(r" (LDSM|MOVM)\b")),
    (r"sm\.sub_core\.load_store\.shared_", lambda use, _: use.moves_shared()),
    (r"sm\.sub_core\.load_store\.global_", lambda use, _: use.moves_global() or use.has(r" (SHFL|MOVM|BAR)\b")),
    (r"sm\.sub_core\.load_store\.", lambda use, _: use.moves_shared() or use.moves_global()),
    (r"sm\.shared_memory\.", lambda use, _: use.moves_shared()),
    (r"sm\.barrier\.arrive_only_cycles", lambda use, _: use.has(r"BAR\.ARV")),
    (r"sm\.barrier\.", lambda use, _: use.has(r" BAR\b")),
    (r"sm\.barrier_unit\.", lambda use, _: use.count("barrier_unit", "operations") > 0),
    (r"sm\.bulk_copy\.", lambda use, _: use.count("bulk_copy", "copies") > 0),
    (r"sm\.warpgroup\.", lambda use, _: use.count("warpgroup", "instructions") > 0),
    (r"sm\.tensor_(memory|engine)\.", lambda use, _: use.has(r" (tcgen05\.|UTC|LDTM|STTM)")),
    (r"global_memory\.latency_cycles", lambda use, _: use.moves_global() and not use.setting("global_memory.hierarchy.enabled")),
    (r"global_memory\.hierarchy\.enabled|global_memory\.line_bytes", lambda use, _: use.moves_global()),
    (r"global_memory\.hierarchy\.", lambda use, _: use.moves_global() and use.setting("global_memory.hierarchy.enabled")),
]


def row_of(path):
    return next((row for row in ROWS if re.match(row[0], path)), None)


def candidates(row):
    """Values for a parameter, of which a machine takes one."""
    path, value = row["path"], row["value"]
    if path in OTHER_CHOICES:
        return [other for other in OTHER_CHOICES[path] if other != value]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, dict):
        pipe = path.split(".")[3] if ".pipes." in path else ""
        return [{**value, OTHER_OPCODES[pipe]: 31}] if pipe else []
    if isinstance(value, int):
        return [value + 1, 2 * value, value // 2, value + 77]
    return [value + 1, value / 2] if isinstance(value, float) else []


def run(trace, machine, assignment=""):
    """The statistics of a run; None if the machine refuses the assignment."""
    with tempfile.TemporaryDirectory() as folder:
        statistics = pathlib.Path(folder) / "statistics.json"
        words = [arguments.tcsim, "run", trace, "--config", machine, "--no-data", "--stats", statistics]
        ran = subprocess.run([*words, *(["--set", assignment] if assignment else [])], capture_output=True, text=True)
        if ran.returncode not in (0, 1):
            if not assignment:
                raise AssertionError(f"{trace} on {machine}: {ran.stderr}")
            return None
        return json.loads(statistics.read_text())


def time_of(statistics):
    return {key: statistics[key] for key in ("cycles", "instructions", "stalls", "warps")}


class UnusedParameterTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def parameters_of(self, machine):
        ran = subprocess.run([arguments.tcsim, "config", "list", machine, "--json"], capture_output=True, text=True, check=True)
        return json.loads(ran.stdout)

    def traces_of(self, machine):
        for name, lines in KERNELS.items():
            file = self.folder / f"{name}.{machine}.trace"
            body = "\n".join(f"/*{16 * i:04x}*/ {line}" for i, line in enumerate([*lines, "[B012---:R-:W-:-:S05] EXIT"]))
            warps = "".join(f"warp {warp}\n{body}\n" for warp in range(8))
            file.write_text(f"tcsim-trace 1\narch {MACHINES[machine]}\nkernel {name}\ngrid 1 1 1\nblock 256 1 1\nshared 2048\nregisters 16\n"
                            f"memory 0x1000 128 zero\ndata none\ncta 0 0 0\n{warps}")
            yield file
        for name in RECORDED.get(machine, []):
            yield next((PROJECT / "traces" / name).glob("kernel.trace*"))

    def test_every_parameter_has_a_row(self):
        missing = [row["path"] for machine in MACHINES for row in self.parameters_of(machine) if row_of(row["path"]) is None]
        self.assertEqual(sorted(set(missing)), [])

    def test_no_cycle_moves_with_a_parameter_that_is_not_used(self):
        draw = random.Random(arguments.seed)
        jobs = []
        for machine in arguments.only or MACHINES:
            parameters = self.parameters_of(machine)
            for trace in self.traces_of(machine):
                base = run(trace, machine)
                text = subprocess.run(["xzcat", "-f", trace], capture_output=True, text=True, check=True).stdout
                use = Use(base, text)
                unused = [row for row in parameters if row_of(row["path"])[1] and not row_of(row["path"])[1](use, row["path"])]
                chosen = unused if arguments.all else draw.sample(unused, min(DRAWN, len(unused)))
                jobs += [(trace, machine, time_of(base), row) for row in chosen]
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            found = list(pool.map(lambda job: self.moved_by(*job), jobs))
        moved = [text for text in found if text]
        print(f"{len(jobs)} pairs of a kernel and a parameter that it does not use, {found.count(None)} without another value", file=sys.stderr)
        self.assertEqual(moved, [], "\n".join(moved))
        self.assertLess(found.count(None), max(1, len(jobs) // 4))

    @staticmethod
    def moved_by(trace, machine, time, row):
        """What another value of a parameter moves; empty: nothing; None: there is no other value."""
        for value in candidates(row):
            assignment = f"{row['path']}={value if isinstance(value, str) else json.dumps(value)}"
            changed = run(trace, machine, assignment)
            if changed is None:
                continue
            same = time_of(changed) == time
            return "" if same else f"{trace.parent.name if trace.name.startswith('kernel') else trace.name} on {machine} --set {assignment}: {time['cycles']} -> {changed['cycles']} cycles"
        return None


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--tcsim", required=True)
    options.add_argument("--all", action="store_true", help="every unused parameter of each kernel and machine")
    options.add_argument("--only", action="append", metavar="MACHINE", help="may be repeated")
    options.add_argument("--seed", type=int, default=1, help="of what is drawn")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    known, rest = options.parse_known_args(namespace=arguments)
    sys.exit(not unittest.main(argv=[sys.argv[0], *rest], exit=False).result.wasSuccessful())


if __name__ == "__main__":
    main()
