# SPDX-License-Identifier: Apache-2.0
"""Writes a GTKWave view for the waves of a machine: what a hardware engineer looks at first in one sub-core, then what is around it.

    tcsim run TRACE --config turing --vcd waves.vcd --vcd-scope sm0
    gtkwave waves.vcd app/views/turing.gtkw

For another sub-core, or a machine of your own: app/views/view.py waves.vcd --sub-core gpu.sm_3.sub_core_1 -o my_views/mine.gtkw
"""

import argparse
import fnmatch
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from waves import Waves

FOLDER = "/views/"  # stands for the folder of the view: GTKWave looks for the files of names beside the view

# Title, whether its lines are folded away, and the signals in their order: patterns of place.type.attribute within the sub-core, or of the
# whole name. What is folded takes many lines, or is looked at rarely.
GROUPS = [
    ("Issue slot", False, ["scheduler.issue.warp", "scheduler.issue.pc", "scheduler.issue.opcode", "scheduler.empty_slot.cause"]),
    ("Warps: last instruction, what the next one waits for", False, ["warp_[0-3].instruction.opcode", "warp_[0-3].stall.cause"]),
    ("More warps", True, ["warp_*.instruction.opcode", "warp_*.stall.cause"]),
    ("Dependence counters", True, ["warp_*.sb_*.dependence_counter.open"]),
    ("Warp slots", True, ["warp_*.resident.cta", "warp_*.resident.warp", "warp_*.instruction.open", "warp_*.stall.pc",
                          "warp_*.dependence.open"]),
    ("Operand fetch", False, ["operand_fetch.operand_fetch.*", "operand_fetch.standstill.active", "operand_fetch.reuse_hit.registers"]),
    ("Register banks", False, ["*.bank_*.read.warp", "*.bank_*.read.row", "*.bank_*.conflict.open", "*.bank_*.write.row",
                               "*.bank_*.accumulator.open"]),
    ("Tensor core", False, ["tensor.operand_transfer.*", "tensor.a_tile.open", "tensor.b_tile.open", "tensor.accumulator_tile.open",
                            "tensor.dot_product.open", "tensor.pass.number", "tensor.execute.*"]),
    ("Write-back", False, ["write_back.write_back.*"]),
    ("Shared memory", False, ["load_store.queued.open", "load_store.shared_access.*", "load_store.shared.transaction.*"]),
    ("Global memory", False, ["load_store.execute.open", "load_store.global.transaction.*"]),
    ("Tensor engine", False, ["*.tensor_engine.*"]),
    ("Tensor memory", False, ["gpu.*.tensor_memory.*", "*tensor_memory*"]),
    ("Other units", False, ["*.execute.open"]),
    ("Around the sub-core", False, ["gpu.*"]),
    ("Further", True, ["*"]),
]

DECIMAL, HEXADECIMAL, BINARY, ASCII, TRANSLATED = 0x24, 0x22, 0x28, 0x820, 0x2000
BEGIN, BEGIN_FOLDED, END, END_FOLDED = 0x800200, 0xC00200, 0x1000200, 0x1401200


def names_file(signal):
    """The name of the file that says which number is which choice."""
    return f"{signal.type}.{signal.attribute}.choices"


class View:
    def __init__(self, waves, sub_core, name):
        self.waves, self.sub_core = waves, sub_core
        self.sm = sub_core.rsplit(".", 1)[0]
        self.files = {}  # of names of choices
        self.lines = [f'[*] Waves of one sub-core: gtkwave waves.vcd {name}, made by app/views/view.py', f'[savefile] "{FOLDER}{name}"',
                      "[size] 1600 1000", "[sst_width] 200", "[signals_width] 340", f"*{-4 - math.log2(waves.cycle):.6f} -1"]
        self._write()

    def text(self):
        return "\n".join(self.lines) + "\n"

    def local(self, signal):
        """The name within the sub-core, or the whole name."""
        return signal.name.removeprefix(self.sub_core + ".")

    def _shown(self):
        """The signals of the sub-core and of what stands around it, without counts: those are for comparisons."""
        for signal in self.waves.signals.values():
            inside = signal.name.startswith(self.sub_core + ".")
            in_other_sm = ".sm_" in signal.name and not signal.name.startswith(self.sm + ".")
            around = signal.type and not in_other_sm and ".sub_core_" not in signal.name
            looks_from_outside = signal.place.endswith(".probe")
            if (inside or around) and not looks_from_outside and signal.attribute != "count":
                yield signal

    def _write(self):
        self._signal(self.waves.signals["cycle"], "cycle")
        left = list(self._shown())
        streams = {(signal.place, signal.type) for signal in left}
        for title, folded, patterns in GROUPS:
            is_rest = title == "Further"
            chosen = [s for s in self._matching(left, patterns) if not is_rest or (s.place, s.type) in streams]
            streams -= {(signal.place, signal.type) for signal in chosen}
            if not chosen:
                continue
            self._flags(BEGIN_FOLDED if folded else BEGIN, f"-{title}")
            for signal in chosen:
                self._signal(signal, self._label(signal))
                left.remove(signal)
            self._flags(END_FOLDED if folded else END, f"-{title}")

    def _matching(self, signals, patterns):
        """In the order of the places in the machine, and at a place in that of the patterns."""
        places = {place: n for n, place in enumerate(dict.fromkeys(signal.place for signal in signals))}
        ranks = {}
        for rank, pattern in enumerate(patterns):
            for signal in signals:
                if fnmatch.fnmatchcase(self.local(signal), pattern):
                    ranks.setdefault(signal, (places[signal.place], rank))
        return sorted(ranks, key=ranks.get)

    def _label(self, signal):
        """Place, type and attribute, without what goes without saying. GTKWave would cut off what stands before a dot."""
        place = self.local(signal)[: -len(f".{signal.type}.{signal.attribute}")].removeprefix("register_file.").removeprefix(self.sm + ".")
        words = [word for word in place.split(".") if word not in ("scheduler", signal.type)] + [signal.type]
        return " ".join(words if signal.attribute in ("open", "active") else [*words, signal.attribute])

    def _signal(self, signal, label):
        if isinstance(signal.reading, dict):
            self._choice(signal)
        else:
            self._flags({"address": HEXADECIMAL, "text": ASCII}.get(signal.reading, BINARY if signal.bits == 1 else DECIMAL))
        bits = f"[{signal.bits - 1}:0]" if signal.bits > 1 else ""
        self.lines.append(f"+{{{label}}} {signal.name}{bits}")

    def _choice(self, signal):
        name = names_file(signal)
        self.files[name] = "".join(f"{value} {choice}\n" for value, choice in signal.reading.items())
        number = list(self.files).index(name) + 1
        self._flags((BINARY if signal.bits == 1 else DECIMAL) | TRANSLATED, f"^{number} {FOLDER}{name}")

    def _flags(self, flags, *lines):
        self.lines += [f"@{flags:x}", *lines]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("waves", type=pathlib.Path)
    parser.add_argument("--sub-core", default="gpu.sm_0.sub_core_0")
    parser.add_argument("-o", "--out", type=pathlib.Path, required=True, help="the view; files with the names of choices come beside it")
    arguments = parser.parse_args()
    view = View(Waves(arguments.waves, values=False), arguments.sub_core, arguments.out.name)
    arguments.out.write_text(view.text())
    for name, text in view.files.items():
        (arguments.out.parent / name).write_text(text)


if __name__ == "__main__":
    main()
