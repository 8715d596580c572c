# SPDX-License-Identifier: Apache-2.0
"""Places in C++ sources where an operator or a constant may be exchanged for another one."""

import dataclasses
import json
import pathlib
import random
import re

EQUIVALENT = pathlib.Path(__file__).with_name("equivalent.json")

EXCHANGES = {
    " + ": [" - "],
    " - ": [" + "],
    " * ": [" + "],
    " / ": [" * "],
    " % ": [" / "],
    " < ": [" <= ", " >= "],
    " <= ": [" < ", " > "],
    " > ": [" >= ", " <= "],
    " >= ": [" > ", " < "],
    " == ": [" != "],
    " != ": [" == "],
    " && ": [" || "],
    " || ": [" && "],
    " & ": [" | "],
    " | ": [" & "],
    " << ": [" >> "],
    " >> ": [" << "],
    " += ": [" -= "],
    " -= ": [" += "],
    " |= ": [" &= "],
    " &= ": [" |= "],
    "true": ["false"],
    "false": ["true"],
    "std::min": ["std::max"],
    "std::max": ["std::min"],
    "++": ["--"],
}
# Binary operators stand between blanks, as clang-format writes them; so brackets of templates and unary operators are none.
TOKEN = re.compile("|".join(re.escape(each) for each in sorted(EXCHANGES, key=len, reverse=True) if each[0] == " ") + r"|\b(?:true|false)\b|std::(?:min|max)\b|\+\+"
                   + r"|(?<![\w.\"'])\d+(?=[uUlL]*\b(?![.\w'\"]))")
COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
# What is not of the behaviour: includes, what the compiler checks, what debug builds assert, memory set aside ahead.
NOT_BEHAVIOUR = re.compile(r"^\s*#|static_assert|sc_assert|\.reserve\(|^\s*template\b|\boperator\b|= default|^\s*friend\b")


@dataclasses.dataclass(frozen=True)
class Mutant:
    file: str  # path in the checkout
    at: int  # offset in its text
    old: str
    new: str
    line: int
    text: str  # of the line, as it is

    def applied(self, source):
        return source[: self.at] + self.new + source[self.at + len(self.old) :]

    @property
    def exchange(self):
        return f"{self.old.strip()} -> {self.new.strip()}"

    def __str__(self):
        return f"{self.file}:{self.line}: {self.exchange}: {self.text.strip()}"


def blanked(source):
    """The source with comments and texts replaced by as many blanks, so that offsets stay."""
    return COMMENT_OR_TEXT.sub(lambda found: re.sub(r"[^\n]", "\0", found[0]), source)


def mutants_of(file, source):
    """All mutants of a source, those of a place as one list."""
    places = []
    code = blanked(source)
    begin = 0
    for number, line in enumerate(code.split("\n"), 1):
        if not NOT_BEHAVIOUR.search(line):
            for token in TOKEN.finditer(line):
                old = token[0]
                new = [str(int(old) + 1)] if old.isdigit() else EXCHANGES[old]
                text = source[begin : begin + len(line)]
                places.append([Mutant(file, begin + token.start(), old, each, number, text) for each in new])
        begin += len(line) + 1
    return places


def drawn(places, seed):
    """The places in random order, of each one mutant."""
    chance = random.Random(seed)
    order = list(places)
    chance.shuffle(order)
    return [chance.choice(place) for place in order]


class Equivalents:
    """Mutants that compute the same as the source, each with the reason, which somebody has found: of a file, by the text of the line and what
    is exchanged in it. `nth` counts, from 1, where the text and the exchange fit several places of the file."""

    def __init__(self, places):
        self.reasons = {}  # by file and offset and the exchange
        self.lost = []  # entries without a place
        for entry in json.loads(EQUIVALENT.read_text()):
            same = [mutant for place in places for mutant in place
                    if (mutant.file, mutant.text.strip(), mutant.exchange) == (entry["file"], entry["line"], entry["exchange"])]
            nth = entry.get("nth", 1)
            if len(same) < nth:
                self.lost.append(entry)
            else:
                self.reasons[self.key(same[nth - 1])] = entry["why"]

    @staticmethod
    def key(mutant):
        return mutant.file, mutant.at, mutant.exchange

    def reason(self, mutant):
        """Why it computes the same; None if nobody has found that it does."""
        return self.reasons.get(self.key(mutant))
