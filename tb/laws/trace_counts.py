#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a trace makes units count, worked out from its text alone: instructions by kind, bytes, sectors and lines of global memory, wavefronts
and bytes of shared memory, products, registers, bytes of bulk copies, cells of tensor memory. It shares no code with the model, and knows
the rules only from the manuals that docs/reliability.md names. Prints them as JSON."""

import collections
import gzip
import json
import lzma
import pathlib
import re
import sys

LANES, LINE, SECTOR, BANKS, WORD = 32, 128, 32, 32, 4
STEP = re.compile(r"^/\*[0-9a-f]+\*/\s+(?:\[[^\]]*\]\s+)?(?:@!?U?P\w+\s+)?(\S+)\s*(.*)$")
NUMBER = r"(?:0x[0-9a-fA-F]+|\d+)"
ALL = (1 << LANES) - 1


def text_of(path):
    openers = {".xz": lzma.open, ".gz": gzip.open}
    with openers.get(pathlib.Path(path).suffix, open)(path, "rt") as file:
        yield from file


def addresses_of(operands, mask):
    """Of the active lanes, or nothing."""
    if (found := re.search(r"@ \{([^}]*)\}", operands)) is not None:
        return [int(each, 0) for each in found.group(1).split(",")]
    if (found := re.search(rf"@ ({NUMBER})(?:\+({NUMBER}))?\s*$", operands)) is not None:
        base, stride = int(found.group(1), 0), int(found.group(2) or "0", 0)
        return [base + stride * lane for lane in range(LANES) if mask >> lane & 1]
    return []


def bytes_of(opcode):
    """That a lane loads or stores."""
    parts = opcode.split(".")
    for part, size in (("128", 16), ("64", 8), ("U16", 2), ("S16", 2), ("16", 2), ("U8", 1), ("S8", 1)):
        if part in parts:
            return size
    return 4


def covered(addresses, size):
    """Bytes that lanes access, each once."""
    return {address + offset for address in addresses for offset in range(size)}


def wavefronts_of(addresses, size):
    """A wavefront gives each bank's word to any number of lanes; wide elements go half or a quarter of a warp at a time, one element for all
    lanes twice as many (CUDA C++ Programming Guide; measured). `addresses` are by lane or row, None where there is none. Yields the bytes of
    each wavefront."""
    unit = max(size, WORD)
    columns = BANKS * WORD // unit
    distinct = {address for address in addresses if address is not None}
    phase = min(LANES, 2 * columns if len(distinct) == 1 else columns)
    for first in range(0, LANES, phase):
        depth = collections.defaultdict(list)  # units of each column, in the order of the lanes
        taken = collections.defaultdict(set)
        for address in addresses[first : first + phase]:
            if address is None:
                continue
            units = depth[address // unit % columns]
            if address // unit not in units:
                units.append(address // unit)
            taken[units.index(address // unit)] |= covered([address], size)
        yield from (len(taken[number]) for number in sorted(taken))


def dimensions_of(digits):
    """m, n and k of the shapes that machine instructions name."""
    shapes = {"1688": (16, 8, 8), "16816": (16, 8, 16), "1684": (16, 8, 4), "8816": (8, 8, 16), "8832": (8, 8, 32), "16832": (16, 8, 32),
              "16864": (16, 8, 64), "88128": (8, 8, 128), "168128": (16, 8, 128), "168256": (16, 8, 256)}
    return shapes.get(digits)


class Counts:
    """Sums over a trace. `l1` and `l2` are caches in which everything stays; sectors of L2 may be larger."""

    def __init__(self, l2_sector):
        self.of = collections.Counter()
        self.l2_sector = l2_sector
        self.maps = {}
        self.l1, self.l2 = set(), set()
        self.mask = ALL

    def add(self, name, number=1):
        self.of[name] += number

    # Global memory.

    def load(self, addresses, size):
        data = covered(addresses, size)
        self.add("load_store.global_bytes_read", len(data))
        self.add("load_store.requests", len({byte // LINE for byte in data}))
        wanted = {byte // SECTOR for byte in data}
        self.add("global_memory.l1_hits", len(wanted & self.l1))
        missed = wanted - self.l1
        self.add("global_memory.l1_misses", len(missed))
        self.add("global_memory.l2_bytes_read", SECTOR * len(missed))
        self.l1 |= wanted
        self.add("global_memory.dram_bytes_read", self.l2_sector * self.use_l2(sector * SECTOR for sector in missed))

    def use_l2(self, addresses):
        """The number of sectors that were not there."""
        wanted = {address // self.l2_sector for address in addresses}
        missed = wanted - self.l2
        self.add("global_memory.l2_hits", len(wanted) - len(missed))
        self.add("global_memory.l2_misses", len(missed))
        self.l2 |= wanted
        return len(missed)

    def store(self, addresses, size):
        data = covered(addresses, size)
        self.add("load_store.global_bytes_written", len(data))
        self.add("load_store.requests", len({byte // LINE for byte in data}))
        self.use_l2(data)
        self.add("global_memory.l2_bytes_written", len(data))

    # Shared memory.

    def shared(self, addresses, size, is_store):
        for moved in wavefronts_of(addresses, size):
            self.add("load_store.wavefronts")
            self.add("load_store.shared_bytes_written" if is_store else "load_store.shared_bytes_read", moved)

    def by_lane(self, addresses):
        given = iter(addresses)
        return [next(given) if self.mask >> lane & 1 else None for lane in range(LANES)]

    # Matrix instructions.

    def multiply(self, opcode):
        name, *rest = opcode.split(".")
        if rest[0] == "884" and name == "HMMA":  # a step of four, or of two with f16 sums, of 16 x 16 x 4
            self.add("tensor.multiply_accumulates", 16 * 16 * 4 // (4 if rest[1] == "F32" else 2))
        elif rest[0] == "884":
            self.add("tensor.multiply_accumulates", 8 * 8 * 4)
        else:
            m, n, k = dimensions_of(rest[0])
            self.add("tensor.multiply_accumulates", m * n * k)
        self.add("tensor.instructions")

    def warpgroup(self, opcode):
        m, n, k = map(int, re.search(r"\.m(\d+)n(\d+)k(\d+)\.", opcode).groups())
        self.add("warpgroup.instructions")
        self.add("warpgroup.multiply_accumulates", m // 4 * n * k)

    def tensor_multiply(self, operands):
        """f16: 16 of k. The instruction descriptor has n / 8 in bits 17 to 22 and m / 16 from bit 24 on (PTX ISA, tcgen05)."""
        descriptor = int(re.findall(rf"(?:\[[^\]]*\]|{NUMBER})", operands)[3], 0)
        m, n = (descriptor >> 24 & 31) * 16, (descriptor >> 17 & 63) * 8
        self.add("tensor_engine.matrices.instructions")
        self.add("tensor_engine.matrices.multiply_accumulates", m * n * 16)
        # Lanes that a disable mask names are not written; one that is not there is none.
        disabled = re.search(r"\{([^}]*)\}", operands)
        lanes = m - sum(bin(int(each, 0)).count("1") for each in disabled.group(1).split(",")) if disabled else m
        self.add("tensor_engine.matrices.cell_bytes_written", lanes * n * 4)

    # Asynchronous units.

    def bulk_copy(self, opcode, operands):
        self.add("bulk_copy.copies")
        if ".tensor." not in opcode:
            moved = int(re.search(rf"\], ({NUMBER})", operands).group(1), 0)
            self.add("bulk_copy.bytes", moved)
            return
        self.add("bulk_copy.bytes", self.maps[int(re.search(rf"\[({NUMBER}), \{{", operands).group(1), 0)])

    def tensor_map(self, line):
        """The bytes of a box, or of the pixels of an im2col copy."""
        size = {"u8": 1, "u16": 2, "f16": 2, "bf16": 2, "u32": 4, "s32": 4, "f32": 4, "tf32": 4}[line.split()[3]]
        if (box := re.search(r" box ((?:\d+ )+)", line + " ")) is not None:
            elements = 1
            for extent in box.group(1).split():
                elements *= int(extent)
        else:
            elements = int(re.search(r"channels (\d+)", line).group(1)) * int(re.search(r"pixels (\d+)", line).group(1))
        self.maps[int(line.split()[1], 0)] = elements * size

    def tensor_copy(self, opcode):
        rows, bits = map(int, re.search(r"\.(\d+)x(\d+)b", opcode).groups())
        self.add("tensor_engine.copies.copies")
        self.add("tensor_engine.copies.bytes_read", rows * bits // 8)
        copies = 4 if "warpx4" in opcode else 2 if "warpx2" in opcode else 1
        self.add("tensor_engine.copies.cell_bytes_written", copies * rows * bits // 8)

    def cells(self, opcode, is_store):
        lanes, bits, times = map(int, re.search(r"\.(\d+)x(\d+)b\.x(\d+)", opcode).groups())
        self.add("tensor_memory.chunk.bytes_written" if is_store else "tensor_memory.chunk.bytes_read", lanes * bits // 8 * times)

    # All.

    def instruction(self, opcode, operands):
        self.add("scheduler.issued")
        found = re.search(r" mask ([0-9a-fA-F]{8})", " " + operands)
        self.mask = int(found.group(1), 16) if found else ALL
        name = opcode.split(".")[0]
        addresses = addresses_of(operands, self.mask)
        if name in ("LDG", "LD", "LDS", "LDSM"):
            self.add("load_store.loads")
        if name in ("STG", "ST", "STS"):
            self.add("load_store.stores")
        if name in ("HMMA", "IMMA", "BMMA", "DMMA"):
            self.multiply(opcode)
        elif opcode.startswith("wgmma.mma_async"):
            self.warpgroup(opcode)
        elif self.mask == 0:
            return
        elif name in ("LDG", "LD"):
            self.load(addresses, bytes_of(opcode))
        elif name in ("STG", "ST"):
            self.store(addresses, bytes_of(opcode))
        elif name in ("LDS", "STS"):
            self.shared(self.by_lane(addresses), bytes_of(opcode), name == "STS")
        elif name == "LDSM":
            rows = 8 * int(opcode.split(".")[-1]) if opcode.split(".")[-1] in "124" else 8
            self.shared([*addresses[:rows], *[None] * (LANES - rows)], 16, False)
        elif opcode.startswith("cp.async.bulk.") and "_group" not in opcode:
            self.bulk_copy(opcode, operands)
        elif opcode.startswith("tcgen05.mma."):
            self.tensor_multiply(operands)
        elif opcode.startswith("tcgen05.cp."):
            self.tensor_copy(opcode)
        elif opcode.startswith(("tcgen05.ld.", "tcgen05.st.")):
            self.cells(opcode, opcode.startswith("tcgen05.st."))
        elif opcode.startswith("tcgen05.shift."):
            self.add("tensor_memory.chunk.bytes_shifted", 4 * 8 * 31 * 4)


def counts_of(path, l2_sector=SECTOR):
    counts, ctas = Counts(l2_sector), 0
    for line in text_of(path):
        line = line.strip()
        if line.startswith("tensor-map "):
            counts.tensor_map(line)
        elif line.startswith("cta "):
            ctas += 1
        elif (step := STEP.match(line)) is not None:
            counts.instruction(*step.groups())
    counts.of["ctas"] = ctas
    return counts.of


if __name__ == "__main__":
    print(json.dumps(counts_of(sys.argv[1]), indent=1, sort_keys=True))
