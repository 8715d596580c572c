# SPDX-License-Identifier: Apache-2.0
"""The runs whose cycles, bits and energy tell what a parameter moves: a trace on a machine each."""

import dataclasses
import pathlib
import subprocess

PROJECT = pathlib.Path(__file__).resolve().parents[2]
FILTERS = "--filter-height 3 --filter-width 3 --padding 1"
CONVOLUTION = f"conv --height 12 --width 10 --channels 32 --filters 16 {FILTERS}"


@dataclasses.dataclass(frozen=True)
class Run:
    """`source`: a trace of the project, a command that makes one, or the shape, accumulators and warps of a stream of matrix instructions."""

    name: str
    machine: str
    source: str
    assignments: tuple = ()


def streams():
    for machine, shape, accumulators in (("volta", "HMMA.884.F32.F32", 2), ("turing", "HMMA.1688.F32", 6), ("ampere", "HMMA.16816.F32", 4),
                                         ("hopper", "HMMA.16816.F32", 4), ("turing", "IMMA.8816.S8.S8", 6), ("turing_geforce", "HMMA.1688.F32", 6)):
        for warps in (1, 16):
            yield Run(f"{shape} of {counted(warps, 'warp')}", machine, f"matrix {shape} {accumulators} {warps}", ("sms=1",))


ARCHITECTURES = {"ampere": "sm_80"}  # of machines that run streams which are written for another


def counted(count, what):
    return f"{count} {what}{'' if count == 1 else 's'}"


def project_traces():
    for folder in sorted((PROJECT / "traces").iterdir()):
        trace = next(folder.glob("kernel.trace*"))
        machine = {"sm_70": "volta", "sm_75": "turing", "sm_80": "ampere", "sm_90": "hopper"}[folder.name.split(".")[0]]
        yield Run(folder.name, machine, str(trace))


def gemms():
    for machine in ("volta", "turing", "turing_geforce", "collectors", "ampere", "ada", "hopper"):
        yield Run("GEMM of 128", machine, "gemm --size 128", ("sms=1",))
    yield Run("GEMM of 128 on all SMs", "turing", "gemm --size 128")
    yield Run("GEMM of 128, s8", "turing", "gemm --size 128 --precision s8", ("sms=1",))
    yield Run("GEMM of 128, s4", "turing", "gemm --size 128 --precision s4", ("sms=1",))
    yield Run("GEMM of 128, b1", "turing", "gemm --size 128 --precision b1", ("sms=1",))
    yield Run("GEMM of 128, bf16", "ampere", "gemm --size 128 --precision bf16", ("sms=1",))
    yield Run("GEMM of 128, tf32", "ampere", "gemm --size 128 --precision tf32", ("sms=1",))
    yield Run("GEMM of 128, e4m3", "ada", "gemm --size 128 --precision e4m3", ("sms=1",))
    yield Run("GEMM of 128, caches of instructions", "ampere", "gemm --size 128", ("sms=1", "sm.sub_core.fetch.ideal=false"))
    yield Run("GEMM of 128, caches of memory", "turing", "gemm --size 128", ("sms=1", "global_memory.hierarchy.enabled=true"))
    yield Run("GEMM of 128, caches of constants", "turing", "gemm --size 128", ("sms=1", "sm.sub_core.constant_cache.ideal=false"))
    yield Run("wgmma GEMM of 128", "hopper", "gemm --instructions wgmma --size 128")
    yield Run("wgmma GEMM of 128, e4m3", "hopper", "gemm --instructions wgmma --size 128 --precision e4m3")


def convolutions():
    for method in ("im2col", "shift", "shift --ashift"):
        yield Run(f"convolution, {method.replace(' --', ' by ')}", "blackwell", f"{CONVOLUTION} --method {method}")


ALL = (*project_traces(), *gemms(), *convolutions(), *streams())


def trace_of(run, tcsim, folder):
    """The file; made in the folder if it is not the project's. Code is that for the preset, whatever is changed."""
    if pathlib.Path(run.source).is_file():
        return pathlib.Path(run.source)
    made = pathlib.Path(folder) / f"{ALL.index(run)}.trace"
    words = run.source.split()
    if words[0] == "matrix":
        values = dict(zip(("operation", "accumulators", "warps"), words[1:]), instructions=256 * int(words[3]))
        program = PROJECT / "tb" / "perf" / "matrix_stream.awk"
        settings = [word for name, value in values.items() for word in ("-v", f"{name}={value}")]
        text = subprocess.run(["awk", *settings, "-f", program], capture_output=True, text=True, check=True).stdout
        made.write_text(text.replace("arch sm_90", f"arch {ARCHITECTURES.get(run.machine, 'sm_90')}", 1))
    else:
        subprocess.run([tcsim, *words, "--config", run.machine, "-o", made], check=True, capture_output=True)
    return made
