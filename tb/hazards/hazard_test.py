#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiled code raises no warning on the machine it was compiled for; code whose stall counts are too short does."""

import argparse
import csv
import json
import lzma
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).parents[2]
SHARED = PROJECT.parent / "shared"
KERNELS = PROJECT / "tb" / "hazards" / "kernels"
MACHINES = {"70": ["volta"], "75": ["turing", "turing_geforce"], "80": ["ampere"], "89": ["ada"], "90": ["hopper"], "100": ["blackwell"]}
LOWERED = 200  # stall counts of each machine
WARNING = re.compile(r"(?:reads|takes) .* \((?:cycle|\d+ times)")  # in the report of a product, which has no file of statistics for several
OWN_FORM = ["--set", "sm.sub_core.issue.hazards=silicon"]
# Instructions that write R4, and that read it, for what was recorded on an H100.
PRODUCERS = {"IADD3": "IADD3 R4, R2, R3, RZ", "LOP3": "LOP3.LUT R4, R2, R3, RZ, 0xc0, !PT", "SHF": "SHF.R.U32.HI R4, RZ, 0x2, R3",
             "LEA": "LEA R4, R2, R3, 0x2", "MOV": "MOV R4, R2", "SEL": "SEL R4, R2, R3, P0", "FSEL": "FSEL R4, R2, R3, P0",
             "IMAD": "IMAD R4, R2, R3, R6", "FADD": "FADD R4, R2, R3", "FMUL": "FMUL R4, R2, R3", "FFMA": "FFMA R4, R2, R3, R6",
             "VIADD": "VIADD R4, R2, 0x1"}
CONSUMERS = {"IADD3": "IADD3 R8, R4, R3, RZ", "LOP3": "LOP3.LUT R8, R4, R3, RZ, 0xc0, !PT", "SHF": "SHF.R.U32.HI R8, RZ, 0x2, R4",
             "LEA": "LEA R8, R4, R3, 0x2", "SEL": "SEL R8, R4, R3, P0", "FSEL": "FSEL R8, R4, R3, P0", "IMAD": "IMAD R8, R4, R3, R6",
             "FADD": "FADD R8, R4, R3", "FMUL": "FMUL R8, R4, R3", "FFMA": "FFMA R8, R4, R3, R6", "LDG": "LDG.E R8, [R4.64] @ 0x10000+4",
             "IMAD.W00": "IMAD.WIDE R8, R4, R3, R6", "VIADD": "VIADD R8, R4, 0x1"}
LINE = re.compile(r"(?P<front>/\*(?P<pc>[0-9a-f]+)\*/ \[B.{6}:R.:W(?P<counter>.):(?P<yields>.):S)(?P<stall>\d\d)\] (?P<text>.*)")

arguments = argparse.Namespace()
table = []


def machines_of(trace):
    return MACHINES[re.search(r"sm_(\d+)", str(trace)).group(1)]


def warnings_of(*words):
    # Operands of a collector may be read any time behind issue, so that code of a compiler needs its scoreboard.
    own_form = [] if "collectors" in words else OWN_FORM
    with tempfile.TemporaryDirectory() as folder:
        statistics = pathlib.Path(folder) / "statistics.json"
        keep = ["--stats", statistics] if words[0] == "run" else []
        ran = subprocess.run([arguments.tcsim, *map(str, [*words, *own_form, *keep])], capture_output=True, text=True)
        if ran.returncode not in (0, 1):
            raise AssertionError(f"{' '.join(map(str, words))}: {ran.stderr}")
        if keep:
            return json.loads(statistics.read_text()).get("warnings", [])
        return [line.strip() for line in ran.stdout.splitlines() if WARNING.search(line)]


def needed_stalls(lines):
    """Places of stall counts above 1 behind an instruction of fixed latency whose result the next one reads, in the first warp."""
    places, first_warp = [], lines.index("warp 0") + 1
    for i, (one, following) in enumerate(zip(lines, lines[1:])):
        if i < first_warp:
            continue
        if following.startswith("warp"):
            break
        first, second = LINE.match(one), LINE.match(following)
        if not first or not second or first["counter"] != "-" or int(first["stall"]) < 2:
            continue
        destination = re.match(r"(?:@!?U?P\d )?\S+ (U?[RP]\d+)\b", first["text"])
        operands = re.sub(r"^(@!?U?P\d )?\S+ (?:[^,]*)", lambda found: found[1] or "", second["text"])
        if destination and not first["text"].startswith(("ST", "RED", "BAR", "@")) and re.search(rf"\b{destination[1]}\b", operands):
            places.append(i)
    return places


def cycles_of(words, rule):
    """Of each kernel of a run without data under a rule for hazards."""
    with tempfile.TemporaryDirectory() as folder:
        statistics = pathlib.Path(folder) / "statistics.json"
        line = [arguments.tcsim, *map(str, words), "--no-data", "--set", f"sm.sub_core.issue.hazards={rule}", "--stats", statistics]
        ran = subprocess.run(line, capture_output=True, text=True)
        if ran.returncode not in (0, 1):
            raise AssertionError(f"{' '.join(map(str, words))}: {ran.stderr}")
        document = json.loads(statistics.read_text())
        return [kernel["cycles"] for kernel in document.get("kernels", [document])]


class HazardTest(unittest.TestCase):
    def assert_none(self, what, machine, runs):
        found = [line for words in runs for line in warnings_of(*words)]
        table.append((what, machine, len(runs), len(found)))
        self.assertEqual(found, [], f"{what} on {machine}")

    def test_recorded_kernels_raise_no_warning(self):
        traces = sorted((PROJECT / "traces").glob("*/kernel.trace")) + sorted((SHARED / "traces").glob("*.trace"))
        for machine in sorted({machine for trace in traces for machine in machines_of(trace)}):
            self.assert_none("recorded kernels", machine, [("run", trace, "--config", machine) for trace in traces if machine in machines_of(trace)])

    def test_recorded_streams_raise_no_warning(self):
        streams = sorted((SHARED / "timing").glob("h200_*/*.trace.xz"))
        if streams:
            self.assert_none(f"recorded streams, {len(streams)}", "hopper", [("run", *streams, "--config", "hopper", "--no-data")])

    def test_compiled_kernels_raise_no_warning(self):
        for arch, machines in MACHINES.items():
            traces = sorted(KERNELS.glob(f"sm_{arch}.*.xz"))
            for machine in machines if traces else []:
                self.assert_none("compiled kernels", machine, [("run", trace, "--config", machine) for trace in traces])

    def test_products_and_convolutions_raise_no_warning(self):
        sizes = ["--size 64,256 --no-data --set sms=2", "--size 64 --precision all"]
        for machine in ("volta", "turing", "turing_geforce", "ampere", "ada", "hopper", "collectors", "four_banks"):
            runs = [("gemm", "--config", machine, *words.replace(" all", f" {precisions_of(machine)}").split()) for words in sizes]
            if machine == "hopper":
                runs.append(("gemm", "--config", machine, "--size", 128, "--instructions", "wgmma"))
            self.assert_none("products", machine, runs)
        shape = "--height 8 --width 8 --channels 16 --filters 16 --filter-height 3 --filter-width 3 --padding 1"
        self.assert_none("convolutions", "blackwell", [("conv", "--config", "blackwell", *shape.split())])

    def test_a_scoreboard_adds_no_cycle_to_code_that_fits(self):
        traces = sorted((PROJECT / "traces").glob("*/kernel.trace*")) + sorted((SHARED / "traces").glob("*.trace")) + sorted(KERNELS.glob("*.xz"))
        runs = [("run", trace, "--config", machine) for trace in traces for machine in machines_of(trace)]
        streams = sorted((SHARED / "timing").glob("h200_*/*.trace.xz"))
        if streams:
            runs.append(("run", *streams, "--config", "hopper"))
        for machine in ("volta", "turing", "turing_geforce", "ampere", "ada", "hopper", "four_banks"):
            runs.append(("gemm", "--config", machine, "--size", "64,192", "--set", "sms=2"))
        runs.append(("gemm", "--config", "hopper", "--size", 128, "--instructions", "wgmma"))
        runs.append(("conv", "--config", "blackwell", *"--height 8 --width 8 --channels 16 --filters 16 --filter-height 3 --filter-width 3".split()))
        for words in runs:
            self.assertEqual(cycles_of(words, "interlock"), cycles_of(words, "silicon"), " ".join(map(str, words)))
        table.append(("the same cycles with a scoreboard", "Volta to Blackwell", len(runs), 0))

    def test_stall_counts_that_are_too_short_are_reported(self):
        for arch, machines in MACHINES.items():
            places = []
            for trace in sorted(KERNELS.glob(f"sm_{arch}.*.xz")):
                lines = lzma.decompress(trace.read_bytes()).decode().splitlines()
                places += [(lines, i) for i in needed_stalls(lines)]
            if not places:
                continue
            chosen = random.Random(1).sample(places, min(LOWERED, len(places)))
            silent = self.silent_ones(chosen, machines[0])
            table.append(("stall counts lowered to 1, reported", machines[0], len(chosen), len(chosen) - len(silent)))
            self.assertLessEqual(len(silent), 0.05 * len(chosen), "\n".join(["not reported:", *silent]))

    def silent_ones(self, places, machine):
        """What raised no warning; all run as kernels of one run."""
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder) / f"{number}.trace" for number in range(len(places))]
            for file, (lines, place) in zip(files, places):
                changed = LINE.sub(lambda found: f"{found['front']}01] {found['text']}", lines[place])
                file.write_text("\n".join(changed if line == lines[place] else line for line in lines) + "\n")
            warned = " ".join(warnings_of("run", *files, "--config", machine))
            return [lines[place] for file, (lines, place) in zip(files, places) if f"{file}:" not in warned]

    def test_pairs_of_instructions_need_the_distance_that_an_h100_needs(self):
        broken, kept = {}, {}
        rows = (PROJECT / "tb" / "hazards" / "h100_stall_counts.csv").read_text().splitlines()
        for row in csv.DictReader(rows):
            pair = row["producer"], row["consumer"]
            if row["result"] == "lower register" and row["producer"] in PRODUCERS and row["consumer"] in CONSUMERS:
                stall = int(row["stall"])
                if int(row["changed"]) > 0:
                    broken[pair] = max(broken.get(pair, 0), stall)
                kept.setdefault(pair, []).append(stall)
        for pair, stall in broken.items():
            self.assertTrue(self.is_early(*pair, stall), f"{pair}, stall {stall}")
            if max(kept[pair]) > stall:
                self.assertFalse(self.is_early(*pair, max(kept[pair])), f"{pair}, stall {max(kept[pair])}")
        table.append(("pairs whose result an H100 lost", "hopper", len(broken), len(broken)))
        self.assertGreater(len(broken), 20)

    def is_early(self, producer, consumer, stall):
        text = (f"tcsim-trace 1\narch sm_90\nkernel pair\ngrid 1 1 1\nblock 32 1 1\ndata none\ncta 0 0 0\nwarp 0\n"
                f"/*0000*/ [B------:R-:W-:-:S{stall:02}] {PRODUCERS[producer]}\n/*0010*/ [B------:R-:W-:-:S15] {CONSUMERS[consumer]}\n"
                "/*0020*/ [B------:R-:W-:-:S05] EXIT\n")
        with tempfile.NamedTemporaryFile("w", suffix=".trace") as file:
            file.write(text)
            file.flush()
            return bool(warnings_of("run", file.name, "--config", "hopper"))


def precisions_of(machine):
    return {"volta": "mixed,f16", "four_banks": "mixed,f16", "ampere": "mixed,f16,bf16,tf32,s8", "ada": "mixed,f16,bf16,tf32,s8", "hopper": "mixed,f16,bf16,tf32,s8"}.get(
        machine, "mixed,f16,s8,s4")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--tcsim", required=True)
    known, rest = options.parse_known_args(namespace=arguments)
    result = unittest.main(argv=[sys.argv[0], *rest], exit=False).result
    print(f"\n{'what':44} {'machine':16} {'runs':>5} {'warn':>5}")
    for what, machine, runs, warned in table:
        print(f"{what:44} {machine:16} {runs:5} {warned:5}")
    print("recordings: " + ("all" if (SHARED / "timing").is_dir() else "those of the project alone"))
    sys.exit(not result.wasSuccessful())


if __name__ == "__main__":
    main()
