# SPDX-License-Identifier: Apache-2.0
"""What is more of a resource: for each parameter of a machine whether it is a capacity, of which more is better, or a time, of which less is."""

import re

# What a machine is, what values it computes, and what decides no cycle by itself. Sizes of lines and sectors are no amounts: larger ones
# bring more at a time and fewer of them.
NO_RESOURCES = re.compile(
    r"^(name|architectures|clock_mhz|sms|units|energy|jitter)\b|\.(arithmetic|peak)\.|\.(policy|hazards|mapping|banks_layout)$"
    r"|\.(line_bytes|sector_bytes|page_kib|max_bytes|bank_width_bytes|sub_cores|patience_cycles)$"
)
# Amounts of time, or what makes things take longer.
TIMES = re.compile(r"(_cycles|\.cycles|_stages|_divider)$")
# These end as times do, and are amounts of room: cycles in which something may still happen.
ROOMS = re.compile(r"\.read_window_cycles$")
# By how much something is early: more of it is better or worse by what is meant by it.
LEADS = re.compile(r"(_lead_cycles|\.lead_cycles)$")


def flattened(value, path=""):
    """The paths and values of all numbers of a configuration."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from flattened(inner, join(path, key))
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path, value


def join(path, key):
    if not re.fullmatch(r"\w+", key):
        return f"{path}[{key}]"
    if path.endswith(("opcode_latency_cycles", "opcode_interval_cycles")):
        return f"{path}[{key}]"
    return f"{path}.{key}" if path else key


def better_value(path, value):
    """A value with more of the resource; None if the parameter is none, or the machine does without it."""
    if NO_RESOURCES.search(path) or LEADS.search(path) or value == 0:
        return None
    base = re.sub(r"\[[^]]*\]$", "", path)
    if TIMES.search(base) and not ROOMS.search(base):
        return value // 2 if value > 1 else None
    return 2 * value


def resources_of(configuration):
    """(path, value, better value) of every resource."""
    rows = []
    for path, value in flattened(configuration):
        better = better_value(path, value)
        if better is not None:
            rows.append((path, value, better))
    return rows
