# SPDX-License-Identifier: Apache-2.0
"""What can go wrong around a command. Each fault is a generator: it lets it happen once for each value that it yields, which is empty if all
was as it must be, or says what was not and how it came about."""

import gzip
import itertools
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import time
import zlib

from jobs import Job, execute, learn, make_folder, wrong_files, wrong_words

OLDER = b"of an earlier run\n"


class Suite:
    """What all faults need: the command, jobs, a folder, and random numbers of a seed."""

    def __init__(self, tcsim, root, folder, jobs, seed):
        self.tcsim, self.root, self.folder, self.jobs = tcsim, root, folder, jobs
        self.random = random.Random(seed)

    def place(self, job, with_older=False):
        folder = make_folder(job, self.folder / "work")
        for name in job.outputs if with_older else []:
            (folder / name).write_bytes(OLDER)
        return folder

    def run(self, job, folder, **options):
        return execute(self.tcsim, job.arguments, folder, **options)

    def verdict(self, job, folder, outcome, situation, statuses=(0, 2, 3), signals=(), reason=""):
        """What is wrong after a run: `statuses` and `signals` it may end with; `reason`: a pattern of what a failure must say."""
        wrong = wrong_files(job, folder, OLDER, is_interrupted=outcome.status > 128)
        missing = [name for name in job.outputs if not (folder / name).exists() or (folder / name).read_bytes() == OLDER]
        if outcome.status < 0 and -outcome.status in signals:
            pass
        elif words := wrong_words(outcome):
            wrong = f"{words}; {wrong}"
        elif outcome.status not in statuses:
            wrong = f"status {outcome.status}: {outcome.err[-200:]!r}; {wrong}"
        elif outcome.status == 0 and missing:
            wrong = f"status 0 without {missing}; {wrong}"
        elif outcome.status > 1 and reason and not re.search(reason, outcome.err):
            wrong = f"no reason given: {outcome.err[-200:]!r}; {wrong}"
        return f"{job.name}, {situation}: {wrong}" if wrong else ""


def killed(suite):
    """A signal at any time: nothing half is left, nor anything else."""
    while True:
        job = suite.random.choice(suite.jobs)
        number = suite.random.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
        at = suite.random.uniform(0, 1.1 * job.seconds)
        folder = suite.place(job, with_older=suite.random.random() < 0.5)
        outcome = suite.run(job, folder, at=at, action=lambda process: process.send_signal(number))
        yield suite.verdict(job, folder, outcome, f"{signal.Signals(number).name} after {at:.3f} s", statuses=(0, 128 + number), signals=(number,))


def file_too_large(suite):
    """Files may only grow to a size (ulimit -f)."""
    while True:
        job = suite.random.choice(suite.jobs)
        limit = int(max(len(content) for content in job.good.values()) ** suite.random.random())
        folder = suite.place(job)
        outcome = suite.run(job, folder, limits=[(resource.RLIMIT_FSIZE, limit)])
        yield suite.verdict(job, folder, outcome, f"no file above {limit} bytes", statuses=(0, 2), reason="File too large")


def mount(options, folder):
    folder.mkdir(parents=True, exist_ok=True)
    return subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True).returncode == 0


def full_disk(suite):
    """A disk without room for all results. Needs the right to mount one."""
    disk = suite.folder / "disk"
    while True:
        job = suite.random.choice(suite.jobs)
        inputs = sum(pathlib.Path(source).stat().st_size for source in job.inputs.values())
        room = inputs + int(1.1 * sum(len(content) for content in job.good.values()) * suite.random.random())
        if not mount(f"size={max(room, 65536) // 4096 * 4096}", disk):
            return
        try:
            for name, source in job.inputs.items():
                shutil.copyfile(source, disk / name)
            outcome = suite.run(job, disk)
            yield suite.verdict(job, disk, outcome, f"disk of {room} bytes", statuses=(0, 2), reason="No space left")
        except OSError:  # not even room for the inputs
            continue
        finally:
            subprocess.run(["umount", "--lazy", disk], check=True)


def read_only(suite):
    """A folder in which nothing can be made."""
    disk = suite.folder / "read_only"
    for job in suite.jobs:
        is_mounted = mount("size=16m", disk)
        if not is_mounted and os.geteuid() == 0:  # who may write into any folder
            return
        disk.mkdir(parents=True, exist_ok=True)
        for name, source in job.inputs.items():
            shutil.copyfile(source, disk / name)
        if is_mounted:
            subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        else:
            disk.chmod(0o555)
        outcome = suite.run(job, disk)
        if is_mounted:
            found = suite.verdict(job, disk, outcome, "read-only folder", statuses=(2,), reason="Read-only file system")
            subprocess.run(["umount", "--lazy", disk], check=True)
        else:
            found = suite.verdict(job, disk, outcome, "read-only folder", statuses=(2,), reason="Permission denied")
            disk.chmod(0o755)
        yield found


def vanished_input(suite):
    """What the command reads is removed, replaced or cut off while it runs, or is not a file."""
    jobs = [job for job in suite.jobs if job.inputs]

    def change(folder, name, how):
        file = folder / name
        if how == "removed":
            file.unlink()
        elif how == "replaced":
            (folder / "new").write_bytes(b"nonsense\n")
            os.replace(folder / "new", file)
        elif how == "cut off":
            os.truncate(file, int(file.stat().st_size * suite.random.random()))
        elif how == "a folder":
            file.unlink()
            file.mkdir()

    while True:
        job = suite.random.choice(jobs)
        folder = suite.place(job)
        name = suite.random.choice(list(job.inputs))
        how = suite.random.choice(["removed", "replaced", "cut off", "a folder"])
        at = suite.random.choice([0, suite.random.uniform(0, job.seconds)])
        if at == 0:
            change(folder, name, how)
            outcome = suite.run(job, folder)
        else:
            outcome = suite.run(job, folder, at=at, action=lambda process: change(folder, name, how))
        yield suite.verdict(job, folder, outcome, f"{name} {how} after {at:.3f} s", statuses=(0, 2), reason=re.escape(name))


def unpacks_to(content, damaged):
    """Whether damaged gzip data hold the same all the same: some bits of its head are not read, and a copy may come from another place."""
    try:
        return gzip.decompress(damaged) == content
    except (OSError, EOFError, zlib.error):
        return False


def damaged_input(suite):
    """Bits of an input are flipped, or its end is missing. What has a checksum (packed and compressed traces) must be refused."""
    pack = next(job for job in suite.jobs if job.name == "run packed")
    text = next(job for job in suite.jobs if job.name == "run")
    trace = pathlib.Path(text.inputs["product.trace"]).read_bytes()
    packed = pathlib.Path(pack.inputs["product.tct"]).read_bytes()
    gz = gzip.compress(trace, 5)
    whole = suite.folder / "product.trace.gz"
    whole.write_bytes(gz)
    compressed = Job("run .gz", ["run", whole.name, "--config", "turing", "--stats", "s.json"], {whole.name: whole}, ["s.json"])
    learn(suite.tcsim, compressed, suite.folder / "learn")
    while True:
        job, name, content = suite.random.choice([(pack, "product.tct", packed), (compressed, "product.trace.gz", gz), (text, "product.trace", trace)])
        damaged = bytearray(content)
        if suite.random.random() < 0.5:
            damaged = damaged[: suite.random.randrange(len(damaged))]
            how = f"cut off after {len(damaged)} bytes"
        else:
            bit = suite.random.randrange(8 * len(damaged))
            damaged[bit // 8] ^= 1 << bit % 8
            how = f"bit {bit} flipped"
        folder = suite.place(job)
        (folder / name).write_bytes(damaged)
        if job is text:  # may be another legal trace: it must end as one
            outcome = execute(suite.tcsim, ["run", name, "--config", "turing", "--max-cycles", "3000000"], folder)
            yield f"{job.name}, {how}: {words}" if (words := wrong_words(outcome)) else ""
            continue
        outcome = suite.run(job, folder)
        statuses = (2,)
        if job is compressed and unpacks_to(trace, damaged):
            statuses = (0,)
        elif job is pack and outcome.status == 0:  # lines behind the header, which no step gives back, are not needed to run
            statuses = (0,) if execute(suite.tcsim, ["trace", "check", name], folder).status == 2 else ()
        (folder / name).unlink()
        yield suite.verdict(job, folder, outcome, how, statuses=statuses, reason=re.escape(name))


def least_memory(suite):
    """MiB of address space in which the program begins: libraries are loaded, and have what they need for themselves."""

    def begins(mebibytes):
        return execute(suite.tcsim, ["--version"], suite.folder, limits=[(resource.RLIMIT_AS, mebibytes << 20)]).status == 0

    return next(mebibytes for mebibytes in range(8, 4096) if begins(mebibytes))


def out_of_memory(suite):
    """An address space that is too small (ulimit -v), from that of the program alone to enough; mostly little more than that, where there is
    too little for what the libraries of the program take for themselves."""
    least = least_memory(suite)
    while True:
        job = suite.random.choice(suite.jobs)
        limit = int(least * suite.random.uniform(1, suite.random.choice([1.4, 1.4, 4])) * 1024)
        folder = suite.place(job)
        outcome = suite.run(job, folder, limits=[(resource.RLIMIT_AS, limit << 10)])
        yield suite.verdict(job, folder, outcome, f"{limit} KiB of memory", statuses=(0, 3), reason="out of memory")


def lost_output(suite):
    """stdout is full, closed, or a pipe that nobody reads."""
    for how in itertools.cycle(["full", "closed", "nobody reads"]):
        job = suite.random.choice([job for job in suite.jobs if job.name in ("run", "gemm", "run packed")])
        folder = suite.place(job)
        if how == "full":
            with open("/dev/full", "wb") as full:
                outcome = suite.run(job, folder, stdout=full)
            yield suite.verdict(job, folder, outcome, "stdout full", statuses=(2,), reason="stdout.*No space left")
        elif how == "closed":
            line = " ".join([f"'{suite.tcsim}'", *(f"'{word}'" for word in job.arguments), ">&-", "<&-"])
            outcome = execute("/bin/sh", ["-c", line], folder)
            yield suite.verdict(job, folder, outcome, "stdout closed", statuses=(2,), reason="stdout.*Bad file descriptor")
        else:
            read_end, write_end = os.pipe()
            os.close(read_end)
            outcome = suite.run(job, folder, stdout=write_end)
            os.close(write_end)
            yield suite.verdict(job, folder, outcome, "stdout that nobody reads", statuses=(), signals=(signal.SIGPIPE,))


SWEEP = {
    "base": "turing",
    "workloads": [{"name": "small", "gemm": {"size": 32}}],
    "axes": [
        {"path": "sm.sub_core.tensor_core.dot_product_units", "name": "units", "values": [1, 2, 4]},
        {"path": "sm.sub_core.register_file.banks", "name": "banks", "values": [1, 2]},
    ],
    "metrics": ["cycles"],
}


def sweep_results(file):
    """Of each point its values and cycles; None if the file holds no results."""
    try:
        with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as database:
            return database.execute("SELECT units, banks, cycles FROM results ORDER BY number").fetchall()
    except sqlite3.Error as error:
        return str(error)


def sweeps(suite):
    """Sweeps that are killed and taken up again, and two that write one file of results."""
    folder = suite.folder / "sweep"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "sweep.json").write_text(json.dumps(SWEEP))
    whole = execute(suite.tcsim, ["sweep", "sweep.json", "-o", "good.sqlite", "-j", "2"], folder)
    good = sweep_results(folder / "good.sqlite")
    if whole.status != 0 or not good or any(row[2] is None for row in good):
        yield f"a sweep that nothing disturbs: status {whole.status}: {whole.err[-300:]}, {good}"
        return
    line = ["sweep", "sweep.json", "-o", "r.sqlite", "-j", "2"]
    while True:
        for file in folder.glob("r.sqlite*"):
            file.unlink()
        if suite.random.random() < 0.5:
            number = suite.random.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
            at = suite.random.uniform(0, 1.1 * whole.seconds)
            execute(suite.tcsim, line, folder, at=at, action=lambda process: process.send_signal(number))
            again = [*line, "--resume"] if (folder / "r.sqlite").exists() else line
            outcome = execute(suite.tcsim, again, folder)
            results = sweep_results(folder / "r.sqlite")
            situation = f"sweep, {signal.Signals(number).name} after {at:.3f} s and taken up again"
            is_right = outcome.status == 0 and results == good
            yield "" if is_right else f"{situation}: status {outcome.status}: {outcome.err[-200:]!r}, {results}"
        else:
            first = subprocess.Popen([suite.tcsim, *line], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            time.sleep(suite.random.uniform(0, whole.seconds))
            second = execute(suite.tcsim, line, folder)
            error = first.communicate()[1].decode()
            results = sweep_results(folder / "r.sqlite")
            statuses = sorted([first.returncode, second.status])
            is_right = statuses in ([0, 0], [0, 2]) and results == good
            yield "" if is_right else f"two sweeps on one file: statuses {statuses}: {error[-200:]!r} {second.err[-200:]!r}, {results}"


def clock_jump(suite):
    """The time of day jumps by years, back and forth, while the command runs. Needs faketime."""
    if shutil.which("faketime") is None:
        return
    library = subprocess.run(["faketime", "now", "printenv", "LD_PRELOAD"], capture_output=True, text=True).stdout.strip()
    clock = suite.folder / "clock"

    def jump(process):
        while process.poll() is None:
            clock.write_text(suite.random.choice(["-20y", "+5y", "-1d", "+0"]))
            time.sleep(0.02)

    while True:
        clock.write_text("+0")
        environment = dict(os.environ, LD_PRELOAD=library, FAKETIME_TIMESTAMP_FILE=str(clock), FAKETIME_NO_CACHE="1", DONT_FAKE_MONOTONIC="1")
        job = suite.random.choice(suite.jobs)
        folder = suite.place(job)
        outcome = suite.run(job, folder, at=0.01, action=jump, environment=environment)
        found = suite.verdict(job, folder, outcome, "the clock jumps", statuses=(0,))
        for name in job.outputs if not found else []:
            if name.endswith(".json") and json.loads((folder / name).read_bytes()).get("host", {}).get("seconds", 1) < 0:
                found = f"{job.name}: the run took less than no time"
        yield found


ALL = [killed, file_too_large, full_disk, read_only, vanished_input, damaged_input, out_of_memory, lost_output, sweeps, clock_jump]
