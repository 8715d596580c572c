#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traces of one straight path through the kernels of a listing of nvdisasm -hex: for timing, with control codes."""

import argparse
import lzma
import pathlib
import re

INSTRUCTION = re.compile(r"^\s*/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;\s*/\* (0x[0-9a-f]{16}) \*/")
UPPER_WORD = re.compile(r"^\s*/\* (0x[0-9a-f]{16}) \*/")
CONTROL_FLOW = {"BRA", "BRX", "CALL", "RET", "BSSY", "BSYNC", "JMP", "EXIT"}
SHARED = {"LDS", "STS", "ATOMS", "LDSM"}
GLOBAL = {"LDG", "STG", "LD", "ST", "ATOMG", "ATOM", "RED"}
WARPS = 8


def control_field(upper):
    """The control code in bits 41 to 61 of an instruction's upper word."""
    code = upper >> 41
    barrier = lambda number: "-" if number == 7 else str(number)
    waits = "".join(str(i) if code >> 11 >> i & 1 else "-" for i in range(6))
    yields = "-" if code >> 4 & 1 else "Y"
    return f"[B{waits}:R{barrier(code >> 8 & 7)}:W{barrier(code >> 5 & 7)}:{yields}:S{code & 15:02}]"


def kernels(text):
    """Name, instructions (pc, text, control field) and labels of each kernel."""
    name, code, labels, waiting = None, [], {}, []
    for line in text.splitlines():
        if section := re.match(r"\.text\.(\S+):", line):
            if code:
                yield name, code, labels
            name, code, labels, waiting = section[1], [], {}, []
        elif label := re.match(r"(\.L_\w+):", line):
            waiting.append(label[1])
        elif found := INSTRUCTION.match(line):
            pc = int(found[1], 16)
            labels.update({each: pc for each in waiting})
            waiting = []
            code.append([pc, found[2], None])
        elif (found := UPPER_WORD.match(line)) and code and code[-1][2] is None:
            code[-1][2] = control_field(int(found[1], 16))
    if code:
        yield name, code, labels


def lines_of(code, labels):
    """The path without conditional branches."""
    places = {pc: i for i, (pc, _, _) in enumerate(code)}
    lines, i, seen = [], 0, set()
    while i < len(code) and code[i][0] not in seen:
        pc, text, control = code[i]
        seen.add(pc)
        guard, mnemonic = re.match(r"(@!?U?P\w+ )?(\S+)", text).groups()
        opcode, i = mnemonic.split(".")[0], i + 1
        if opcode in GLOBAL | SHARED:
            text += f" @ {0x500 if opcode in SHARED else 0x100000:#x}+{16 if '64' in mnemonic or '128' in mnemonic else 4}"
        elif opcode in CONTROL_FLOW:
            target = labels.get(next(iter(re.findall(r"\.L_\w+", text)), None))
            text = f"{guard or ''}{'EXIT' if opcode == 'EXIT' else mnemonic + ' 0x0' if opcode == 'BRA' else re.sub('`[(].*[)]', '0x0', text)}"
            if guard:
                text += " mask 00000000"
            elif opcode == "BRA":
                if target is None or target <= pc:
                    break
                i = places[target]
        lines.append(f"/*{pc:04x}*/ {control} {text}")
        if opcode == "EXIT" and not guard:
            return lines
    return [*lines, "/*fff0*/ [B------:R-:W-:-:S05] EXIT"]


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("listing", type=pathlib.Path)
    options.add_argument("--arch", required=True)
    options.add_argument("-o", "--out", type=pathlib.Path, required=True, help="folder for the traces")
    asked = options.parse_args()
    for name, code, labels in kernels(asked.listing.read_text()):
        header = (f"tcsim-trace 1\narch {asked.arch}\nkernel {name}\ngrid 1 1 1\nblock {32 * WARPS} 1 1\nregisters 255\nshared 4096\n"
                  "data none\ncta 0 0 0\n")
        lines = lines_of(code, labels)
        with lzma.open(asked.out / f"{asked.arch}.{name}.trace.xz", "wt") as out:
            out.write(header + "".join("\n".join([f"warp {warp}", *lines, ""]) for warp in range(WARPS)))


if __name__ == "__main__":
    main()
