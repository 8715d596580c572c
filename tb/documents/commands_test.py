# SPDX-License-Identifier: Apache-2.0
"""Command lines of README.md and docs/*.md: tcsim has their subcommands and options, and those that a reader can copy as they are end well."""

import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).parents[2]
PAGES = [PROJECT / "README.md", *sorted((PROJECT / "docs").glob("*.md")), *sorted((PROJECT / "examples").glob("*/README.md"))]
NESTED = {"code", "trace", "import", "config", "launch"}  # subcommands that have subcommands

# Of these pages all commands run, in their order, in a folder with the files that the page shows. The others are looked at for options alone: they
# name files that a reader has, or take long.
RUN = ["architectures-that-do-not-exist.md", "arithmetic.md", "energy.md", "hmma-884.md", "convolution.md", "inspection.md"]
LEFT_OUT = re.compile(r"\.\.\.|vectors/|--size 512|report conv\.json")
FILES = re.compile(r"^```json\n(.*?)^```$", re.MULTILINE | re.DOTALL)

arguments = argparse.Namespace()


class Command:
    """A command line of a page; a description may follow behind two blanks, or a comment."""

    def __init__(self, page, line, text, is_to_copy):
        self.place, self.text, self.is_to_copy = f"{page.relative_to(PROJECT)}:{line}", text, is_to_copy
        self.words = shlex.split(text, comments=True)

    def subcommand(self):
        if len(self.words) < 2 or self.words[1].startswith("-"):
            return []
        return self.words[1:3] if self.words[1] in NESTED else self.words[1:2]

    def options(self):
        return [word.split("=")[0] for word in self.words[1:] if re.match(r"-\w|--\w", word) and not re.match(r"-\d", word)]


def joined(lines):
    """Lines with their numbers; those that go on in the next one with it."""
    whole, first = "", 0
    for number, line in enumerate(lines, 1):
        first = first if whole else number
        whole += line
        following = lines[number] if number < len(lines) else ""
        if whole.endswith("\\"):
            whole = whole[:-1].rstrip() + " "
        elif re.match(r" +tcsim ", whole) and re.match(r" {10,}--", following):
            whole += " "
        else:
            yield first, whole
            whole = ""


def commands_of(page):
    for number, line in joined(page.read_text().splitlines()):
        is_to_copy = re.match(r" {4,}tcsim [a-z]", line) is not None   # not a mention in a sentence
        shown = [line.strip()] if is_to_copy else re.findall(r"`(tcsim [a-z][^`]*)`", line)
        for each in shown:
            for part in each.split(" && "):
                text = re.split(r" {2,}| > ", part.strip())[0]
                if text.startswith("tcsim "):
                    yield Command(page, number, text, is_to_copy)


def tcsim(words, folder=None):
    return subprocess.run([arguments.tcsim, *words], capture_output=True, text=True, cwd=folder, timeout=110)


class CommandsTest(unittest.TestCase):
    def test_tcsim_has_their_subcommands_and_options(self):
        help_of, looked_at = {}, 0
        for command in (each for page in PAGES for each in commands_of(page)):
            *before, last = command.subcommand() or [""]
            for alternative in last.split("|"):
                path = " ".join([*before, alternative]).strip()
                if path not in help_of:
                    help_of[path] = tcsim([*path.split(), "--help"])
                self.assertEqual(help_of[path].returncode, 0, f"{command.place}: there is no tcsim {path}")
                for option in command.options():
                    is_known = option in ("--help", "--version") or re.search(rf"(?<![\w-]){re.escape(option)}\b", help_of[path].stdout)
                    self.assertTrue(is_known, f"{command.place}: tcsim {path} has no option {option}: {command.text}")
                    looked_at += 1
        self.assertGreater(looked_at, 100)

    def test_those_to_copy_end_well(self):
        for name in RUN:
            page = PROJECT / "docs" / name
            with tempfile.TemporaryDirectory() as folder, self.subTest(name):
                self.prepare(page, pathlib.Path(folder))
                for command in commands_of(page):
                    if not command.is_to_copy or LEFT_OUT.search(command.text):
                        continue
                    run = tcsim(command.words[1:], folder)
                    self.assertEqual(run.returncode, 0, f"{command.place}: {command.text}\n{run.stderr}")
                    self.assertNotIn("WRONG", run.stdout, command.place)

    @staticmethod
    def prepare(page, folder):
        for shared in ("traces", "examples", "configs"):
            (folder / shared).symlink_to(PROJECT / shared)
        for kernel in (PROJECT / "traces" / "sm_75.tiled_f16_f32").iterdir():
            shutil.copy(kernel, folder)
        for text in FILES.findall(page.read_text()):
            named = re.search(r'"name": "(\w+)"', text)
            (folder / f"{named.group(1) if named else 'file'}.json").write_text(text)

    def test_first_trace_is_exact(self):
        page = PROJECT / "docs" / "traces.md"
        (trace,) = re.findall(r"^```\n(tcsim-trace 1\n.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "first.trace").write_text(trace)
            commands = [each for each in commands_of(page) if each.is_to_copy and "first.trace" in each.text]
            self.assertEqual(len(commands), 2)
            for command in commands:
                run = tcsim(command.words[1:], folder)
                self.assertEqual(run.returncode, 0, f"{command.place}: {command.text}\n{run.stderr}")
            self.assertIn("exact: 16 bytes as expected, bit for bit", run.stdout)

    def test_machines_of_energy_keep_their_timing(self):
        page = PROJECT / "docs" / "energy.md"
        text = page.read_text()
        machines = FILES.findall(text) + re.findall(r"^    (\{.*\})$", text, re.MULTILINE)
        self.assertEqual(len(machines), 2)
        for machine in machines:
            with tempfile.TemporaryDirectory() as folder:
                (pathlib.Path(folder) / "machine.json").write_text(machine)
                self.assertIn("timing as built in", tcsim(["config", "check", "machine.json"], folder).stdout, machine)

    def test_errors_of_dot_products_are_those_of_the_page(self):
        page = (PROJECT / "docs" / "arithmetic.md").read_text()
        for distribution in ("positive", "normal"):
            run = tcsim(["error", "--config", "volta", "--config", "hopper", "--distribution", distribution, "--k", "4096"])
            found = [re.split(r" {2,}", line.strip())[7] for line in run.stdout.splitlines() if line.startswith("4096 ")][:3]
            self.assertRegex(page, rf"\n\| {distribution}, [^|]*\| {re.escape(' | '.join(found))} \|")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--tcsim", required=True)
    arguments, others = parser.parse_known_args(namespace=arguments)
    arguments.tcsim = os.path.abspath(arguments.tcsim)
    unittest.main(argv=[sys.argv[0], *others])
