# SPDX-License-Identifier: Apache-2.0
"""Small kernels for each machine, as traces: a machine that has more of something runs the same code."""

import pathlib
import subprocess

TRACES = pathlib.Path(__file__).resolve().parents[2] / "traces"


class Workload:
    """A trace that `make` writes, or one of the tree, on a machine of one SM."""

    def __init__(self, name, machine, make=None, trace=None, quick=False, changes=()):
        self.name, self.machine, self.make, self.trace, self.quick, self.changes = name, machine, make, trace, quick, changes

    def prepare(self, tcsim, folder):
        """Its trace, in a folder."""
        if self.trace:
            return TRACES / self.trace / "kernel.trace"
        file = folder / f"{self.machine}.{self.name}.trace"
        subprocess.run([tcsim, *self.make, "--config", self.machine, "--no-data", "-o", file], check=True, capture_output=True)
        return file

    def settings(self):
        """Assignments of all its runs. The scoreboard stands for what compilers know of latencies."""
        return ["sms=1", "sm.sub_core.issue.hazards=interlock", *self.changes]


def gemm(machine, *options, name="gemm", **more):
    return Workload(name, machine, ["gemm", *options], **more)


def conv(method, **more):
    sizes = {"height": 8, "width": 8, "channels": 32, "filters": 16, "filter-height": 3, "filter-width": 3, "padding": 1}
    words = [word for key, size in sizes.items() for word in (f"--{key}", str(size))]
    return Workload(f"conv_{method}", "blackwell", ["conv", *words, "--method", method], **more)


def workloads():
    one_wave = ("-m", "128", "-n", "128", "-k", "128")
    small = ("--size", "64")
    flat = ("global_memory.hierarchy.enabled=false",)
    fetched = ("sm.sub_core.fetch.ideal=false",)
    return [
        gemm("volta", *one_wave),
        gemm("turing", *one_wave),
        gemm("turing", *small, "--precision", "s8", name="gemm_s8"),
        gemm("turing", *one_wave, name="gemm_flat", changes=flat, quick=True),
        gemm("turing_geforce", *one_wave),
        gemm("collectors", *small, name="gemm"),
        gemm("ampere", *one_wave),
        gemm("ampere", *one_wave, "--precision", "tf32", name="gemm_tf32"),
        gemm("ada", *one_wave),
        gemm("ada", *small, name="gemm_fetched", changes=fetched, quick=True),
        gemm("hopper", *one_wave, name="gemm"),
        gemm("hopper", "-m", "64", "-n", "64", "-k", "128", "--instructions", "wgmma", name="wgmma", quick=True),
        gemm("hopper", "-m", "128", "-n", "128", "-k", "128", "--instructions", "wgmma", name="wgmma_two"),
        Workload("tiled", "turing", trace="sm_75.tiled_f16_f32", quick=True),
        conv("im2col"),
        conv("shift", quick=True),
    ]
