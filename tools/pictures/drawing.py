# SPDX-License-Identifier: Apache-2.0
"""A drawing over cycles, as SVG: boxes and lines in rows, the names of the rows to their left, the cycles above them."""

import html

ROW, NAMES, CYCLE, TOP = 18, 330, 14, 24


class Drawing:
    def __init__(self, first_cycle, last_cycle):
        self.first, self.last = first_cycle, last_cycle
        self.rows, self.parts = 0, []
        for cycle in range(-(-first_cycle // 10) * 10, last_cycle, 10):
            self.parts.append(f'<text x="{self.x(cycle)}" y="14" fill="#666">{cycle}</text>')
            self.parts.append(f'<path d="M{self.x(cycle)} 18V9999" stroke="#ddd"/>')

    def x(self, cycle):
        return NAMES + (min(max(cycle, self.first), self.last) - self.first) * CYCLE

    def y(self, row):
        return TOP + row * ROW

    def row(self, name):
        self.parts.append(f'<text x="4" y="{self.y(self.rows) + 13}">{html.escape(name[:52])}</text>')
        self.rows += 1
        return self.rows - 1

    def box(self, row, begin, end, text, colour):
        if end <= self.first or begin >= self.last:
            return
        width = self.x(end) - self.x(begin)
        self.parts.append(f'<rect x="{self.x(begin)}" y="{self.y(row) + 2}" width="{width}" height="{ROW - 4}" fill="{colour}" stroke="#fff"><title>'
                          f"{html.escape(text)}: {begin} to {end}</title></rect>")
        if shown := text[: int(width / 6.4)]:
            self.parts.append(f'<text x="{self.x(begin) + 2}" y="{self.y(row) + 13}">{html.escape(shown)}</text>')

    def arrow(self, row, cycle, to_row, to_cycle):
        if self.first <= cycle <= self.last and self.first <= to_cycle <= self.last:
            self.parts.append(f'<path d="M{self.x(cycle)} {self.y(row) + ROW / 2}C{self.x(cycle) + 30} {self.y(row) + ROW / 2} {self.x(to_cycle) - 30} '
                              f'{self.y(to_row) + ROW / 2} {self.x(to_cycle)} {self.y(to_row) + ROW / 2}" fill="none" stroke="#333" stroke-dasharray="3 2"/>')

    def text(self):
        width, height = self.x(self.last) + 10, self.y(self.rows) + 6
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="monospace" font-size="11">\n'
                f'<rect width="{width}" height="{height}" fill="#fff"/>\n' + "\n".join(part.replace("V9999", f"V{height}") for part in self.parts) + "\n</svg>\n")
