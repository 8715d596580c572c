#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether determinism.py finds what differs: gives it a command that changes one thing in one variant."""

import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

SUITE = pathlib.Path(__file__).with_name("determinism.py")
TCSIM = pathlib.Path(sys.argv.pop(1)).resolve()

WRAPPER = """\
#!{python}
import os, pathlib, re, subprocess, sys
words, environment, running = sys.argv[1:], dict(os.environ), sys.argv[1] == "run"
is_portable = os.environ.get("TCSIM_INSTRUCTION_SET") == "portable"
{before}
status = subprocess.run(["{tcsim}", *words], env=environment).returncode
{after}
sys.exit(status)
"""


class changed(unittest.TestCase):
    def suite(self, before="", after=""):
        """The status and all output of the suite, for a command that does something before and after the real one."""
        with tempfile.TemporaryDirectory() as folder:
            wrapper = pathlib.Path(folder) / "tcsim"
            code = {"before": textwrap.dedent(before), "after": textwrap.dedent(after)}
            wrapper.write_text(WRAPPER.format(python=sys.executable, tcsim=TCSIM, **code))
            wrapper.chmod(0o755)
            suite = subprocess.run([SUITE, wrapper, "--quick", "--only", "tf32"], capture_output=True, text=True)
        return suite.returncode, suite.stdout + suite.stderr

    def expect_found(self, *parts, **changes):
        status, output = self.suite(**changes)
        self.assertEqual(status, 1, output)
        self.assertNotIn(", 0 differences", output)
        for part in parts:
            self.assertIn(part, output)

    def test_nothing(self):
        status, output = self.suite()
        self.assertEqual(status, 0, output)
        self.assertRegex(output, r"\ndeterminism: \d+ runs in \d+ variants, 0 differences\n$")

    def test_a_cycle(self):
        after = """
            if running and is_portable:
                file = pathlib.Path("s.json")
                file.write_text(re.sub('^  "cycles": ', '  "cycles": 1', file.read_text(), flags=re.MULTILINE))
            """
        self.expect_found(", portable, 1, text", "statistics: cycles: 1", after=after)

    def test_a_bit_of_memory(self):
        after = """
            if running and words[1].endswith(".tct"):
                content = bytearray(pathlib.Path("memory2.bin").read_bytes())
                content[0x123] ^= 4
                pathlib.Path("memory2.bin").write_bytes(content)
            """
        self.expect_found(", packed, ", "memory2.bin: byte 0x123: ", after=after)

    def test_the_report(self):
        after = "if running and 'MALLOC_PERTURB_' in environment: print('more')"
        self.expect_found(", others, computed: report: line ", "'more' instead of 'the end'", after=after)

    def test_what_recordings_change(self):
        before = "if '--vcd' in words: words += ['--set', 'sm.sub_core.register_file.banks=1']"
        self.expect_found(", all, ", "statistics: config.sm.sub_core.register_file.banks: 1 instead of 2", before=before)

    def test_a_recording_that_is_missing(self):
        after = "if running and '--konata' in words and is_portable: os.remove('log.kanata')"
        self.expect_found(", portable, ", "only some variants give log.kanata", after=after)

    def test_a_failure(self):
        after = "if running and words[1].endswith('.xz'): status = 3"
        self.expect_found(", .xz, ", "exit status 3", after=after)

    def test_instructions_that_are_not_those_asked_for(self):
        before = "if is_portable and running: del environment['TCSIM_INSTRUCTION_SET']"
        self.expect_found("the run used ", before=before)


if __name__ == "__main__":
    unittest.main()
