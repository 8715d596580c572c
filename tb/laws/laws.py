#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether runs of machines that do not exist keep the laws of docs/reliability.md: draws configurations and small workloads, runs them, and
reports what broke a law or made the model contradict itself. `tcsim` checks the laws itself at the end of each run. Prints how many runs
there were, and each finding with the command that repeats it; exit status 1 if there are any."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PRESETS = ("volta", "turing", "turing_geforce", "ampere", "ada", "hopper", "blackwell", "collectors", "four_banks")
MODEL_STOPPED, SECONDS = 3, 120
KEPT = re.compile(r"^(name|architectures|clock_mhz|sms|units|energy|global_memory\.(max_bytes|peak)|sm\.sub_cores)|arithmetic|opcode_")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tcsim", type=pathlib.Path, help="the command")
    parser.add_argument("--runs", type=int, default=2000, help="runs that the model did not refuse (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the draws (%(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at a time (all processors)")
    parser.add_argument("--traces", type=pathlib.Path, nargs="*", default=[], help="traces besides those that are shipped")
    return parser.parse_args()


def configuration(tcsim, preset):
    return json.loads(subprocess.run([tcsim, "config", "show", preset], capture_output=True, text=True, check=True).stdout)


def parameters_of(document):
    """Numbers and truth values of a configuration by path, but for those that only say what it is or what it computes."""
    found = {}

    def walk(value, path):
        if isinstance(value, dict):
            for name, member in value.items():
                walk(member, f"{path}.{name}" if path else name)
        elif isinstance(value, (bool, int)) and not KEPT.search(path):
            found[path] = value

    walk(document, "")
    return found


def changed(draw, value):
    """Another value of a parameter, near the old one or far from it."""
    if isinstance(value, bool):
        return not value
    return draw.choice([max(0, value - 1), value + 1, value // 2, value * 2, value * 4, 1])


def assignments(draw, parameters):
    """Some parameters with new values, and few SMs."""
    yield f"sms={draw.choice([1, 2, 4])}"
    if draw.random() < 0.5:
        yield "global_memory.hierarchy.enabled=" + draw.choice(["true", "false"])
    if draw.random() < 0.5:
        yield "sm.sub_core.operand_fetch.collector_units=" + str(draw.choice([0, 2, 4]))
    for path in draw.sample(sorted(parameters), draw.choice([0, 1, 2, 4, 8])):
        value = changed(draw, parameters[path])
        yield f"{path}={json.dumps(value)}"


def traces_of(architectures, extra):
    """Shipped traces that a machine runs."""
    shipped = sorted((ROOT / "traces").glob("*/kernel.trace*"))
    return [trace for trace in shipped if trace.parent.name.split(".")[0] in architectures] + list(extra)


def workload(draw, preset, traces):
    """The words of a run that is over in seconds."""
    kinds = ["gemm"] if preset != "blackwell" else []
    if traces:
        kinds.append("run")
    if preset == "hopper":
        kinds.append("wgmma")
    if preset == "blackwell":
        kinds += ["conv"] * 2
    kind = draw.choice(kinds)
    if kind == "run":
        return ["run", str(draw.choice(traces))]
    if kind == "conv":
        return ["conv", "--height", str(draw.randint(3, 14)), "--width", str(draw.randint(3, 14)), "--channels",
                str(draw.choice([16, 40, 64])), "--filters", str(draw.choice([16, 64])), "--filter-height", str(draw.randint(1, 3)),
                "--filter-width", str(draw.randint(1, 3)), "--padding", "1", "--method", draw.choice(["im2col", "shift"])]
    sizes = ["-m", str(draw.choice([64, 128])), "-n", str(draw.choice([32, 64, 128])), "-k", str(draw.choice([32, 64, 200]))]
    if kind == "wgmma":
        return ["gemm", "--instructions", "wgmma", *sizes, "--precision", draw.choice(["mixed", "f16", "bf16", "s8"])]
    return ["gemm", *sizes, "--precision", draw.choice(["mixed", "f16", "s8"]), *draw.choice([[], ["--single-buffer"]])]


MIXED = {
    "hopper": "gemm --config hopper --instructions wgmma -m 64 -n 128 -k 256",
    "blackwell": "conv --config blackwell --height 6 --width 6 --channels 64 --filters 64 --filter-height 3 --filter-width 3 --padding 1 "
    "--method shift",
}


def mixed_trace(tcsim, preset, folder):
    """A kernel for the tensor cores of an SM, beside whose warps others multiply by themselves: instructions of two kinds want one tensor
    core."""
    path = folder / f"{preset}.trace"
    subprocess.run([tcsim, *MIXED[preset].split(), "-o", path], check=True, capture_output=True)
    head, first, ctas = path.read_text().partition("\ncta ")
    threads = int(re.search(r"^block (\d+) ", head, re.MULTILINE).group(1))
    more = ""
    for warp in range(threads // 32, threads // 32 + 4):
        more += f"warp {warp}\n"
        more += "".join(f"/*{16 * i:04x}*/ HMMA.16816.F32 R{20 + i % 3 * 4}, R0, R8, R{20 + i % 3 * 4}\n" for i in range(300))
        more += "/*f000*/ EXIT\n"
    head = re.sub(r"^block \d+ ", f"block {threads + 128} ", head, flags=re.MULTILINE)
    path.write_text(head + "".join(f"\ncta {cta.rstrip()}\n{more.rstrip()}" for cta in ctas.split("\ncta ")) + "\n")
    return path


def draw_run(draw, all_parameters, all_traces, mixed):
    preset = draw.choice(PRESETS)
    words = [*workload(draw, preset, all_traces[preset]), "--config", preset]
    if preset in mixed and draw.random() < 0.3:
        words = ["run", str(mixed[preset]), "--config", preset]
    if draw.random() < 0.5:
        words.append("--no-data")
    if draw.random() < 0.1:
        words += ["--max-cycles", str(draw.randint(1, 5000))] if words[0] == "run" else ["--jobs", "2"]
    for assignment in assignments(draw, all_parameters[preset]):
        words += ["--set", assignment]
    return words


def run(tcsim, words):
    """The exit status and what was said; no status if it took too long."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run([tcsim, *words], cwd=folder, capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return None, ""
    return done.returncode, done.stderr


def is_finding(status, said):
    """A law, an assertion, or a signal; a kernel that waits for ever on a machine that nobody could build is none."""
    return status is not None and (status < 0 or "/tc/accounting/law" in said or "assertion" in said or "internal error" in said)


def main():
    arguments = parse_arguments()
    tcsim = arguments.tcsim.resolve()
    extra = [trace.resolve() for trace in arguments.traces]
    draw = random.Random(arguments.seed)
    documents = {preset: configuration(tcsim, preset) for preset in PRESETS}
    parameters = {preset: parameters_of(document) for preset, document in documents.items()}
    traces = {preset: traces_of(document["architectures"], extra) for preset, document in documents.items()}
    counts = {"kept": 0, "stopped": 0, "refused": 0, "too long": 0}
    findings = []
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        mixed = {preset: mixed_trace(tcsim, preset, pathlib.Path(name)) for preset in MIXED}
        while counts["kept"] + len(findings) < arguments.runs:
            batch = [draw_run(draw, parameters, traces, mixed) for _ in range(min(200, arguments.runs - counts["kept"] - len(findings)))]
            for words, (status, said) in zip(batch, pool.map(lambda words: run(tcsim, words), batch)):
                if is_finding(status, said):
                    findings.append(words)
                    print(f"{said.strip()}\n  {tcsim} {shlex.join(words)}", flush=True)
                else:
                    what = {0: "kept", 1: "kept", MODEL_STOPPED: "stopped", None: "too long"}.get(status, "refused")
                    counts[what] += 1
    print(f"laws: {counts['kept'] + len(findings)} runs, {len(findings)} broke a law; besides, {counts['refused']} machines or runs were "
          f"refused, {counts['stopped']} were cut off or waited for ever, {counts['too long']} took longer than {SECONDS} s")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
