#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws some threads of a timeline (trace-event format), a row for each:

    tcsim run traces/sm_75.tiled_f16_f32/kernel.trace --config turing --timeline run.json --window 868..960
    tools/pictures/timeline_picture.py run.json docs/timeline.svg --cycles 868..960 --process sub_core_0
"""

import argparse
import json
import pathlib
import re

from drawing import Drawing

COLOURS = {"issue": "#8fa3b8", "instruction": "#c3d7ea", "stall": "#f4b9b0", "empty_slot": "#f7d9d4", "dot_product": "#7fc36b", "execute": "#bfe3b4",
           "write_back": "#e8d48a", "read": "#e8d48a", "write": "#d9c06a", "operand_fetch": "#c3d7ea", "operand_transfer": "#b9a8dd"}


def draw(events, first, last, process, threads):
    named = {event["pid"] for event in events if event["ph"] == "M" and event["name"] == "process_name" and event["args"]["name"].endswith(process)}
    names = {(event["pid"], event["tid"]): event["args"]["name"] for event in events if event["ph"] == "M" and event["name"] == "thread_name"}
    order = {(event["pid"], event["tid"]): event["args"]["sort_index"] for event in events if event["ph"] == "M" and event["name"] == "thread_sort_index"}
    slices, rows = {}, {}
    for event in events:
        if event["ph"] == "X" and event["pid"] in named and event["ts"] < last and event["ts"] + event["dur"] > first:
            slices.setdefault((event["pid"], event["tid"]), []).append(event)
    drawing = Drawing(first, last)
    for thread in sorted(slices, key=lambda each: (order.get(each, 0), each)):
        if not re.search(threads, names[thread]):
            continue
        rows[thread] = drawing.row(names[thread])
        for event in sorted(slices[thread], key=lambda each: -each["dur"]):
            drawing.box(rows[thread], event["ts"], event["ts"] + event["dur"], event["name"], COLOURS.get(event["cat"].split(",")[0], "#e6e6e6"))
    begins = {event["id"]: event for event in events if event["ph"] == "s"}
    for event in events:
        if event["ph"] == "f" and (event["pid"], event["tid"]) in rows and event["id"] in begins:
            begin = begins[event["id"]]
            if (begin["pid"], begin["tid"]) in rows:
                drawing.arrow(rows[begin["pid"], begin["tid"]], begin["ts"], rows[event["pid"], event["tid"]], event["ts"])
    return drawing.text()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("timeline", type=pathlib.Path)
    parser.add_argument("picture", type=pathlib.Path)
    parser.add_argument("--cycles", required=True, metavar="FIRST..LAST")
    parser.add_argument("--process", default="sub_core_0")
    parser.add_argument("--threads", default=".", help="a regular expression of their names")
    arguments = parser.parse_args()
    window = map(int, arguments.cycles.split(".."))
    events = json.loads(arguments.timeline.read_text())["traceEvents"]
    arguments.picture.write_text(draw(events, *window, arguments.process, arguments.threads))
