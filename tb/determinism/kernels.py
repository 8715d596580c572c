# SPDX-License-Identifier: Apache-2.0
"""What runs in every variant, and what must be the same in all of them."""

import dataclasses
import gzip
import json
import lzma
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys

TB = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(TB / "faults"), str(TB / "perf")]
from benchmarks import awk  # noqa: E402
from jobs import execute, wrong_words  # noqa: E402

FORMS = ("text", ".xz", ".gz", "packed")
SUFFIX = {"text": "", ".xz": ".xz", ".gz": ".gz", "packed": ".tct"}
FLAT = ["--set", "global_memory.hierarchy.enabled=false"]  # without it, SMs that share a cache run in one process
RECORDINGS = ["--vcd", "waves.vcd", "--timeline", "timeline.json", "--konata", "log.kanata", "--stats-interval", "50", "--pictures"]


@dataclasses.dataclass(frozen=True)
class Variant:
    """One way to run a kernel. Of the first of all variants the results are those that the others are compared with."""

    binary: pathlib.Path
    instructions: str  # that vectors are computed with (TCSIM_INSTRUCTION_SET)
    processes: int = 1
    form: str = "text"  # of the trace
    recorded: bool = False
    surroundings: str = "as they are"
    values: bool = True  # False: only time passes (--no-data), and only that must be the same

    def words(self):
        """By axis."""
        return {
            "binary": str(self.binary),
            "instructions of the host": self.instructions,
            "processes": str(self.processes),
            "trace": self.form,
            "recordings": "all" if self.recorded else "none",
            "surroundings": self.surroundings,
            "values": "computed" if self.values else "none",
        }


def memory_of(prepared):
    """The parts of global memory that the trace describes, as for --dump."""
    regions = re.findall(r"^memory (\w+) (\w+)", (prepared / "kernel.trace").read_text(), re.MULTILINE)
    return [f"global:{base}:{size}" for base, size in dict(regions).items()]


def without_host(document):
    """Statistics without what differs from run to run, or names the build."""
    for key in ("host", "tcsim"):
        document.pop(key, None)
    return document


class Kernel:
    """A kernel of which `make`, a command that writes a trace, makes the trace; `options` are those of its run. `processes`: the machine lets
    its SMs run in several, and of such runs there are neither recordings nor dumps. `quick`: it is one of the short form too."""

    def __init__(self, name, make, options, processes=(1,), quick=False):
        self.name, self.make, self.options, self.processes, self.quick = name, make, options, processes, quick
        self.forms, self.may_record, self.has_time = FORMS, len(processes) == 1, True

    def prepare(self, binary, folder):
        """Writes the trace in each form. Returns what cannot be; empty if all is well."""
        folder.mkdir(parents=True)
        trace = folder / "kernel.trace"
        if self.make[0] == "awk":
            with open(trace, "wb") as out:
                subprocess.run(self.make, check=True, stdout=out)
        elif error := failure(execute(binary, [*self.make, "-o", trace], folder)):
            return error
        content = trace.read_bytes()
        (folder / "kernel.trace.xz").write_bytes(lzma.compress(content, preset=0))
        (folder / "kernel.trace.gz").write_bytes(gzip.compress(content, 1, mtime=0))
        return failure(execute(binary, ["trace", "pack", trace, "-o", folder / "kernel.trace.tct"], folder))

    def run(self, variant, prepared, folder, environment):
        """Results of a run by name, and the instructions that it says it used."""
        trace = prepared / f"kernel.trace{SUFFIX[variant.form]}"
        words = ["run", trace, *self.options, "--stats", "s.json", *(RECORDINGS if variant.recorded else [])]
        if not variant.values:
            words += ["--no-data"]
        elif self.may_record:
            words += [word for number, region in enumerate(memory_of(prepared)) for word in ("--dump", f"{region}:memory{number}.bin")]
        if len(self.processes) > 1:
            words += ["--jobs", str(variant.processes)]
        outcome = execute(variant.binary, words, folder, environment=environment)
        if words := failure(outcome):
            return {"exit status": f"{outcome.status}: {words}".encode()}, variant.instructions
        results = {file.name: file.read_bytes() for file in sorted(folder.iterdir())}
        document = json.loads(results.pop("s.json"))
        cycles = {"cycles": f"{document['cycles']} cycles, {document['instructions']} instructions".encode()}
        if not variant.values:
            return cycles, variant.instructions
        used = document.get("host", {}).get("instruction_set", "unknown")
        for key in ("series", "pictures"):
            if key in document:
                results[key] = json.dumps(document.pop(key), sort_keys=True).encode()
        results["statistics"] = json.dumps(without_host(document), sort_keys=True).encode()
        results |= cycles | {"exit status": str(outcome.status).encode(), "report": outcome.out.encode()}
        for name in results:
            if not name.endswith(".bin"):
                results[name] = results[name].replace(str(trace).encode(), b"kernel.trace")
        return results, used


class Trace(Kernel):
    """A recorded trace of the tree, which stands there with its data."""

    def __init__(self, name, *options, **more):
        super().__init__(name, None, list(options), **more)
        self.forms = ("text", "packed")

    def prepare(self, binary, folder):
        shutil.copytree(TB.parent / "traces" / self.name, folder)
        return failure(execute(binary, ["trace", "pack", "kernel.trace", "-o", "kernel.trace.tct"], folder))


class Command(Kernel):
    """A subcommand without a trace, which writes its results into files. All that its report says of time is left out."""

    def __init__(self, name, words, processes=(1,), jobs_option=None, quick=False):
        super().__init__(name, None, words, processes, quick=quick)
        self.forms, self.may_record, self.has_time, self.jobs_option = ("text",), False, False, jobs_option

    def prepare(self, binary, folder):
        folder.mkdir(parents=True)
        return ""

    def run(self, variant, prepared, folder, environment):
        words = [*self.options, *([self.jobs_option, str(variant.processes)] if self.jobs_option else [])]
        outcome = execute(variant.binary, words, folder, environment=environment)
        if words := failure(outcome):
            return {"exit status": f"{outcome.status}: {words}".encode()}, variant.instructions
        results = {file.name: content_of(file) for file in sorted(folder.iterdir())}
        report = re.sub(r"\d+:\d\d(:\d\d)?|\d+(\.\d+)? ?m?s\b", "TIME", outcome.out)
        return results | {"exit status": str(outcome.status).encode(), "report": report.encode()}, variant.instructions


class Sweep(Command):
    """A sweep, of whose file of results the table is compared, with all statistics."""

    SWEEP = {
        "base": "turing",
        "workloads": [{"name": "half", "gemm": {"size": 64}}, {"name": "bytes", "gemm": {"size": 64, "precision": "s8"}}],
        "axes": [
            {"path": "sm.sub_core.tensor_core.dot_product_units", "name": "units", "values": [1, 2]},
            {"path": "sm.sub_core.register_file.banks", "name": "banks", "values": [1, 2, 4]},
        ],
        "metrics": ["cycles"],
    }

    def __init__(self, name, **more):
        super().__init__(name, ["sweep", "../sweep.json", "-o", "r.sqlite"], processes=(1, 64), jobs_option="-j", **more)

    def prepare(self, binary, folder):
        """Before any run, as several go on at a time."""
        error = super().prepare(binary, folder)
        (folder.parent / "sweep.json").write_text(json.dumps(self.SWEEP))
        return error


def content_of(file):
    if file.suffix == ".sqlite":
        with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as database:
            results = database.execute("SELECT workload, units, banks, cycles FROM results ORDER BY number").fetchall()
            runs = database.execute("SELECT workload, parameters, configuration, exit_status, statistics FROM runs ORDER BY id").fetchall()
        return "\n".join(map(str, [*results, *runs])).encode()
    content = file.read_bytes()
    if file.suffix == ".json":
        return json.dumps(without_host(json.loads(content)), sort_keys=True).encode()
    return content


def failure(outcome):
    """Why a command gave no result; a check that failed is one."""
    return wrong_words(outcome) or ("" if outcome.status in (0, 1) else outcome.err.strip()[-200:])


def gemm(name, *options, size=("--size", "64"), run=(), **more):
    """A matrix product."""
    machine = [word for pair in zip(options, options[1:]) if pair[0] == "--config" for word in pair]
    return Kernel(name, ["gemm", *size, *options], [*machine, *run], **more)


def matrix_stream(operation, preset, accumulators, **more):
    make = awk("matrix_stream.awk", operation=operation, warps=4, accumulators=accumulators, instructions=64)
    return Kernel(f"stream of {operation}", make, ["--config", preset, "--set", "sms=1"], **more)


def convolution(method, **more):
    """A convolution by the matrix unit of tensor memory."""
    sizes = {"height": 6, "width": 6, "channels": 32, "filters": 16, "filter-height": 3, "filter-width": 3, "padding": 1}
    machine = ["--config", "blackwell"]
    words = [word for name, size in sizes.items() for word in (f"--{name}", str(size))]
    return Kernel(f"tcgen05, {method}", ["conv", *machine, *words, "--method", method], machine, **more)


def kernels():
    flat = {"run": FLAT, "processes": (1, 64)}
    return [
        matrix_stream("HMMA.884.F32.F32", "volta", 2),
        matrix_stream("HMMA.16816.F32", "hopper", 4, quick=True),
        matrix_stream("IMMA.16832.S8.S8", "hopper", 4),
        Kernel("copy of memory", awk("memory_stream.awk", loads=4, warps=4, rounds=10), ["--config", "hopper", "--set", "sms=1"], quick=True),
        Trace("sm_70.wmma_f16_f32_m16n16k16", "--config", "volta"),
        Trace("sm_75.tiled_f16_f32", "--config", "turing"),
        gemm("gemm mixed, volta", "--config", "volta", "--precision", "mixed"),
        gemm("gemm s8, turing", "--config", "turing", "--precision", "s8"),
        gemm("gemm f16, collectors", "--config", "collectors", "--precision", "f16"),
        gemm("gemm tf32, ampere", "--config", "ampere", "--precision", "tf32"),
        gemm("gemm b1, ada", "--config", "ada", "--precision", "b1", size=("--size", "128")),
        gemm("gemm bf16, hopper", "--config", "hopper", "--precision", "bf16"),
        gemm("wgmma f16, hopper", "--config", "hopper", "--instructions", "wgmma", "--precision", "mixed", size=("-m", "64", "-n", "64", "-k", "64"), quick=True),
        gemm("wgmma e5m2, hopper", "--config", "hopper", "--instructions", "wgmma", "--precision", "e5m2", size=("-m", "64", "-n", "32", "-k", "64")),
        gemm("gemm mixed, 4 SMs", "--config", "hopper", "--precision", "mixed", size=("-m", "64", "-n", "256", "-k", "32"), **flat, quick=True),
        gemm("wgmma, 4 SMs", "--config", "hopper", "--instructions", "wgmma", size=("-m", "128", "-n", "128", "-k", "64"), **flat),
        gemm("gemm s8, 9 SMs", "--config", "turing", "--precision", "s8", size=("--size", "192"), **flat),
        convolution("shift", quick=True),
        convolution("im2col"),
        Command("study of errors", ["error", "--config", "hopper", "--dots", "500", "--format", "json", "-o", "errors.json"], quick=True),
        Sweep("sweep of 12 runs", quick=True),
    ]
