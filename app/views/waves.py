# SPDX-License-Identifier: Apache-2.0
"""Reads VCD files as tcsim writes them: signals by their full names, with their values by cycle."""

import bisect
import collections


class Signal:
    """A signal, how people read its values, and what it has at the times when it changes."""

    def __init__(self, name, bits):
        self.name, self.bits = name, bits
        self.place, self.type, self.attribute = ("." + name).rsplit(".", 2) if name.count(".") > 1 else ("", "", name)
        self.place = self.place.removeprefix(".")
        self.reading = ""  # "address", "text", a dictionary of choices, or nothing special
        self.times, self.values = [], []  # binary digits of full width

    def at(self, time):
        """Its binary digits at a time."""
        return self.values[bisect.bisect_right(self.times, time) - 1]

    def number(self, time):
        """Its number, or None where nobody drives it."""
        digits = self.at(time)
        return None if "z" in digits else int(digits, 2)

    def text(self, time):
        number = self.number(time)
        return "" if number is None else number.to_bytes((self.bits + 7) // 8, "big").lstrip(b"\0").decode("ascii")


class Waves:
    """A whole file, or its declarations only."""

    def __init__(self, path, values=True):
        self.signals, self.times = {}, []  # times are cycles
        self.cycle = 1  # its length in the units of the file
        by_code, self.readings = {}, {}
        with open(path, encoding="ascii") as file:
            self._declarations(file, by_code)
            if values:
                self._values(file, by_code)

    def _declarations(self, file, by_code):
        scope = []
        for line in file:
            words = line.split() or [""]
            if words[0] == "$scope":
                scope.append(words[2])
            elif words[0] == "$upscope":
                scope.pop()
            elif words[0] == "$comment" and words[1:4] == ["one", "cycle", "is"]:
                self.cycle = int(words[4])
            elif words[0] == "$comment" and words[1].endswith(":"):
                self.readings[words[1][:-1]] = self._reading(" ".join(words[2:-1]))
            elif words[0] == "$var":
                signal = Signal(".".join([*scope, words[4]]), int(words[2]))
                signal.reading = self.readings.get(f"{signal.type}.{signal.attribute}", "")
                self.signals[signal.name] = by_code.setdefault(words[3], signal)
            elif words[0] == "$enddefinitions":
                return

    @staticmethod
    def _reading(text):
        return dict(part.split(" ", 1) for part in text.split(", ")) if " " in text else text

    def _values(self, file, by_code):
        for line in file:
            if line[0] == "#":
                self.times.append(int(line[1:]) // self.cycle)
            elif line[0] == "b":
                digits, code = line[1:].split()
                self._change(by_code[code], digits)
            elif line[0] in "01xz":
                self._change(by_code[line[1:].strip()], line[0])

    def _change(self, signal, digits):
        fill = "0" if digits[0] == "1" else digits[0]
        signal.times.append(self.times[-1])
        signal.values.append(digits.rjust(signal.bits, fill))

    def of(self, place, type_name):
        """The signals of a stream by their own names; none if there is no such stream."""
        return {s.attribute: s for s in self.signals.values() if s.place == place and s.type == type_name}

    def total(self, place, type_name):
        """How many records of a stream have begun."""
        return self.of(place, type_name)["count"].number(self.times[-1])

    def streams(self):
        """Places and types, in the order of the file, with their signals."""
        found = collections.defaultdict(list)
        for signal in self.signals.values():
            if signal.type:
                found[signal.place, signal.type].append(signal)
        return found
