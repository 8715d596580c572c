#!/usr/bin/env python3
"""Writes sources that include several others, so that clang-tidy reads the headers of libraries once for all of them.

Usage: tidy_batches.py COMMANDS FOLDER < list of sources

COMMANDS is a compile_commands.json that has all the sources; the folder gets the batches and a compile_commands.json of their own. Prints the
sources and batches to read. Sources of one room stand in one batch only if none has a name in its anonymous namespace (whose declarations
begin in the first column) that another has there, or calls. Sources with options for an instruction set, or macros for the headers they
include, stay by themselves.
"""

import collections
import json
import os
import pathlib
import re
import shlex
import sys

BATCH_LINES = 4000   # of sources, besides the headers; the last batches are shorter


def arguments_of(command):
    """Macros and include folders of a compiler's command."""
    return {word for word in shlex.split(command) if re.match(r"-[ID].", word)}


def has_own_options(command):
    return re.search(r" -m(avx|sse|fma|f16c)", command) is not None


def has_own_macros(text):
    return re.search(r"^#define .*\n(?:.*\n)*?#include", text, re.MULTILINE) is not None


def room_of(source):
    """The namespace of a room of the library is its first folder; all of tb has one."""
    return re.sub(r"^model/tc/([^/]+)/.*|^(tb)/.*", r"\1\2", source)


def private_names(text):
    """What the anonymous namespaces of a source declare, as clang-format writes it. A name that is missed is an error of the compiler."""
    names = set()
    for block in re.findall(r"^namespace \{$(.*?)^\}  // namespace$", text, re.MULTILINE | re.DOTALL):
        for line in re.findall(r"^[\w\[].*", block, re.MULTILINE):
            names.update(re.findall(r"(\w+)(?: :(?!:)|[\[({;]| [{=])", line)[:1] + re.findall(r"(\w+) = ", line))
    return names


def called_names(text):
    """Of functions that are called by their name alone, so that a private one of another source would hide them."""
    return set(re.findall(r"(?<![\w.:>~])(\w+)\(", text))


class Batch:
    def __init__(self):
        self.sources, self.lines = [], 0
        self.private, self.called = collections.defaultdict(set), collections.defaultdict(set)

    def takes(self, source, text):
        """Adds the source if there is room for it and no private name of one means something to another."""
        room, private, called = room_of(source), private_names(text), called_names(text)
        if self.lines >= BATCH_LINES or self.private[room] & (private | called) or self.called[room] & private:
            return False
        self.sources.append(source)
        self.lines += text.count("\n")
        self.private[room] |= private
        self.called[room] |= called
        return True


def batches_of(sources):
    batches = []
    for source in sources:
        text = pathlib.Path(source).read_text()
        if not any(each.takes(source, text) for each in batches):
            batches.append(Batch())
            batches[-1].takes(source, text)
    return batches


def main():
    commands = {os.path.relpath(each["file"]): each["command"] for each in json.loads(pathlib.Path(sys.argv[1]).read_text())}
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    sources = [line.strip() for line in sys.stdin]
    alone = [source for source in sources if has_own_options(commands[source]) or has_own_macros(pathlib.Path(source).read_text())]
    together = [source for source in sources if source not in alone]
    entries = [{"directory": os.getcwd(), "file": os.path.abspath(source), "command": commands[source]} for source in alone]
    options = sorted(set().union(*(arguments_of(commands[source]) for source in together)))
    names = []
    for number, each in enumerate(batches_of(together)):
        path = folder / f"batch_{number}.cpp"
        path.write_text("".join(f'#include "{source}"  // NOLINT(bugprone-suspicious-include)\n' for source in each.sources))
        command = shlex.join(["clang++-14", "-std=c++17", "-I.", *options, "-c", str(path)])
        entries.append({"directory": os.getcwd(), "file": str(path.resolve()), "command": command})
        names.append(str(path))
    (folder / "compile_commands.json").write_text(json.dumps(entries))
    print("\n".join(alone + names))


main()
