#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The catalogue of messages, docs/errors.md, made of what the source says of each message type where it is declared (model/tc/**/*reports.hpp):
its cause, and after "Cure:" what to do.

  error_catalogue.py            says whether docs/errors.md is what the source says
  error_catalogue.py --write    writes it
  error_catalogue.py --provoked FILE...   says which types no test has provoked; the files have those that tests have met, one in a line"""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "errors.md"
DECLARATION = re.compile(r'((?:^/// .*\n)+)^inline constexpr const char\* (\w+) = "(/tc/[^"]+)";', re.MULTILINE)

HEAD = """# Messages

What tcsim reports while a model is built or runs, with cause and cure. `tools/error_catalogue.py --write` makes this page of the source.

Each message has a type, `/tc/unit/topic`, the path of the object that it is about, and a cycle or a time. In a program of your own they are reports of
SystemC: `sc_core::sc_report_handler::set_actions("/tc/unit/topic", ...)` decides what happens, and an error throws `sc_core::sc_report` unless that says
otherwise. On a device with a queue, what a kernel does wrong ends that kernel alone, and its type is in the record of the command. The command
`tcsim` prints message and type on stderr, with [exit status](../README.md) 3; it is 2 if the trace is what is wrong.

What is wrong in a file is told when it is read, before anything runs, by an exception with the place instead of a type:

| exception | of | its text begins with |
| --- | --- | --- |
| `tc::trace::trace_error` | traces, imported ones too | `file:line:column: `, or `file: offset 0x1f0: ` of a packed trace |
| `tc::config::config_error` | configurations, `--set`, sweep files | `file:line:column: ` and the path of the key, or the option |
| `tc::study::vector_error` | vector files | `file: `, and the case |
| `tc::device::run_error` | a trace and a machine that do not go together | `file: ` or `file:line:column: ` |
| `tc::kernels::gemm_error`, `convolution_error` | problems that no kernel can be made for | the option |
| `tc::trace::spool_error` | a temporary file that fails | what failed, its folder, and why |

"""


def declarations():
    """(type, cause, cure, header) of each message type, in the order of types."""
    found = []
    for header in sorted((ROOT / "model").glob("tc/**/*reports.hpp")):
        text = header.read_text()
        for comment, name, kind in DECLARATION.findall(text):
            said = " ".join(line[4:] for line in comment.splitlines())
            cause, separator, cure = said.partition(" Cure: ")
            if not separator:
                sys.exit(f"{header.relative_to(ROOT)}: {name} has no cure: write \"/// Cure: ...\" above it")
            found.append((kind, cause, cure, header.relative_to(ROOT)))
        if text.count('= "/tc/') != len(DECLARATION.findall(text)):
            sys.exit(f"{header.relative_to(ROOT)}: a message type has no comment above it that says its cause")
    types = [each[0] for each in found]
    for kind in types:
        if types.count(kind) > 1:
            sys.exit(f"{kind} is declared twice")
    return sorted(found)


def page():
    lines = [HEAD]
    unit = None
    for kind, cause, cure, header in declarations():
        if kind.split("/")[2] != unit:
            unit = kind.split("/")[2]
            lines.append(f"\n## {unit.replace('_', ' ')}\n\n| type | cause | cure |\n| --- | --- | --- |\n")
        lines.append(f"| `{kind}` | {cause} | {cure} |\n")
    return "".join(lines).replace("\n\n\n", "\n\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--write", action="store_true", help="write docs/errors.md")
    what.add_argument("--provoked", nargs="+", type=pathlib.Path, metavar="FILE", help="what tests have met")
    options = parser.parse_args()
    if options.write:
        PAGE.write_text(page())
    elif options.provoked:
        met = {line.strip() for file in options.provoked for line in file.read_text().splitlines()}
        types = [each[0] for each in declarations()]
        missing = [kind for kind in types if kind not in met]
        for kind in missing:
            print(f"no test provokes {kind}")
        print(f"{len(types) - len(missing)} of {len(types)} message types are provoked by a test")
        return 1 if missing else 0
    elif not PAGE.exists() or PAGE.read_text() != page():
        print("docs/errors.md is not what the source says: tools/error_catalogue.py --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
