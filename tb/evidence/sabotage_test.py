#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each integer instruction of a compiled kernel is changed, one at a time. The importer, which makes a trace of the changed listing, tells
whether that moves an address; then, and only then, must a run of the recorded trace with the same change say that its addresses are wrong."""

import argparse
import collections
import lzma
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

KERNEL = pathlib.Path(__file__).parents[2] / "traces" / "sm_75.tiled_f16_f32"
IMAGES = ["a.bin", "b.bin", "d.bin"]
LAUNCH = ["--block", "128", "--shared", "4096", "--arguments", "0x10000,0x20000,0x30000,64:4", "--memory", "0x10000 8192 file a.bin",
          "--memory", "0x20000 8192 file b.bin", "--memory", "0x30000 16384 zero", "--expect", "0x30000 16384 file d.bin",
          "--max-instructions", "3000"]
OPCODE = r"(?:IADD3|LOP3|IMAD|LEA|SHF)\S* "
LISTED = re.compile(rf"(?P<front>\s*/\*(?P<pc>[0-9a-f]+)\*/\s+)(?P<opcode>{OPCODE})(?P<operands>.*?)(?P<back>;.*)")
TRACED = re.compile(rf"(?P<front>/\*(?P<pc>[0-9a-f]+)\*/ (?:\[\S+\] )?)(?P<opcode>{OPCODE})(?P<operands>.*?)(?P<back>| mask .*)")

arguments = argparse.Namespace()


def sabotaged(opcode, operands):
    """The operands with another last source: a number 0x40 higher, RZ for a register. None if there is none to change."""
    sources = list(re.finditer(r"-?0x[0-9a-f]+|\bR\d+\b", operands))[1:]
    if opcode.startswith("LOP3") and len(sources) > 1 and sources[-1].group().startswith("0x"):
        sources.pop()  # the table of the operation
    if not sources:
        return None
    last = sources[-1]
    value = f"{int(last.group(), 16) + 0x40 & 0xffffffff:#x}" if "0x" in last.group() else "RZ"
    return operands[:last.start()] + value + operands[last.end():]


def with_change(lines, form, pc):
    """The lines with every occurrence of an instruction sabotaged, and whether there is one."""
    changed = []
    for line in lines:
        match = form.fullmatch(line)
        operands = sabotaged(match["opcode"], match["operands"]) if match and match["pc"] == pc else None
        changed.append(line if operands is None else match["front"] + match["opcode"] + operands + match["back"])
    return changed, changed != lines


class SabotageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        for image in IMAGES:
            shutil.copy(KERNEL / image, cls.folder)
        cls.listing = lzma.open(KERNEL / "kernel.hex.sass.xz", "rt").read().splitlines()
        cls.trace = (KERNEL / "kernel.trace").read_text().splitlines()

    def tcsim(self, *words):
        return subprocess.run([arguments.tcsim, *words], cwd=self.folder, capture_output=True, text=True)

    def imported_addresses(self, listing):
        """None if the listing cannot be imported: the change leads the kernel nowhere."""
        (self.folder / "kernel.sass").write_text("\n".join(listing) + "\n")
        if self.tcsim("import", "nvdisasm", "kernel.sass", "-o", "imported.trace", *LAUNCH).returncode != 0:
            return None
        lines = (self.folder / "imported.trace").read_text().splitlines()
        return [(line.split("*/")[0], line.split(" @ ")[1]) for line in lines if " @ " in line]

    def status_of(self, trace):
        (self.folder / "changed.trace").write_text("\n".join(trace) + "\n")
        return self.tcsim("run", "changed.trace", "--config", "turing").returncode

    def test_what_moves_an_address_is_found_and_nothing_else(self):
        right = self.imported_addresses(self.listing)
        self.assertTrue(right)
        self.assertEqual(self.status_of(self.trace), 0)
        seen = collections.Counter()
        for pc in [match["pc"] for match in map(LISTED.fullmatch, self.listing) if match]:
            listing, is_listed = with_change(self.listing, LISTED, pc)
            trace, is_traced = with_change(self.trace, TRACED, pc)
            addresses = self.imported_addresses(listing) if is_listed and is_traced else None
            if addresses is None:
                continue
            with self.subTest(pc=pc):
                self.assertEqual(self.status_of(trace), 1 if addresses != right else 0)
            seen[addresses != right] += 1
        self.assertGreater(seen[True], 20)
        self.assertGreater(seen[False], 20)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--tcsim", required=True)
    arguments, others = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *others])
