# SPDX-License-Identifier: Apache-2.0
"""Cycles that docs/embedding.md and docs/platform.md say a device takes: they are what a program gets from the library of C functions."""

import json
import pathlib
import subprocess
import sys
import textwrap
import unittest

PROJECT = pathlib.Path(__file__).parents[2]
EXAMPLE = PROJECT / "examples" / "embedding"

# A GEMM of 256 on four SMs of Hopper, behind a memory that answers after 291 cycles; the argument is how many accesses are on their way at most.
IDEAL_MEMORY = """
import json, sys
sys.path.insert(0, sys.argv[1])
import tcsim
library = tcsim.load()
device = tcsim.Device(library, "gpu", "hopper", ["sms=4"], latency_ps=291 * 546, outstanding=int(sys.argv[2]))
device.begin()
device.submit_gemm(1, 256, 256, 256, 0x100000, 0x400000, 0x800000)
device.run(limit_ps=10**12)
statistics = json.loads(library.tcsim_statistics(device.handle))["gpu.device.memory"]
print(json.dumps([device.completions[-1][2], statistics["most_outstanding"]]), file=sys.stderr)
"""


def ideal_memory(outstanding):
    """Cycles of the GEMM, and the most accesses to memory that were on their way."""
    command = [sys.executable, "-B", "-c", IDEAL_MEMORY, str(EXAMPLE), str(outstanding)]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(run.stderr.splitlines()[-1])


class EmbeddingTest(unittest.TestCase):
    def test_the_page_shows_what_the_example_prints(self):
        printed = subprocess.run([sys.executable, "-B", EXAMPLE / "gemm.py"], check=True, capture_output=True, text=True).stdout
        shown = textwrap.indent(printed.rstrip(), "    ")
        self.assertIn(shown, (PROJECT / "docs" / "embedding.md").read_text(), f"docs/embedding.md should show\n{shown}")

    def test_a_limit_of_transactions_costs_what_the_page_says(self):
        page = (PROJECT / "docs" / "platform.md").read_text()
        (free, most), (limited, sixteen) = ideal_memory(0), ideal_memory(16)
        self.assertEqual(sixteen, 16)
        for words in (f"takes {free:,} cycles", f"up to {most:,} transactions", f"{limited:,} with 16"):
            self.assertIn(words, " ".join(page.split()))


if __name__ == "__main__":
    unittest.main()
