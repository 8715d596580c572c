#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether docs/parameters.md has every parameter, and says of some what parameter_effects.py finds."""

import pathlib
import re
import subprocess
import sys
import unittest

import parameter_effects

SCRIPT = pathlib.Path(parameter_effects.__file__)


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rows = dict(re.findall(r"(?m)^(\| `([\w.]+)` \|.*\|)$", parameter_effects.PAGE.read_text()))
        cls.rows = {path: row for row, path in cls.rows.items()}

    def test_has_every_parameter(self):
        self.assertCountEqual(self.rows, list(parameter_effects.parameters_of(TCSIM, "hopper")))

    def test_says_why_something_moves_nothing(self):
        for path, row in self.rows.items():
            with self.subTest(path):
                self.assertNotRegex(row, r"\| *\|$")

    def test_is_what_the_command_gives(self):
        for pattern in ("sm.tensor_memory.shift.*", "sm.barrier_unit.wake_cycles", "sm.warpgroup.operand_tiles"):
            done = subprocess.run([sys.executable, "-B", SCRIPT, TCSIM, "--only", pattern, "--jobs", "2"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            for line in done.stdout.splitlines():
                self.assertIn(line, self.rows.values())


if __name__ == "__main__":
    TCSIM = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
