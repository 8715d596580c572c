#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws a log for the Konata pipeline viewer as Konata does, a row for each instruction:

    tcsim run traces/sm_75.tiled_f16_f32/kernel.trace --config turing --konata run.kanata --window 868..960
    tools/pictures/konata_picture.py run.kanata docs/konata.svg --cycles 868..960 --thread 0
"""

import argparse
import collections
import pathlib

from drawing import Drawing

COLOURS = {"stl": "#f4b9b0", "Is": "#8fa3b8", "Op": "#c3d7ea", "X": "#bfe3b4", "Wb": "#e8d48a", "Me": "#9fd8d0", "Qu": "#dddddd", "Tr": "#b9a8dd",
           "Dp": "#7fc36b"}
PIPELINE = ("stl", "Is", "Op", "X", "Wb")


def read(text):
    """Instructions by their id: thread, label, stages (name, begin, end), producers."""
    lines = text.splitlines()
    if lines[0] != "Kanata\t0004":
        raise SystemExit("this is no log of Konata's format 0004")
    cycle, instructions = 0, collections.OrderedDict()
    for line in lines[1:]:
        kind, *rest = line.split("\t")
        if kind == "C=":
            cycle = int(rest[0])
        elif kind == "C":
            cycle += int(rest[0])
        elif kind == "I":
            instructions[rest[0]] = {"thread": int(rest[2]), "label": "", "open": {}, "stages": [], "producers": []}
        elif kind == "L" and rest[1] == "0":
            instructions[rest[0]]["label"] += rest[2]
        elif kind == "S":
            instructions[rest[0]]["open"][rest[1], rest[2]] = cycle
        elif kind == "E":
            instructions[rest[0]]["stages"].append((rest[2], instructions[rest[0]]["open"].pop((rest[1], rest[2])), cycle))
        elif kind == "W":
            instructions[rest[0]]["producers"].append(rest[1])
    return instructions


def draw(instructions, first, last, thread):
    drawing, rows = Drawing(first, last), {}
    for number, each in instructions.items():
        in_window = [stage for stage in each["stages"] if stage[1] < last and stage[2] > first]
        if each["thread"] != thread or not any(name != "stl" for name, _, _ in in_window):
            continue
        rows[number] = drawing.row(each["label"])
        # What overlaps the pipeline's stages, as tiles and transactions do, is drawn first.
        for name, begin, end in sorted(in_window, key=lambda stage: (stage[0] in PIPELINE[:3] or stage[0] == "Dp", stage[1])):
            drawing.box(rows[number], begin, end, name, COLOURS.get(name, "#e6e6e6"))
        for producer in each["producers"]:
            if producer in rows:
                end = max(stage[2] for stage in instructions[producer]["stages"])
                issue = next(begin for name, begin, _ in each["stages"] if name == "Is")
                drawing.arrow(rows[producer], end, rows[number], issue)
    return drawing.text()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("log", type=pathlib.Path)
    parser.add_argument("picture", type=pathlib.Path)
    parser.add_argument("--cycles", required=True, metavar="FIRST..LAST")
    parser.add_argument("--thread", type=int, default=0)
    arguments = parser.parse_args()
    window = map(int, arguments.cycles.split(".."))
    arguments.picture.write_text(draw(read(arguments.log.read_text()), *window, arguments.thread))
