# SPDX-License-Identifier: Apache-2.0
"""Matrix products of plain lists on a GPU of tcsim, checked bit for bit. Usage: gemm.py [CONFIGURATION]"""
import random
import struct
import sys

import tcsim

SIZES = [16, 32, 64]
A, B, D = 0x100000, 0x200000, 0x300000


def product(a, b, size):
    return [[float(sum(x * y for x, y in zip(row, column))) for column in b] for row in a]


def main():
    configuration = sys.argv[1] if len(sys.argv) > 1 else "turing"
    library = tcsim.load()
    device = tcsim.Device(library, "gpu", configuration, ["sms=2"], latency_ps=200000)
    device.begin()
    numbers = random.Random(1)
    print(f"tcsim {library.tcsim_version().decode()}, {configuration}\n\n  size   cycles  instructions  time [us]  result")
    all_right = True
    for count, size in enumerate(SIZES):
        # Integers as small as these are exact in f16, and so are their sums in f32. b holds the columns of B.
        a, b = ([[numbers.randint(-3, 3) for _ in range(size)] for _ in range(size)] for _ in range(2))
        for address, matrix in ((A, a), (B, b)):
            device.poke(address, struct.pack(f"<{size * size}e", *[x for line in matrix for x in line]))
        device.submit_gemm(count, size, size, size, A, B, D)
        begin = library.tcsim_now()
        device.run(limit_ps=10**9)
        identifier, status, cycles, instructions, text = device.completions[-1]
        expected = struct.pack(f"<{size * size}f", *[x for line in product(a, b, size) for x in line])
        right = (identifier, status) == (count, tcsim.DONE) and device.peek(D, len(expected)) == expected
        all_right = all_right and right
        print(f"{size:6} {cycles:8} {instructions:13} {(library.tcsim_now() - begin) / 1e6:10.2f}  {'exact' if right else 'WRONG ' + text}")
    return 0 if all_right else 1


sys.exit(main())
