# SPDX-License-Identifier: Apache-2.0
"""Cycles that README.md and docs/*.md show are those that come out: a change that moves them brings the pages along."""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).parents[2]
KERNEL = PROJECT / "traces" / "sm_75.tiled_f16_f32" / "kernel.trace"

arguments = argparse.Namespace()


def page(name):
    return (PROJECT / "docs" / name).read_text()


def tcsim(*words, folder=None):
    return subprocess.run([arguments.tcsim, *map(str, words)], check=True, capture_output=True, text=True, cwd=folder).stdout


def blocks(text):
    """Indented blocks of a page, without their indentation."""
    return [re.sub(r"(?m)^    ", "", block).strip("\n") for block in re.findall(r"(?:(?:^    .*|^)\n)+", text, re.MULTILINE) if block.strip()]


def gemm_cells(*options):
    """Cycles, and the share of the peak, of each product that tcsim gemm makes, by precision and size."""
    rows = tcsim("gemm", "--no-data", *options).splitlines()
    head, cells = re.split(r" {2,}", rows[0].strip()), {}
    for row in rows[1:]:
        fields = re.split(r" {2,}", row.strip())
        if len(fields) != len(head) or not fields[0].isdigit():
            break
        one = dict(zip(head, fields))
        cells[one["PRECISION"], int(one["M"])] = (int(one["CYCLES"]), round(float(one["OF SMS USED"].split()[0])))
    return cells


class FiguresTest(unittest.TestCase):
    def assert_shows(self, name, words):
        self.assertIn(words, page(name), f"docs/{name} should show {words!r}")

    def test_of_products_by_size_and_precision(self):
        cells = gemm_cells("--config", "turing_geforce", "--size", "128,256", "--precision", "mixed,f16,s8,s4,b1")
        for precision in ("mixed", "f16", "s8", "s4", "b1"):
            shown = " | ".join("{} ({} %)".format(*cells[precision, size]) for size in (128, 256))
            self.assert_shows("gemm.md", f"\n| {precision} | {shown} |")

    def test_of_warpgroups_beside_warps(self):
        cycles = gemm_cells("--config", "hopper", "--size", "256,512")
        self.assert_shows("gemm.md", "| `--instructions mma`, cycles | {} | {} |".format(*(cycles["mixed", size][0] for size in (256, 512))))
        cells = gemm_cells("--config", "hopper", "--size", "256,512", "--instructions", "wgmma")
        self.assert_shows("gemm.md", " | ".join("{} ({} %)".format(*cells["mixed", size]) for size in (256, 512)))

    def test_of_convolutions(self):
        rows = re.findall(r"^\| (\d+) x (\d+), (\d+), (\d+) \| (\d+, \d+) \| (\d+, \d+) \|", page("convolution.md"), re.MULTILINE)
        self.assertEqual(len(rows), 4)
        for height, width, channels, filters, cycles, activations in rows:
            printed = tcsim("conv", "--config", "blackwell", "--height", height, "--width", width, "--channels", channels, "--filters", filters,
                            "--filter-height", 3, "--filter-width", 3, "--padding", 1, "--no-data")
            for name, shown in (("cycles", cycles), ("activations: shared to tensor memory", activations)):
                found = re.search(rf"^{name} +(\d+) +(\d+) ", printed, re.MULTILINE)
                self.assertEqual(", ".join(found.groups()), shown, f"docs/convolution.md, {height} x {width}, {channels}: {name}")

    def test_of_the_summary_of_a_run(self):
        printed = tcsim("run", KERNEL, "--config", "turing")
        shown = next(block for block in blocks(page("command.md")) if block.startswith("limit "))
        self.assertTrue(printed.startswith(shown.rstrip()), f"docs/command.md should show the beginning of\n{printed}")

    def test_of_differences(self):
        with tempfile.TemporaryDirectory() as folder:
            tcsim("run", KERNEL, "--config", "turing", "--stats", "a.json", folder=folder)
            tcsim("run", KERNEL, "--config", "turing", "--set", "sm.sub_core.tensor_core.dot_product_units=1", "--stats", "b.json", folder=folder)
            printed = re.sub(r" +", " ", tcsim("diff", "a.json", "b.json", folder=folder))
        shown = next(block for block in blocks(page("inspection.md")) if "Cycles of the warps" in block)
        for line in shown[shown.index("cycles"):].splitlines():
            if line.strip(". "):
                self.assertIn(re.sub(r" +", " ", line).strip(), printed, "docs/inspection.md")

    def test_of_examples_of_programs(self):
        cycles = re.search(r"time +(\d+) cycles", tcsim("run", KERNEL, "--config", "turing")).group(1)
        self.assertIn(f"tiled_f16_f32, {cycles} cycles", (PROJECT / "examples" / "consumer" / "README.md").read_text())
        self.assertIn(f"own: finished in cycle {cycles}, exact", (PROJECT / "examples" / "units" / "README.md").read_text())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--tcsim", required=True)
    arguments, others = parser.parse_known_args(namespace=arguments)
    arguments.tcsim = os.path.abspath(arguments.tcsim)
    unittest.main(argv=[sys.argv[0], *others])
