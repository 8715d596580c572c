# SPDX-License-Identifier: Apache-2.0
"""Samples of a run, by room of the model. Inlined code counts where it is written, so the program must have lines (-g1)."""

import bisect
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

KINDS = [  # of a source file or of a library's file, the first that is found in it
    ("arithmetic", r"/tc/numerics/"),
    ("issue", r"/tc/(subcore/issue|warp)/"),
    ("operands, lanes and tensor cores", r"/tc/(lanes|links|subcore/(operands|tensor|warpgroup|tensor_memory))/"),
    ("pipes", r"/tc/subcore/"),
    ("memory", r"/tc/memory/"),
    ("engines and tensor memory", r"/tc/(engine|tmem)/"),
    ("statistics and recordings", r"/tc/(observe|recording)/|/boost/json/|statistics"),
    ("trace and its decoding", r"/tc/(trace|packed|isa|importers|listings)/"),
    ("kernels and results", r"/tc/kernels/|/app/"),
    ("SystemC, sockets and clock", r"/tc/fabric/|/sysc/|/tlm|libsystemc"),
    ("device", r"/tc/(device|config|platform|host)/"),
    ("memory functions of the C library", r"libc\.so|libc-"),
    ("C++ library", r"libstdc\+\+|/c\+\+/|libm\.so|libboost|/boost/"),
    ("operating system", r"kernel|vdso|ld-linux"),
]


def kind_of(file):
    return next((kind for kind, pattern in KINDS if re.search(pattern, file)), None)


def record(command, folder):
    samples = folder / "samples"
    subprocess.run(["perf", "record", "--quiet", "--event", "cpu-clock", "--freq", "4000", "--output", samples, *command], check=True, stdout=subprocess.DEVNULL)
    return subprocess.run(
        ["perf", "script", "--input", samples, "--show-mmap-events", "--fields", "event,ip,sym,dso"], check=True, capture_output=True, text=True
    ).stdout


class Program:
    """The lines of an executable's code."""

    def __init__(self, file):
        self.file = str(file)
        self.maps = []  # start, end, offset in the file
        headers = subprocess.run(["readelf", "--segments", "--wide", self.file], check=True, capture_output=True, text=True).stdout
        loads = re.findall(r"LOAD\s+(0x\w+) (0x\w+) 0x\w+ (0x\w+)", headers)
        self.segments = sorted((int(offset, 16), int(address, 16), int(size, 16)) for offset, address, size in loads)

    def add_map(self, start, size, offset):
        self.maps.append((start, start + size, offset))

    def address(self, pointer):
        """The address in the file's own numbers."""
        start, _, offset = next(mapped for mapped in self.maps if mapped[0] <= pointer < mapped[1])
        in_file = pointer - start + offset
        segment = self.segments[bisect.bisect_right(self.segments, (in_file, sys.maxsize)) - 1]
        return in_file - segment[0] + segment[1]

    def files(self, addresses):
        """For each address the files of its line, of the innermost inlined function first."""
        asked = "".join(f"{address:#x}\n" for address in addresses)
        shown = subprocess.run(["addr2line", "--addresses", "--inlines", "--exe", self.file], input=asked, check=True, capture_output=True, text=True).stdout
        found = {}
        for line in shown.splitlines():
            if line.startswith("0x"):
                current = found.setdefault(int(line, 16), [])
            else:
                current.append(line.rsplit(":", 1)[0])
        return found


def read_samples(text, program):
    """Of each sample the address, the function and the file it lies in; the program learns where it was loaded."""
    for line in text.splitlines():
        if mapped := re.search(r"PERF_RECORD_MMAP2 .*\[(0x\w+)\((0x\w+)\) @ (0x\w+|0) .*\]: \S+ (\S+)", line):
            if mapped.group(4) == program.file:
                program.add_map(*(int(number, 16) for number in mapped.groups()[:3]))
        elif sample := re.search(r"^\s*(?:cpu-clock\S*\s+)?([0-9a-f]+) (.*) \((\S+)\)$", line):
            yield int(sample.group(1), 16), sample.group(2), sample.group(3)


def kind_of_line(files):
    """That of the innermost function which is not the C++ library's."""
    kinds = [kind for kind in map(kind_of, files) if kind]
    return next((kind for kind in kinds if kind != "C++ library"), kinds[0] if kinds else "other")


def samples_of(command):
    """Runs a command; of each sample the kind and the function. The program is the first word."""
    program = Program(pathlib.Path(command[0]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        samples = list(read_samples(record(command, pathlib.Path(folder)), program))
    addresses = {pointer: program.address(pointer) for pointer, _, file in samples if file == program.file}
    lines = program.files(addresses.values())
    if not any(kind_of(file) for files in lines.values() for file in files):
        sys.exit(f"{program.file} has no lines: build it with -DCMAKE_CXX_FLAGS=-g1")
    return [
        (kind_of_line(lines[addresses[pointer]]) if file == program.file else kind_of(file) or "other", function)
        for pointer, function, file in samples
    ]


def shares(samples):
    """Of the samples, 0 to 1, by kind, the largest first."""
    return {kind: count / len(samples) for kind, count in collections.Counter(kind for kind, _ in samples).most_common()}
