#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/parameters.md: what each parameter of a machine moves, and where. Each is knocked out, to 0 or the smallest value that the machine
takes, and doubled; switches and choices take each other value. All runs have `hazards=interlock`, before and after a change. A parameter that moves
nothing in any run needs a line in reasons.txt that says why; exit status 1 if one has none."""

import argparse
import concurrent.futures
import fnmatch
import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import runs

PAGE = runs.PROJECT / "docs" / "parameters.md"
REASONS = pathlib.Path(__file__).with_name("reasons.txt")
INTERLOCK = "sm.sub_core.issue.hazards=interlock"
ENERGIES = runs.PROJECT / "configs" / "energy" / "energy_45nm.json"
SEEDS = 5  # runs that differ by chance, the spread of which a change has to exceed
INTRODUCTION = """# Parameters

What each parameter of a machine moves, and where: the largest change of the cycles over the runs below when it takes another value: 0 or the smallest that the machine takes, and twice its
own (1, where that is 0); switches and choices take each other value. Positive: more cycles, of the SM's clock. *bits*: results differ from those expected. *energy*: the account of
energies does. What moves nothing in any of these runs says why. Meaning, unit and source of each: `tcsim config list`.

*Chance* says that no change is larger than the spread of the same run, unchanged, whose starts, latencies and ties vary by chance (`jitter.seed` 1 to {seeds}; the column of
the first table): a change that small means nothing by itself, even where it comes back with each run.

This page is written by `tools/parameter_effects/parameter_effects.py build/release/bin/tcsim`. All runs are compared under `sm.sub_core.issue.hazards=interlock`; the code is
that for the preset.

""".format(seeds=SEEDS)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tcsim", type=pathlib.Path, help="the command")
    parser.add_argument("--only", metavar="PATTERN", default="*", help="parameters whose paths match, as '*.tensor_core.count'; nothing is written")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at a time (all processors)")
    return parser.parse_args()


def parameters_of(tcsim, machine):
    listed = subprocess.run([tcsim, "config", "list", "--json", machine], capture_output=True, text=True, check=True).stdout
    return {each["path"]: each for each in json.loads(listed)}


# Names of what comes with tcsim, of parameters that also take names of a program.
NAMED = {"sm.sub_core.issue.policy": ["greedy_then_youngest", "greedy_then_oldest", "loose_round_robin"]}


def changes_of(parameter):
    """Values to try, by name: each a list, of which the first that the machine takes counts."""
    value, kind = parameter["value"], parameter["type"].removesuffix(" or null")
    if value is None:
        return {}
    if kind == "boolean":
        return {json.dumps(not value): [not value]}
    if parameter["path"] in NAMED:
        return {each: [each] for each in NAMED[parameter["path"]] if each != value}
    if kind == "choice":
        return {each: [each] for each in parameter["choices"] if each != value}
    if kind.startswith("table"):
        return {"knocked out": [{}]} if value else {}
    if kind not in ("unsigned integer", "number"):
        return {}
    if parameter["unit"] == "MHz":
        return {"halved": [value / 2], "doubled": [2 * value]}
    smaller = [each for each in (0, 1, value // 4 if kind != "number" else value / 4, value // 2 if kind != "number" else value / 2) if each < value]
    larger = [2 * value, 4 * value] if value else [1, 2, 8]
    return {"knocked out": smaller, "doubled": larger} if smaller else {"doubled": larger}


def statistics(tcsim, trace, machine, assignments, data):
    """What a run counted; nothing if the machine refuses the change, or the run does not end."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        words = [word for each in assignments for word in ("--set", each)]
        words += [] if data else ["--no-data"]
        done = subprocess.run([tcsim, "run", trace, "--config", machine, "--max-cycles", "2000000", "--stats", file.name, *words],
                              capture_output=True, text=True, cwd=runs.PROJECT)
        return json.load(open(file.name)) if done.returncode in (0, 1) else None


def in_words(value):
    """As behind `--set`."""
    return value if isinstance(value, str) else json.dumps(value)


def mismatches(document):
    return sum(each["mismatches"] for each in document["expect"])


class Effect:
    """What a change of a parameter did to one run."""

    def __init__(self, change, run, before, after, value, spread):
        self.change, self.run, self.value, self.spread = change, run, value, spread
        self.moved = after["cycles"] / before["cycles"] - 1
        self.changes_bits = mismatches(after) != mismatches(before)

    @property
    def is_chance(self):
        return abs(self.moved) <= self.spread

    def text(self):
        if self.is_chance:
            return f"chance ({100 * self.moved:+.1f} %)"
        return f"{100 * self.moved:+.1f} %" if abs(self.moved) >= 0.0005 else f"{100 * self.moved:+.3f} %"


def needs_data(path):
    return ".arithmetic." in path


def may_move(path, run):
    """Whether there is a chance: units that work behind the warps have work in few kernels, and arithmetic is compared where bits are expected."""
    if needs_data(path):
        return pathlib.Path(run.source).is_file()
    is_asynchronous = path.startswith(("sm.tensor_", "sm.warpgroup.", "sm.bulk_copy.", "sm.barrier_unit."))
    return not is_asynchronous or run.source.startswith(("conv", "gemm --instructions wgmma"))


def spread_of(tcsim, trace, machine, own):
    """From the least to the most of runs that differ by chance, of their median."""
    varied = [statistics(tcsim, trace, machine, [*own, f"jitter.seed={seed}"], False) for seed in range(1, SEEDS + 1)]
    cycles = sorted(each["cycles"] for each in varied)
    return (cycles[-1] - cycles[0]) / cycles[SEEDS // 2]


def effects_in(tcsim, folder, pattern, run):
    """The spread of one run, and the effects of all parameters in it."""
    own = [*run.assignments, INTERLOCK]
    set_before = {each.split("=")[0] for each in own}
    parameters = {path: each for path, each in parameters_of(tcsim, run.machine).items()
                  if fnmatch.fnmatch(path, pattern) and path not in set_before and not path.startswith("energy") and may_move(path, run)}
    if not parameters:
        return 0, []
    trace = runs.trace_of(run, tcsim, folder)
    before = {data: statistics(tcsim, trace, run.machine, own, data) for data in {needs_data(path) for path in parameters}}
    if None in before.values():
        raise SystemExit(f"{run.name} does not run on {run.machine}")
    spread = spread_of(tcsim, trace, run.machine, own)
    found = []
    for path, parameter in parameters.items():
        data = needs_data(path)
        for change, values in changes_of(parameter).items():
            for value in values:
                after = statistics(tcsim, trace, run.machine, [*own, f"{path}={in_words(value)}"], data)
                if after is not None and after["status"] == "finished":
                    found.append((path, Effect(change, run, before[data], after, value, spread)))
                    break
    return spread, found


def energies_moved(tcsim, folder, pattern):
    """The parameters of the account of energies that change its sum in some run."""
    account = json.loads(re.sub(r"(?m)^\s*//.*|\s+//.*$", "", ENERGIES.read_text()))["energy"]
    moved = set()
    if not any(fnmatch.fnmatch(f"energy.{key}", pattern) for key in account):
        return moved
    for run in (each for each in runs.ALL if each.name in ("GEMM of 128", "convolution, shift", "GEMM of 128, caches of memory")):
        trace, own = runs.trace_of(run, tcsim, folder), [*run.assignments, INTERLOCK]
        with_energy = [*own, *(f"energy.{key}={json.dumps(value)}" for key, value in account.items())]
        before = statistics(tcsim, trace, run.machine, with_energy, False)
        for key, value in account.items():
            path = f"energy.{key}"
            if before is None or path in moved or not fnmatch.fnmatch(path, pattern):
                continue
            doubled = {each: 2 * amount for each, amount in value.items()} if isinstance(value, dict) else 2 * value
            after = statistics(tcsim, trace, run.machine, [*with_energy, f"{path}={json.dumps(doubled)}"], False)
            if after is not None and after["energy"]["total_nj"] != before["energy"]["total_nj"]:
                moved.add(path)
    return moved


def reasons():
    """By pattern of paths; the last that matches counts."""
    lines = [line for line in REASONS.read_text().splitlines() if line and not line.startswith("#")]
    return [tuple(part.strip() for part in line.split(":", 1)) for line in lines]


def reason_of(path):
    found = [reason for pattern, reason in reasons() if fnmatch.fnmatch(path, pattern)]
    return found[-1] if found else ""


def largest(effects):
    """Of each change the largest effect; one that exceeds chance, if there is any."""
    by_change = {}
    for each in effects:
        known = by_change.get(each.change)
        if each.moved and (known is None or (not each.is_chance, abs(each.moved)) > (not known.is_chance, abs(known.moved))):
            by_change[each.change] = each
    return by_change


def row_of(path, effects, moves_energy):
    told = [f"{in_words(effect.value)}: {effect.text()}" for effect in largest(effects).values()]
    where = [f"{effect.run.name} ({effect.run.machine})" for effect in largest(effects).values()]
    if any(each.changes_bits for each in effects):
        told.append("bits")
        where.append(next(f"{each.run.name} ({each.run.machine})" for each in effects if each.changes_bits))
    if moves_energy:
        told.append("energy")
        where.append("wherever such events are counted")
    places = "; ".join(dict.fromkeys(where))
    return f"| `{path}` | {'; '.join(told) or 'nothing'} | {places if told else reason_of(path)} |"


def room_of(path):
    parts = path.split(".")
    if parts[0] == "sm" and len(parts) > 2:
        return ".".join(parts[: 3 if parts[1] == "sub_core" else 2])
    return parts[0] if len(parts) > 1 else "the machine"


def page_of(rows, spreads):
    text = INTRODUCTION + "| run | machines, with the spread by chance |\n| --- | --- |\n"
    machines = {}
    for run, spread in spreads:
        machines.setdefault(run.name, []).append(f"{run.machine} {100 * spread:.1f} %")
    text += "".join(f"| {name} | {', '.join(dict.fromkeys(of))} |\n" for name, of in machines.items())
    rooms = {}
    for path, row in rows.items():
        rooms.setdefault(room_of(path), []).append(row)
    for room, lines in rooms.items():
        title = room if room == "the machine" else f"`{room}`"
        text += f"\n## {title}\n\n| parameter | moves cycles, bits, energy | where; or why not |\n| --- | --- | --- |\n" + "\n".join(lines) + "\n"
    return text


def measured(tcsim, pattern, jobs):
    """The effects of each parameter, the spread of each run, and the parameters that move energies."""
    effects = {path: [] for path in parameters_of(tcsim, "hopper") if fnmatch.fnmatch(path, pattern)}
    with tempfile.TemporaryDirectory() as folder:
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            spreads = []
            for run, (spread, found) in zip(runs.ALL, pool.map(functools.partial(effects_in, tcsim, folder, pattern), runs.ALL)):
                spreads.append((run, spread))
                for path, effect in found:
                    effects.setdefault(path, []).append(effect)
        return effects, spreads, energies_moved(tcsim, folder, pattern)


def main():
    arguments = parse_arguments()
    effects, spreads, energies = measured(arguments.tcsim.resolve(), arguments.only, arguments.jobs)
    rows = {path: row_of(path, of, path in energies) for path, of in effects.items()}
    unexplained = [path for path, row in rows.items() if row.endswith("| nothing |  |")]
    for path in unexplained:
        print(f"{path} moves nothing, and {REASONS.name} does not say why", file=sys.stderr)
    if arguments.only == "*":
        PAGE.write_text(page_of(rows, spreads))
    else:
        print("\n".join(rows.values()))
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
