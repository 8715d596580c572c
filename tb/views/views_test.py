# SPDX-License-Identifier: Apache-2.0
"""The views of GTKWave kept here are those of the machines as they are: each is made again from the waves of a small run.

With TCSIM_WRITE_GOLDEN in the environment they are written instead.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).parents[2] / "app" / "views"
sys.path.insert(0, str(FOLDER))

from view import View
from waves import Waves

MACHINES = ["ada", "ampere", "blackwell", "collectors", "four_banks", "hopper", "turing", "turing_geforce", "volta"]

arguments = argparse.Namespace()


def waves_of(machine, folder):
    """The waves of a kernel that does nothing: which signals there are does not depend on what runs."""
    shown = subprocess.run([arguments.tcsim, "config", "show", machine], check=True, capture_output=True, text=True).stdout
    architecture = re.search(r'"architectures": \["(sm_\d+)"', shown).group(1)
    trace, waves = folder / "nothing.trace", folder / "waves.vcd"
    trace.write_text(f"tcsim-trace 1\narch {architecture}\nkernel nothing\ngrid 1 1 1\nblock 32 1 1\ncta 0 0 0\nwarp 0\n/*0000*/ EXIT\n")
    subprocess.run([arguments.tcsim, "run", trace, "--config", machine, "--vcd", waves], check=True, stdout=subprocess.DEVNULL)
    return Waves(waves, values=False)


class ViewsTest(unittest.TestCase):
    def test_each_view_is_that_of_its_machine(self):
        expected = {}
        for machine in MACHINES:
            with self.subTest(machine), tempfile.TemporaryDirectory() as folder:
                waves = waves_of(machine, pathlib.Path(folder))
                view = View(waves, "gpu.sm_0.sub_core_0", f"{machine}.gtkw")
                expected[f"{machine}.gtkw"] = view.text()
                for name, text in view.files.items():
                    self.assertEqual(expected.setdefault(name, text), text)
                self.check_names(view.text(), waves)
        if "TCSIM_WRITE_GOLDEN" in os.environ:
            for name, text in expected.items():
                (FOLDER / name).write_text(text)
        kept = {path.name: path.read_text() for path in FOLDER.iterdir() if path.suffix in (".gtkw", ".choices")}
        self.assertEqual(sorted(kept), sorted(expected))
        for name, text in expected.items():
            hint = f"{name} is out of date; after a change that is meant, run this test with TCSIM_WRITE_GOLDEN=1"
            self.assertTrue(kept[name] == text, hint)

    def check_names(self, view, waves):
        """A line of a signal is `+{label} name[high:low]`."""
        shown = re.findall(r"^\+\{.+\} ([\w.]+)(?:\[(\d+):0\])?$", view, re.MULTILINE)
        self.assertGreater(len(shown), 50)
        self.assertEqual(len(shown), len(set(shown)), "a signal twice")
        for name, high in shown:
            self.assertEqual(waves.signals[name].bits, int(high or 0) + 1, name)
        for needed in ("scheduler.issue.opcode", "warp_0.stall.cause", "tensor.execute.open", "register_file.bank_0.read.row"):
            self.assertIn("gpu.sm_0.sub_core_0." + needed, [name for name, _ in shown])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--tcsim", required=True)
    arguments, others = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *others])
