#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles each source and each header of some folders by itself, to nothing: what includes too little of the project's own does not compile,
though it does in a group behind others. Two kinds of headers are precompiled: those of libraries, since that a
file includes those it uses is a rule of its own (library_includes.py), and headers of the project, for the files that include them anyway.

Usage: compile_alone.py BUILD FOLDER... [--jobs N] [--list]

BUILD is a folder that CMake has configured with clang and without groups. A header that has a source of its name is left to that, which begins
with it. --list prints the sources of the folders that BUILD compiles, whether alone or in groups, and compiles nothing.
"""

import argparse
import collections
import concurrent.futures
import functools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+(?:<(.+?)>|"(.+?)")', re.MULTILINE)


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


class Includes:
    """What files of the project include of each other. Headers of libraries lie in none of the directories."""

    def __init__(self, directories):
        self.directories = directories

    @functools.cache
    def of(self, path):
        """The names of libraries' headers, and the paths of the project's, in the order of the lines."""
        libraries, headers = [], []
        for library, own in INCLUDE.findall(path.read_text()):
            candidates = [directory / (library or own) for directory in ([path.parent] if own else []) + self.directories]
            found = next((each.resolve() for each in candidates if each.is_file()), None)
            if found:
                headers.append(found)
            elif library:
                libraries.append(library)
        return libraries, headers

    @functools.cache
    def closure(self, path):
        """The path, and all headers of the project that it includes, itself or through others."""
        found, waiting = {path}, [path]
        while waiting:
            new = set(self.of(waiting.pop())[1]) - found
            found |= new
            waiting += new
        return frozenset(found)

    def beforehand(self, path):
        """The headers that may stand before a file without hiding what it lacks. A source looks at its own header as well, and so needs those
        of that header; any other file, all that it includes."""
        _, headers = self.of(path)
        if path.suffix == ".cpp" and headers and headers[0].stem == path.stem:
            return self.closure(headers[0])
        return self.closure(path) - {path}


def library_headers(includes, files):
    """Those that a header of the project or more than a few of the files include, in the order of the alphabet; the macro asks SystemC for all
    that it has."""
    count = collections.Counter()
    for file in files:
        for name in set(includes.of(file)[0]):
            count[name] += 4 if file.suffix == ".hpp" else 1
    names = sorted(name for name, files_with_it in count.items() if files_with_it > 3)
    return "".join(["#define SC_INCLUDE_DYNAMIC_PROCESSES\n", *(f"#include <{name}>\n" for name in names)])


class Precompiled:
    """Headers of the project to precompile, such that the files take least time in all, and which of them stands before a file. The time of a
    header is taken for the lines that it and those that it includes have."""

    def __init__(self, includes, files):
        self.includes = includes
        self.lines = {header: sum(1 for _ in header.open()) for file in files for header in includes.beforehand(file)}
        self.length = {header: sum(self.lines[each] for each in includes.closure(header)) for header in self.lines}
        users = collections.defaultdict(list)
        for file in files:
            for header in includes.beforehand(file):
                users[header].append(file)
        self.chosen = []
        saved = dict.fromkeys(files, 0)
        while True:
            gains = {header: sum(max(0, self.length[header] - saved[file]) for file in users[header]) for header in users}
            best = max(gains, key=lambda each: (gains[each] - self.cost(each), str(each)), default=None)
            if best is None or gains[best] <= self.cost(best):
                break
            self.chosen.append(best)
            for file in users.pop(best):
                saved[file] = max(saved[file], self.length[best])

    def cost(self, header):
        """What it takes to precompile a header: as long again for writing it, and as long as a thousand lines for a file with nothing in it."""
        return 2 * self.length[header] + 1000

    def before(self, path):
        """The longest of the chosen headers that may stand before the file, or None."""
        allowed = self.includes.beforehand(path)
        return max((each for each in self.chosen if each in allowed), key=self.length.get, default=None)


class Compiler:
    def __init__(self, entries, folder, files, pool):
        entry = entries[0]
        self.program, self.directory = shlex.split(entry["command"])[0], entry["directory"]
        self.common = options_of(entry)
        self.directories = sorted({word for each in entries for word in options_of(each) if word.startswith("-I")})
        self.folder = folder.resolve() / "precompiled"
        self.folder.mkdir(exist_ok=True)
        includes = Includes([pathlib.Path(word[2:]) for word in self.directories])
        libraries, self.libraries = self.folder / "libraries.hpp", self.folder / "libraries.pch"
        libraries.write_text(library_headers(includes, files))
        if not self.precompile(libraries, self.libraries):
            sys.exit("the headers of libraries do not compile together")
        self.precompiled = Precompiled(includes, files)
        self.written = {}
        for number, header in enumerate(self.precompiled.chosen):
            self.written[header] = pool.submit(self.project_header, header, self.folder / f"{number}.pch")

    def run(self, words):
        return subprocess.run([self.program, *self.common, *words], cwd=self.directory).returncode == 0

    def precompile(self, header, output, *options):
        return self.run([*options, "-fpch-instantiate-templates", "-x", "c++-header", str(header), "-o", str(output)])

    def project_header(self, header, output):
        """Where it is precompiled, behind the headers of libraries: clang 14 takes no longer chain. One that does not compile is itself among
        the files, or the first that its source includes, which say so; others then do without."""
        return output if self.precompile(header, output, *self.directories, *self.behind(None), *self.quiet_header()) else self.libraries

    def behind(self, header):
        """The options that put what is precompiled before a file: that header, or those of libraries alone."""
        return ["-include-pch", str(self.written[header].result() if header else self.libraries), "-Wno-macro-redefined"]

    @staticmethod
    def quiet_header():
        """A constant that only those use who include the header is no mistake in it."""
        return ["-Wno-pragma-once-outside-header", "-Wno-unused-const-variable"]

    def source(self, entry):
        """Instruction sets of its own would not go with what was compiled without them."""
        options = options_of(entry)
        own = [word for word in options if word not in self.common]
        if any(re.match("-m", word) for word in own):
            return subprocess.run([self.program, *options, "-fsyntax-only", entry["file"]], cwd=self.directory).returncode == 0
        return self.run([*own, *self.behind(self.precompiled.before(pathlib.Path(entry["file"]))), "-fsyntax-only", entry["file"]])

    def header(self, path):
        return self.run([*self.directories, *self.behind(self.precompiled.before(path)), *self.quiet_header(), "-x", "c++", "-fsyntax-only", str(path)])


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
    paths = [path.resolve() for folder in arguments.folders for path in sorted(pathlib.Path(folder).rglob("*.hpp"))]
    headers = [path for path in paths if not path.with_suffix(".cpp").exists()]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        compiler = Compiler(entries, arguments.build, [*headers, *(pathlib.Path(each["file"]) for each in entries)], pool)
        good = [*pool.map(compiler.source, entries), *pool.map(compiler.header, headers)]
    print(f"{len(entries)} sources and {len(headers)} headers by themselves, {good.count(False)} do not compile")
    sys.exit(0 if all(good) else 1)


main()
