# SPDX-License-Identifier: Apache-2.0
"""The benchmarks: kernels, and the machines that run them."""

import dataclasses
import pathlib
import subprocess

FOLDER = pathlib.Path(__file__).parent
ONE_SM = ["--set", "sms=1"]
LARGE_TILE = 128  # elements of m and n that a CTA computes, twice as many as the command chooses: a warp uses its operands twice as often


@dataclasses.dataclass
class Benchmark:
    name: str
    arguments: list  # of the command, "TRACE" for the trace
    generator: list = None  # which writes the trace; without, the command makes the kernel
    operation: str = None  # of tc_instruction_benchmark, whose arithmetic is that of the matrix instructions
    is_long: bool = False  # takes minutes

    statistics_file = "statistics.json"

    def command(self, program, folder, data):
        """The command line, which writes its statistics in the folder; writes the trace there when it is first asked for."""
        words = [self._trace(folder) if word == "TRACE" else word for word in self.arguments]
        return [program, *words, "--stats", folder / self.statistics_file] + ([] if data else ["--no-data"])

    def remove_trace(self, folder):
        self._trace_file(folder).unlink(missing_ok=True)

    def _trace(self, folder):
        file = self._trace_file(folder)
        if not file.exists():
            with open(file, "w") as trace:
                subprocess.run(self.generator, check=True, stdout=trace)
        return file

    def _trace_file(self, folder):
        return folder / (self.name.replace("/", "_") + ".trace")


def awk(program, **variables):
    return ["awk"] + [word for name, value in variables.items() for word in ("-v", f"{name}={value}")] + ["-f", FOLDER / program]


def start_up():
    """Nothing but the process, the machine and its statistics."""
    trace = "tcsim-trace 1\\narch sm_90\\nkernel empty\\ngrid 1 1 1\\nblock 32 1 1\\ncta 0 0 0\\nwarp 0\\n/*0000*/ EXIT\\n"
    return Benchmark("start_up", ["run", "TRACE", "--config", "hopper"], ["printf", trace])


def matrix_streams(instructions):
    """Warps that issue nothing but matrix instructions."""
    streams = [
        ("hmma_884", "volta", "HMMA.884.F32.F32", 2),
        ("hmma_1688", "turing", "HMMA.1688.F32", 4),
        ("hmma_16816", "hopper", "HMMA.16816.F32", 4),
        ("imma_8816", "turing", "IMMA.8816.S8.S8", 6),
        ("imma_16832", "hopper", "IMMA.16832.S8.S8", 4),
        ("bmma_88128", "turing", "BMMA.88128.XOR.POPC", 6),
    ]
    for name, machine, operation, accumulators in streams:
        for warps in (4, 16, 64):
            yield Benchmark(
                f"{name}/{warps}",
                ["run", "TRACE", "--config", machine] + ONE_SM,
                awk("matrix_stream.awk", operation=operation, warps=warps, accumulators=accumulators, instructions=instructions),
                f"{operation}.STEP0/{machine}" if name == "hmma_884" else f"{operation}/{machine}",
            )


def products(sizes, long_sizes):
    """Matrix products, made and checked by the command: tiled ones, those of warpgroups, and those on tensor memory."""
    for size in sizes + long_sizes:
        square, is_long, is_very_long = ["--size", str(size)], size in long_sizes, size > 2048
        yield Benchmark(f"gemm/{size}", ["gemm", "--config", "hopper"] + square + ONE_SM, operation="HMMA.16816.F32/hopper", is_long=is_long)
        if size % LARGE_TILE == 0:
            yield Benchmark(
                f"gemm_{LARGE_TILE}x{LARGE_TILE}/{size}",
                ["gemm", "--config", "hopper", "--tile", f"{LARGE_TILE}x{LARGE_TILE}x32", "--warps", "2x2"] + square + ONE_SM,
                operation="HMMA.16816.F32/hopper",
                is_long=is_long,
            )
        yield Benchmark(
            f"wgmma/{size}", ["gemm", "--config", "hopper", "--instructions", "wgmma"] + square + ONE_SM, operation="wgmma/hopper", is_long=is_very_long
        )
        # A product of `size` pixels: a 1 x 1 convolution.
        pixels = ["--height", "32", "--width", str(size // 32), "--channels", str(size), "--filters", str(size)]
        yield Benchmark(
            f"tcgen05/{size}",
            ["conv", "--config", "blackwell", "--method", "im2col"] + pixels + ONE_SM,
            operation="tcgen05/blackwell",
            is_long=is_very_long,
        )
    for size in sizes + long_sizes:
        yield Benchmark(f"all_sms/{size}", ["gemm", "--config", "hopper", "--size", str(size)], operation="HMMA.16816.F32/hopper", is_long=size > sizes[0])


def copies(rounds):
    """Warps that move memory and compute nothing: as fast as the memory lets them, and mostly waiting."""
    for warps in (4, 16, 64):
        yield Benchmark(
            f"copy/{warps}",
            ["run", "TRACE", "--config", "hopper"] + ONE_SM,
            awk("memory_stream.awk", warps=warps, loads=4, rounds=rounds // warps),
        )
    for latency in (100, 100_000):
        memory = ["--set", "global_memory.hierarchy.enabled=false", "--set", f"global_memory.latency_cycles={latency}"]
        yield Benchmark(
            f"stalled/{latency}",
            ["run", "TRACE", "--config", "hopper"] + ONE_SM + memory,
            awk("memory_stream.awk", warps=4, loads=1, rounds=4 * rounds),
        )


def benchmarks(quick):
    """All of them; `quick`: of a size that is run in an instant."""
    sizes, long_sizes = ([64, 128], []) if quick else ([512, 1024], [2048, 4096])
    return [
        start_up(),
        *matrix_streams(640 if quick else 1_000_000),
        *products(sizes, long_sizes),
        *copies(64 if quick else 4096),
    ]
