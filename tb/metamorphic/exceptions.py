# SPDX-License-Identifier: Apache-2.0
"""Resources of which more makes a kernel slower than chance explains, each with its cause. All but these are findings."""

# (machine, workload, parameter) as regular expressions, and why.
EXCEPTIONS = [
    (
        r"hopper/wgmma/sm\.warpgroup\.operand_tiles",
        "operands that are read further ahead take the banks of shared memory from the bulk copy of the next stage, for which the warpgroup then waits",
    ),
]
