# SPDX-License-Identifier: Apache-2.0
"""The waves of a compiled kernel: what is counted in them is what the statistics count, and other programs read them as we do."""

import argparse
import collections
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(PROJECT / "app" / "views"))

from waves import Waves

KERNEL = PROJECT / "traces" / "sm_75.tiled_f16_f32" / "kernel.trace"  # compiled; four warps, one in each sub-core
MACHINES = ["turing", "collectors"]  # the second has bank conflicts with this kernel

arguments = argparse.Namespace()


class Run:
    """A run of the kernel: its waves, and its statistics."""

    def __init__(self, folder, machine):
        self.vcd, statistics = folder / f"{machine}.vcd", folder / f"{machine}.json"
        command = [arguments.tcsim, "run", KERNEL, "--config", machine, "--vcd", self.vcd, "--stats", statistics]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        self.waves = Waves(self.vcd)
        self.statistics = json.loads(statistics.read_text())
        self.units = self.statistics["units"]
        self.cycles = self.statistics["cycles"]
        self.sub_cores = [f"gpu.sm_0.sub_core_{n}" for n in range(4)]

    def cycles_of(self, signal):
        """How many cycles of the run it has each value, by its number; None: not driven."""
        cycles = collections.Counter()
        for begin, end in zip(signal.times, [*signal.times[1:], self.cycles]):
            cycles[signal.number(begin)] += max(0, min(end, self.cycles) - begin)
        return cycles

    def empty_slots(self, place):
        """Cycles for each cause."""
        return self.causes(self.waves.of(f"{place}.scheduler", "empty_slot")["cause"])

    def causes(self, signal):
        cycles = self.cycles_of(signal).items()
        return collections.Counter({signal.reading[str(value)]: count for value, count in cycles if value is not None})

    def sum_of(self, place, type_name, attribute):
        """Of an attribute of the records of a stream, as far as waves tell: in the second place, how many records began together."""
        signals, total, together = self.waves.of(place, type_name), 0, 0
        count = signals["count"]
        for before, time in zip(count.times, count.times[1:]):
            begun = count.number(time) - count.number(before)
            total += signals[attribute].number(time)
            together += begun - 1
        return total, together

    def open_cycles(self, place, type_name):
        signals = self.waves.of(place, type_name)
        return sum(value * cycles for value, cycles in self.cycles_of(signals.get("open") or signals["active"]).items())


class WavesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.runs = {machine: Run(cls.folder, machine) for machine in MACHINES}

    def places(self):
        return [(run, place) for run in self.runs.values() for place in run.sub_cores]

    def test_issue_slots_are_those_of_the_schedulers(self):
        for run, place in self.places():
            counters = run.units[f"{place}.scheduler"]
            issue = run.waves.of(f"{place}.scheduler", "issue")
            self.assertEqual(issue["count"].number(run.cycles), counters["issued"])
            self.assertEqual(run.cycles_of(issue["active"])[1], counters["issued"])
            empty = run.empty_slots(place)
            for cause in counters.keys() - {"issued", "retired", "empty_no_warp"}:  # without a warp, a scheduler does not even count
                if cause.startswith("awaited_"):
                    continue  # what warps wait for, whether slots are empty or not
                self.assertEqual(empty[cause.removeprefix("empty_")], counters[cause], cause)

    def test_all_slots_of_the_run_are_there(self):
        for run in self.runs.values():
            slots = sum((run.empty_slots(place) for place in run.sub_cores), collections.Counter())
            slots["issued"] = sum(run.waves.total(f"{place}.scheduler", "issue") for place in run.sub_cores)
            slots["slots"] = slots.total()
            self.assertEqual(slots, {name: count for name, count in run.statistics["issue_slots"].items() if count > 0})

    def test_warps_wait_as_long_as_their_stalls_say(self):
        for run in self.runs.values():
            for number, warp in enumerate(run.statistics["warps"]):
                place = f"gpu.sm_0.sub_core_{number % 4}.warp_0"
                instruction, cause = run.waves.of(place, "instruction"), run.waves.of(place, "stall")["cause"]
                self.assertEqual(instruction["count"].number(run.cycles), warp["instructions"])
                self.assertEqual(run.causes(cause), warp["stalls"])
                self.assertEqual(run.waves.of(place, "resident")["warp"].number(warp["last_issue"]), warp["warp"])

    def test_values_at_chosen_cycles(self):
        for run in self.runs.values():
            for number, warp in enumerate(run.statistics["warps"]):
                issue = run.waves.of(f"gpu.sm_0.sub_core_{number % 4}.scheduler", "issue")
                first, last = warp["first_issue"], warp["last_issue"]
                self.assertEqual([issue["active"].number(t) for t in (first, last, last + 1)], [1, 1, 0])
                self.assertEqual((issue["pc"].number(first), issue["opcode"].text(last)), (0, "EXIT"))
                self.assertEqual(issue["opcode"].text(last + 1), "")
                self.assertEqual(run.waves.signals["cycle"].number(last), last)
            self.assertEqual(run.waves.times[-1], run.cycles)

    def test_register_accesses_are_those_of_the_counters(self):
        for run, place in self.places():
            fetch, write_back = run.units[f"{place}.operand_fetch"], run.units[f"{place}.write_back"]
            banks = [unit for unit in run.units if unit.startswith(f"{place}.register_file.bank_")]
            self.assertGreater(len(banks), 1)
            self.assertEqual(run.waves.total(f"{place}.operand_fetch", "operand_fetch"), fetch["instructions"])
            self.assertEqual(sum(run.waves.total(bank, "read") for bank in banks), fetch["bank_transactions"])
            self.assertEqual(run.sum_of(f"{place}.operand_fetch", "reuse_hit", "registers"), (fetch["reuse_hits"], 0))
            for bank in banks:
                self.assertEqual(run.sum_of(bank, "read", "registers"), (run.units[bank]["rows_read"], 0))
                self.assertEqual(run.open_cycles(bank, "read"), run.units[bank]["busy_cycles"])
                self.assertEqual(run.open_cycles(bank, "conflict"), run.units[bank].get("read_wait_cycles", 0))
                rows, together = run.sum_of(bank, "write", "registers")
                self.assertLessEqual(together, 2)  # where two results are written at once, waves have the second one only
                self.assertIn(run.units[bank]["rows_written"] - rows, range(together, 2 * together + 1))
            self.assertEqual(run.waves.total(f"{place}.write_back", "write_back"), write_back["results"])
        self.assertGreater(self.runs["turing"].units["gpu.sm_0.sub_core_0.operand_fetch"]["reuse_hits"], 0)
        self.assertGreater(self.runs["collectors"].units["gpu.sm_0.sub_core_0.register_file.bank_0"]["read_wait_cycles"], 0)

    def test_units_do_as_many_instructions_as_they_count(self):
        for run, place in self.places():
            tensor = run.units[f"{place}.tensor"]
            self.assertGreater(tensor["instructions"], 0)
            for unit in ("tensor", "fp32", "integer", "half", "system"):
                self.assertEqual(run.waves.total(f"{place}.{unit}", "execute"), run.units[f"{place}.{unit}"]["instructions"], unit)
            self.assertEqual(run.waves.total(f"{place}.tensor", "pass"), tensor["busy_cycles"])
            load_store = run.units[f"{place}.load_store"]
            self.assertEqual(run.waves.total(f"{place}.load_store.global", "transaction"), load_store["requests"])
            self.assertEqual(run.sum_of(f"{place}.load_store", "shared_access", "wavefronts"), (load_store["wavefronts"], 0))
            self.assertEqual(run.sum_of(f"{place}.load_store", "shared_access", "conflicts"), (load_store["bank_conflicts"], 0))

    def test_gtkwave_reads_the_same(self):
        run = self.runs["turing"]
        compact, back = self.folder / "waves.fst", self.folder / "back.vcd"
        subprocess.run(["vcd2fst", run.vcd, compact], check=True)
        with back.open("w") as file:
            subprocess.run(["fst2vcd", compact], check=True, stdout=file)
        again = Waves(back)
        self.assertEqual(list(again.signals), list(run.waves.signals))
        for name, signal in run.waves.signals.items():
            times = [time // run.waves.cycle for time in again.signals[name].times]  # the comment that tells a cycle's length is lost
            self.assertEqual((times, again.signals[name].values), (signal.times, signal.values), name)
        self.check_last_instructions(run, compact)

    def check_last_instructions(self, run, compact):
        """GTKWave's search finds them where the statistics say that they were."""
        pattern = "".join(f"{character:08b}" for character in b"EXIT")
        found = subprocess.run(["fstminer", "-d", compact, "-m", pattern], check=True, capture_output=True, text=True).stdout
        issued = {line.split()[1]: int(line.split()[0][1:]) // run.waves.cycle for line in found.splitlines() if "issue.opcode" in line}
        signals = [f"{place}.scheduler.issue.opcode[127:0]" for place in run.sub_cores]
        expected = {signal: warp["last_issue"] for signal, warp in zip(signals, run.statistics["warps"])}
        self.assertEqual(issued, expected)

    def test_sigrok_reads_the_same(self):
        """It takes signals of one bit, of which it makes a sample for each cycle; Debian's version stops at the others."""
        run = self.runs["turing"]
        narrow = self.folder / "narrow.vcd"
        lines = run.vcd.read_text().splitlines(keepends=True)
        narrow.write_text("".join(line for line in lines if not re.match(r"b|\$var wire (?!1 )", line)))
        signals = [signal for signal in run.waves.signals.values() if signal.bits == 1]
        command = ["sigrok-cli", "-i", narrow, "-I", f"vcd:downsample={run.waves.cycle}", "-O", "csv:header=false:label=off"]
        listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        samples = [row for row in csv.reader(listed.splitlines()) if len(row) == len(signals)]
        self.assertEqual(len(samples), run.cycles)
        names = [signal.name for signal in signals]
        for place in run.sub_cores:
            column = names.index(f"{place}.scheduler.issue.active")
            self.assertEqual(sum(int(row[column]) for row in samples), run.units[f"{place}.scheduler"]["issued"])
        for column, signal in enumerate(signals):
            self.assertEqual([row[column] for row in samples], [signal.at(t).replace("z", "0") for t in range(run.cycles)], signal.name)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--tcsim", required=True)
    arguments, others = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *others])
