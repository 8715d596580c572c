#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles each source and each header of some folders by itself, to nothing: what includes too little of the project's own does not compile,
though it does in a group behind others. Headers of libraries are precompiled, which is three times as fast; that a file includes those it
uses is a rule of its own, library_includes.py.

Usage: compile_alone.py BUILD FOLDER... [--jobs N] [--list]

BUILD is a folder that CMake has configured with clang and without groups. A header that has a source of its name is left to that, which begins
with it. --list prints the sources of the folders that BUILD compiles, whether alone or in groups, and compiles nothing.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys


def entries_of(build, folders):
    """Of compile_commands.json, those of the folders in the checkout, and of what was grouped or made from them, by name."""
    roots = tuple(str(base / folder) + os.sep for folder in folders for base in (pathlib.Path.cwd(), build.resolve()))
    entries = json.loads((build / "compile_commands.json").read_text())
    return sorted((each for each in entries if each["file"].startswith(roots) and pathlib.Path(each["file"]).exists()), key=lambda each: each["file"])


def options_of(entry):
    """The words of its command but the compiler, the source, the outputs, and the options of optimisation, debugging information
    and position-independent code, which a precompiled header would have to share."""
    words, kept = iter(shlex.split(entry["command"])[1:]), []
    for word in words:
        if word in ("-o", "-MF", "-MT"):
            next(words)
        elif word not in ("-c", "-MD") and word != entry["file"] and not re.match("-[Og]|-f(?:pic|PIC|pie|PIE)$", word):
            kept.append(word)
    return kept


def library_headers(files):
    """Those that more than a few of the files include, in the order of the alphabet; the macro asks SystemC for all that it has."""
    included = collections.Counter(name for file in files for name in set(re.findall(r"^#include <(?!tc/)(.+)>", file.read_text(), re.MULTILINE)))
    names = sorted(name for name, count in included.items() if count > 3)
    return "".join(["#define SC_INCLUDE_DYNAMIC_PROCESSES\n", *(f"#include <{name}>\n" for name in names)])


class Compiler:
    def __init__(self, entries, folder, files):
        entry = entries[0]
        self.program, self.directory = shlex.split(entry["command"])[0], entry["directory"]
        self.common = options_of(entry)
        self.directories = sorted({word for each in entries for word in options_of(each) if word.startswith("-I")})
        header, self.precompiled = folder.resolve() / "libraries.hpp", folder.resolve() / "libraries.pch"
        header.write_text(library_headers(files))
        self.run(["-fpch-instantiate-templates", "-x", "c++-header", str(header), "-o", str(self.precompiled)], check=True)

    def run(self, words, check=False):
        return subprocess.run([self.program, *self.common, *words], cwd=self.directory, check=check).returncode == 0

    def source(self, entry):
        """Instruction sets of its own would not go with what was compiled without them."""
        options = options_of(entry)
        own = [word for word in options if word not in self.common]
        if any(re.match("-m", word) for word in own):
            return subprocess.run([self.program, *options, "-fsyntax-only", entry["file"]], cwd=self.directory).returncode == 0
        return self.run([*own, "-include-pch", str(self.precompiled), "-Wno-macro-redefined", "-fsyntax-only", entry["file"]])

    def header(self, path):
        """A constant that only those use who include the header is no mistake in it."""
        quiet = ["-Wno-pragma-once-outside-header", "-Wno-macro-redefined", "-Wno-unused-const-variable"]
        return self.run([*self.directories, "-include-pch", str(self.precompiled), *quiet, "-x", "c++", "-fsyntax-only", str(path.resolve())])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    entries = entries_of(arguments.build, arguments.folders)
    if not entries:
        sys.exit(f"{arguments.build} compiles nothing of {' '.join(arguments.folders)}")
    if arguments.list:
        print("\n".join(each["file"] for each in entries))
        return
    headers = [path for folder in arguments.folders for path in sorted(pathlib.Path(folder).rglob("*.hpp")) if not path.with_suffix(".cpp").exists()]
    compiler = Compiler(entries, arguments.build, [*headers, *(pathlib.Path(each["file"]) for each in entries)])
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        good = [*pool.map(compiler.source, entries), *pool.map(compiler.header, headers)]
    print(f"{len(entries)} sources and {len(headers)} headers by themselves, {good.count(False)} do not compile")
    sys.exit(0 if all(good) else 1)


main()
