#!/usr/bin/env python3
"""Writes sources that include others, one of each namespace, so that clang-tidy reads the headers of libraries once for several of them.

Usage: tidy_batches.py COMMANDS FOLDER < list of sources

COMMANDS is a compile_commands.json that has all the sources; the folder gets the batches and a compile_commands.json of their own. Prints the
batches. What stands in anonymous namespaces does not meet, as the namespaces around them differ. Sources with options for an instruction
set stay by themselves.
"""

import collections
import json
import os
import pathlib
import re
import shlex
import sys


def arguments_of(command):
    """Macros and include folders of a compiler's command."""
    return {word for word in shlex.split(command) if re.match(r"-[ID].", word)}


def namespace_of(source):
    """The namespace of a room of the library is its first folder; all of tb has one."""
    return re.sub(r"^model/tc/([^/]+)/.*|^(tb)/.*", r"\1\2", source)


def main():
    commands = {os.path.relpath(each["file"]): each["command"] for each in json.loads(pathlib.Path(sys.argv[1]).read_text())}
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    sources = [line.strip() for line in sys.stdin]
    entries, alone, of_namespace = [], [], collections.defaultdict(list)
    for source in sources:
        if re.search(r" -m(avx|sse|fma|f16c)", commands[source]):
            alone.append(source)
            entries.append({"directory": os.getcwd(), "file": os.path.abspath(source), "command": commands[source]})
        else:
            of_namespace[namespace_of(source)].append(source)
    options = sorted(set().union(*(arguments_of(commands[source]) for source in sources if source not in alone)))
    # Each namespace begins where the one before it ended, so that all batches are about as long.
    batches = [[] for _ in range(max(map(len, of_namespace.values())))]
    position = 0
    for members in sorted(of_namespace.values(), key=len, reverse=True):
        for source in members:
            batches[position % len(batches)].append(source)
            position += 1
    for number, members in enumerate(batches):
        batch = folder / f"batch_{number}.cpp"
        batch.write_text("".join(f'#include "{source}"  // NOLINT(bugprone-suspicious-include)\n' for source in members))
        command = shlex.join(["clang++-14", "-std=c++17", "-I.", *options, "-c", str(batch)])
        entries.append({"directory": os.getcwd(), "file": str(batch.resolve()), "command": command})
    (folder / "compile_commands.json").write_text(json.dumps(entries))
    print("\n".join([str(folder / f"batch_{number}.cpp") for number in range(len(batches))] + alone))


main()
