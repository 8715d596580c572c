#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether metamorphic.py finds what is slower: gives it a command in which more of one resource is less of another."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from resources import better_value, resources_of

SUITE = pathlib.Path(__file__).with_name("metamorphic.py")
TCSIM = pathlib.Path(sys.argv.pop(1)).resolve()

WRAPPER = """\
#!{python}
import subprocess, sys
words = sys.argv[1:]
if any(word.startswith("sm.sub_core.register_file.banks=") for word in words):
    words += ["--set", "{instead}"]
sys.exit(subprocess.run(["{tcsim}", *words]).returncode)
"""


class suite(unittest.TestCase):
    def run_suite(self, instead):
        with tempfile.TemporaryDirectory() as folder:
            wrapper = pathlib.Path(folder) / "tcsim"
            wrapper.write_text(WRAPPER.format(python=sys.executable, tcsim=TCSIM, instead=instead))
            wrapper.chmod(0o755)
            words = [SUITE, wrapper, "--quick", "--only", "turing/tiled", "--runs", "4", "--jobs", "2", "--parameter", "register_file"]
            outcome = subprocess.run([sys.executable, "-B", *words], capture_output=True, text=True)
        return outcome.returncode, outcome.stdout + outcome.stderr

    def test_finds_what_is_slower(self):
        status, output = self.run_suite("global_memory.latency_cycles=600")
        self.assertEqual(status, 1, output)
        self.assertIn("finding: turing/tiled, sm.sub_core.register_file.banks 2 -> 4: ", output)
        self.assertIn(", 1 findings", output)

    def test_finds_nothing_else(self):
        status, output = self.run_suite("sm.sub_core.register_file.banks=4")
        self.assertEqual(status, 0, output)
        self.assertIn(", 0 findings", output)


class resources(unittest.TestCase):
    def test_capacities_are_doubled_and_times_halved(self):
        self.assertEqual(better_value("sm.sub_core.register_file.banks", 2), 4)
        self.assertEqual(better_value("sm.bulk_copy.load.bytes_per_cycle", 64), 128)
        self.assertEqual(better_value("global_memory.latency_cycles", 301), 150)
        self.assertEqual(better_value("sm.sub_core.tensor_core.adder_stages", 3), 1)
        self.assertEqual(better_value("sm.sub_core.pipes.integer.opcode_latency_cycles[CS2R.32]", 4), 2)
        self.assertEqual(better_value("sm.sub_core.operand_fetch.read_window_cycles", 3), 6)

    def test_what_is_no_resource_stays(self):
        for path in ("clock_mhz", "sms", "energy.register_read", "sm.sub_core.issue.patience_cycles", "global_memory.line_bytes", "jitter.seed"):
            self.assertIsNone(better_value(path, 5), path)
        self.assertIsNone(better_value("sm.tensor_memory.columns", 0), "the machine does without it")
        self.assertIsNone(better_value("global_memory.latency_cycles", 1), "there is no less")

    def test_all_numbers_are_found(self):
        configuration = {"a": {"banks": 2, "on": True}, "pipes": {"opcode_latency_cycles": {"CS2R.32": 4}}}
        self.assertEqual([row[0] for row in resources_of(configuration)], ["a.banks", "pipes.opcode_latency_cycles[CS2R.32]"])


if __name__ == "__main__":
    unittest.main()
