# SPDX-License-Identifier: Apache-2.0
"""Commands with files as results, and what these must be."""

import dataclasses
import json
import re
import resource
import shutil
import signal
import subprocess
import time

TIME_LIMIT = 120  # seconds; what takes longer hangs


@dataclasses.dataclass
class Job:
    """A command line in a folder with inputs, and the files that it makes there."""

    name: str
    arguments: list
    inputs: dict  # name in the folder: file to copy
    outputs: list
    good: dict = dataclasses.field(default_factory=dict)  # content of each output, of a run that nothing disturbed
    seconds: float = 0  # that such a run takes


@dataclasses.dataclass
class Outcome:
    status: int  # exit status, or minus the signal
    out: str
    err: str
    seconds: float


def comparable(name, content):
    """Without what differs between two runs of the same: the time they took."""
    if name.endswith(".json"):
        try:
            document = json.loads(content)
        except ValueError:
            return content
        if isinstance(document, dict):
            document.pop("host", None)
        return json.dumps(document, sort_keys=True).encode()
    if name.endswith(".html"):
        return b"whole" if content.rstrip().endswith(b"</html>") else content
    return content


def execute(tcsim, arguments, folder, limits=(), stdout=subprocess.PIPE, at=None, action=None, environment=None):
    """Runs the command. `limits`: pairs for setrlimit. After `at` seconds calls action(process)."""

    def prepare():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for what, bytes_of_it in limits:
            resource.setrlimit(what, (bytes_of_it, bytes_of_it))

    begin = time.monotonic()
    with subprocess.Popen(
        [tcsim, *arguments], cwd=folder, stdout=stdout, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, preexec_fn=prepare, env=environment
    ) as process:
        if at is not None:
            try:
                process.wait(at)
            except subprocess.TimeoutExpired:
                action(process)
        try:
            out, err = process.communicate(timeout=TIME_LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            err += b"\nhangs"
    return Outcome(process.returncode, (out or b"").decode(errors="replace"), err.decode(errors="replace"), time.monotonic() - begin)


def make_folder(job, folder):
    """An empty folder with the job's inputs."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, source in job.inputs.items():
        shutil.copyfile(source, folder / name)
    return folder


def learn(tcsim, job, folder):
    """Runs a job undisturbed, and keeps what it makes."""
    make_folder(job, folder)
    outcome = execute(tcsim, job.arguments, folder)
    if outcome.status != 0:
        raise SystemExit(f"{job.name}: status {outcome.status} without any fault: {outcome.err}")
    job.seconds = outcome.seconds
    job.good = {name: comparable(name, (folder / name).read_bytes()) for name in job.outputs}


def make_jobs(tcsim, root, folder):
    """The jobs of the suite, learned. `root`: of the checkout; `folder`: for what they read and make."""
    traces = root / "traces"
    sources = folder / "sources"
    sources.mkdir(parents=True, exist_ok=True)

    def make(arguments, name):
        made = execute(tcsim, [*arguments, "-o", str(sources / name)], folder)
        if made.status != 0:
            raise SystemExit(f"cannot make {name}: {made.err}")
        return sources / name

    product = make(["gemm", "--config", "turing", "--size", "128"], "product.trace")
    packed = make(["trace", "pack", str(product)], "product.tct")
    run = ["run", "product.trace", "--config", "turing"]
    recordings = ["--stats", "s.json", "--vcd", "w.vcd", "--timeline", "t.json", "--konata", "k.log", "--dump", "global:0x100000:4096:d.bin"]
    jobs = [
        Job("run", [*run, *recordings], {"product.trace": product}, ["s.json", "w.vcd", "t.json", "k.log", "d.bin"]),
        Job("run packed", ["run", "product.tct", "--config", "turing", "--stats", "s.json"], {"product.tct": packed}, ["s.json"]),
        Job("gemm", ["gemm", "--config", "hopper", "--size", "128", "--stats", "s.json", "--csv", "g.csv"], {}, ["s.json", "g.csv"]),
        Job("gemm -o", ["gemm", "--config", "turing", "--size", "256", "-o", "g.trace"], {}, ["g.trace"]),
        Job("pack", ["trace", "pack", "product.trace", "-o", "p.tct"], {"product.trace": product}, ["p.tct"]),
        Job("unpack", ["trace", "unpack", "product.tct", "-o", "p.trace.xz"], {"product.tct": packed}, ["p.trace.xz"]),
    ]
    for job in jobs:
        learn(tcsim, job, folder / "learn")
    report = Job("report", ["report", "s.json", "-o", "r.html"], {"s.json": sources / "s.json"}, ["r.html"])
    execute(tcsim, ["run", str(product), "--config", "turing", "--stats", str(sources / "s.json")], folder)
    learn(tcsim, report, folder / "learn")
    return [*jobs, report]


def replaces(name, job, folder, older):
    """Whether a file is a whole result that was to replace an older one when its process was killed."""
    result = re.sub(r"\.\d+_\d+$", "", name)
    if result == name or result not in job.outputs or older is None or not (folder / result).exists():
        return False
    return (folder / result).read_bytes() == older and comparable(result, (folder / name).read_bytes()) == job.good[result]


def is_whole_part(name, content):
    """Whether a file is what a run that was interrupted leaves: of its cycles until then, but as whole as any other."""
    if name.endswith(".json"):
        try:
            document = json.loads(content)
        except ValueError:
            return False
        return "traceEvents" in document or document.get("status") == "interrupted"
    return content.startswith(b"$") if name.endswith(".vcd") else len(content) > 0


def wrong_files(job, folder, older=None, is_interrupted=False):
    """What is wrong with the files of a folder after a run that may have failed: each output must be absent, whole or, if there was one
    before, that; and there must be no others. In words; empty if nothing is."""
    wrong = []
    for file in sorted(folder.rglob("*")):
        name = str(file.relative_to(folder))
        if name in job.inputs:
            continue
        if name not in job.outputs and replaces(name, job, folder, older):
            continue
        if name not in job.outputs:
            wrong.append(f"{name} is left behind")
        elif (content := file.read_bytes()) == older or (is_interrupted and is_whole_part(name, content)):
            continue
        elif comparable(name, content) != job.good[name]:
            wrong.append(f"{name} is neither absent nor right: {len(content)} bytes")
    return "; ".join(wrong)


def wrong_words(outcome):
    """What is wrong with how a run ended: it must be an exit status of the command, and a failure must say why."""
    if outcome.err.endswith("hangs"):
        return f"it hangs: ended after {outcome.seconds:.0f} s"
    if outcome.status < 0:
        return f"killed by {signal.Signals(-outcome.status).name}: {outcome.err[-200:]}"
    if outcome.status not in (0, 1, 2, 3) and outcome.status - 128 not in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        return f"status {outcome.status}: {outcome.err[-200:]}"
    if outcome.status > 1 and not re.search(r"^tcsim: \S", outcome.err, re.MULTILINE):
        return f"status {outcome.status} without a reason: {outcome.err[-200:]!r}"
    if "internal error" in outcome.err:
        return outcome.err[-200:]
    return ""
