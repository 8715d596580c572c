# SPDX-License-Identifier: Apache-2.0
"""The table of docs/performance.md."""


def number(value):
    """Three digits and a unit."""
    for unit, size in (("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{value / size:.3g} {unit}" if value < 999.5 * size else f"{value / size:.0f} {unit}"
    return f"{value:.0f}" if value else ""


def markdown_table(rows):
    """A line for each benchmark: with data, then without. `rows`: measurements, those of a benchmark one after the other."""
    lines = [
        "| | instructions/s | matrix instructions/s | MAC/s | of arithmetic alone | cycles/s | MiB | `--no-data`: instructions/s | cycles/s |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for with_data, without in zip(rows[::2], rows[1::2]):
        cells = [
            f"`{with_data.name}`",
            number(with_data.per_second(with_data.instructions)),
            number(with_data.per_second(with_data.matrix_instructions)),
            number(with_data.per_second(with_data.multiply_accumulates)),
            f"{100 * with_data.of_numerics:.0f} %" if with_data.of_numerics else "",
            number(with_data.per_second(with_data.cycles)),
            f"{with_data.peak_bytes / 2**20:.0f}",
            number(without.per_second(without.instructions)),
            number(without.per_second(without.cycles)),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)
