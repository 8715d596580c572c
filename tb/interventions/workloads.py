# SPDX-License-Identifier: Apache-2.0
"""The workloads of interventions: a trace and a machine each. Those of tb/perf/golden.sh, and random machines on the same traces."""

import dataclasses
import functools
import json
import lzma
import pathlib
import random
import re
import shlex
import subprocess

PROJECT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = PROJECT / "tb" / "perf" / "golden.sh"
PRESETS = ("volta", "turing", "turing_geforce", "collectors", "four_banks", "ampere", "ada", "hopper", "blackwell")
# Options of a command that change neither its code nor its cycles, with the number of words behind each.
WITHOUT_EFFECT = {"--stats-interval": 1, "--pictures": 0, "--vcd": 1, "--timeline": 1, "--konata": 1, "--dump": 1}
# What random machines change, and to what; "x2" is a factor of the preset's value.
CHANGES = {
    "sms": (1, 2, 4),
    "sm.max_ctas": (1, 2, 4),
    "sm.sub_core.issue.policy": ("greedy_then_oldest", "loose_round_robin"),
    "sm.sub_core.fetch.ideal": ("false",),
    "sm.sub_core.register_file.read_ports": ("x2", "x4"),
    "sm.sub_core.register_file.write_ports": ("x2",),
    "sm.sub_core.tensor_core.dot_product_units": ("x0.5", "x2", "x4"),
    "sm.sub_core.tensor_core.operand_bus.a_registers_per_cycle": ("x0.5", "x2"),
    "sm.sub_core.tensor_core.operand_bus.c_registers_per_cycle": ("x0.5", "x2"),
    "sm.sub_core.tensor_core.a_buffer.depth_tiles": (1, 4),
    "sm.sub_core.tensor_core.adder_stages": ("x2", 1),
    "sm.sub_core.load_store.queue_entries": (1, "x2"),
    "sm.sub_core.load_store.shared_pipeline_cycles": ("x2", 1),
    "sm.sub_core.pipes.integer.lanes": ("x0.5", 32),
    "sm.sub_core.pipes.fp32.lanes": ("x0.5", 32),
    "sm.sub_core.pipes.integer.latency_cycles": ("x2", "x4"),
    "sm.shared_memory.wavefront_cycles": (1, "x2", "x4"),
    "sm.shared_memory.banks": ("x0.5", "x2"),
    "sm.bulk_copy.load.bytes_per_cycle": ("x0.5", "x2"),
    "sm.tensor_engine.outputs_per_cycle": ("x0.5", "x2"),
    "global_memory.hierarchy.enabled": ("true", "false"),
    "global_memory.latency_cycles": (50, "x0.5", "x2", "x4"),
    "global_memory.hierarchy.l2_miss_cycles": ("x0.5", "x2"),
}


@dataclasses.dataclass(frozen=True)
class Workload:
    name: str
    trace: pathlib.Path
    machine: str
    assignments: tuple = ()


def run(tcsim, *words, folder=None):
    return subprocess.run([tcsim, *map(str, words)], cwd=folder, capture_output=True, text=True)


def golden_commands(folder):
    lines = subprocess.run([GOLDEN, "list"], cwd=folder, capture_output=True, text=True, check=True).stdout.splitlines()
    return list(dict.fromkeys(lines))


def without_recordings(words):
    kept, skip = [], 0
    for word in words:
        if skip:
            skip -= 1
        elif word in WITHOUT_EFFECT:
            skip = WITHOUT_EFFECT[word]
        else:
            kept.append(word)
    return kept


def taken_out(words, option):
    """The values of an option that may be repeated, and the other words."""
    values, others, words = [], [], iter(words)
    for word in words:
        (values if word == option else others).append(next(words) if word == option else word)
    return values, others


class Golden:
    """Makes traces of the golden runs in a folder, each once."""

    def __init__(self, tcsim, folder):
        self.tcsim, self.folder, self.made = tcsim, pathlib.Path(folder), {}
        subprocess.run([GOLDEN, "folder", self.folder], check=True)

    def accepts(self, trace, machine, assignments):
        settings = [word for each in assignments for word in ("--set", each)]
        return run(self.tcsim, "run", trace, "--config", machine, "--no-data", "--max-cycles", 1, *settings).returncode != 2

    def trace_of(self, words, machine, assignments):
        key = (*words, machine)
        if key not in self.made:
            trace = self.folder / f"made_{len(self.made)}.trace"
            settings = [word for each in assignments for word in ("--set", each)]
            done = run(self.tcsim, *words, "--config", machine, *settings, "-o", trace, folder=self.folder)
            self.made[key] = trace if done.returncode == 0 else None
        return self.made[key]

    def workloads(self, count=None, seed=1):
        """Of the commands that run, or of so many of them; a machine refuses traces and precisions of others. Commands that differ in
        recordings are one."""
        found = {}
        commands = golden_commands(self.folder)
        if count is not None:
            random.Random(seed).shuffle(commands)
        for command in commands:
            if len(found) == count:
                break
            (machine, *_), words = taken_out(without_recordings(shlex.split(command)), "--config")
            assignments, words = taken_out(words, "--set")
            if words[0] == "run":
                traces = [self.folder / word for word in words[1:]]
            elif "both" in words or any("," in word for word in words):
                continue  # several commands of the list in one
            else:
                traces = [self.trace_of(words, machine, assignments)]
            name = " ".join([*words, machine, *assignments])
            if len(traces) == 1 and traces[0] is not None and self.accepts(traces[0], machine, assignments):
                found[name] = Workload(name, traces[0], machine, tuple(assignments))
        return list(found.values())


def changed(value, to):
    """A value of a parameter after a change; nothing if it has none to change, or had it before."""
    if isinstance(to, str) and to.startswith("x"):
        if not isinstance(value, int) or value == 0:
            return None
        to = int(value * float(to[1:]))
    return None if to == 0 or str(to).lower() == str(value).lower() else to


def value_at(configuration, path):
    for key in path.split("."):
        configuration = configuration.get(key) if isinstance(configuration, dict) else None
    return configuration


def random_workloads(tcsim, golden, count, seed):
    """Machines of one to four changes, drawn anew until one accepts its trace."""
    draw = random.Random(seed)
    configuration_of = functools.lru_cache(None)(lambda machine: json.loads(run(tcsim, "config", "show", machine).stdout))
    while count > 0:
        base = draw.choice(golden)
        configuration = configuration_of(base.machine)
        assignments = dict(each.split("=", 1) for each in base.assignments)
        for path in draw.sample(sorted(CHANGES), draw.randint(1, 4)):
            value = changed(value_at(configuration, path), draw.choice(CHANGES[path]))
            if value is not None:
                assignments[path] = str(value)
        settings = [f"{path}={value}" for path, value in assignments.items()]
        words = [word for each in settings for word in ("--set", each)]
        if run(tcsim, "run", base.trace, "--config", base.machine, "--no-data", *words).returncode in (0, 1):
            yield Workload(f"random {seed}.{count}: {base.name} {' '.join(settings)}", base.trace, base.machine, tuple(settings))
            count -= 1


def without_control_codes(trace, folder):
    """The same code as if no compiler had scheduled it: the scoreboard finds what waits for what. Memory has no contents."""
    made = pathlib.Path(folder) / f"scheduled_by_the_scoreboard_{abs(hash(str(trace)))}.trace"
    if not made.exists():
        data = lzma.open(trace, "rt").read() if trace.suffix == ".xz" else trace.read_text()
        data = re.sub(r"(?m)^(/\*[0-9a-f]+\*/) \[[^\]]*\]", r"\1", data)
        data = re.sub(r"(?m)^(memory .*) file .*$", r"\1 zero", data)
        made.write_text(re.sub(r"(?m)^expect .*\n", "", data))
    return made
