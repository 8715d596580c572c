#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""docs/opcodes.md is what opcode_page writes. usage: opcodes_test.py OPCODE_PAGE; with TCSIM_WRITE_GOLDEN=1 in the environment it is
written anew."""
import os
import pathlib
import subprocess
import sys

page = pathlib.Path(__file__).resolve().parents[2] / "docs" / "opcodes.md"
text = subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True,
                      env={**os.environ, "SYSTEMC_DISABLE_COPYRIGHT_MESSAGE": "1"}).stdout
if os.environ.get("TCSIM_WRITE_GOLDEN") == "1":
    page.write_text(text)
if page.read_text() != text:
    sys.exit("docs/opcodes.md is out of date: TCSIM_WRITE_GOLDEN=1 ctest -R documents/opcodes writes it")
