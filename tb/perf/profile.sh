#!/usr/bin/env bash
# Where the time of a run goes, by kind of work: `tb/perf/profile.sh COMMAND...`, e.g. of build/release/bin/tcsim. Samples with perf (package
# linux-perf) and sorts the functions by their names, so a function that the compiler put into another counts as that one.
set -euo pipefail
(($# > 0)) || { echo "usage: $0 COMMAND..." >&2; exit 2; }
samples=$(mktemp)
trap 'rm -f "$samples"' EXIT
perf record --quiet --freq 5000 --output "$samples" "$@" >/dev/null
perf report --input "$samples" --no-children --fields overhead,sym --stdio 2>/dev/null | awk '
  !/^ *[0-9.]+%/ { next }
  /tc::numerics/ { kind = "arithmetic" }
  !/tc::numerics/ { kind = "other" }
  /tc::(trace|isa)::|boost::|streambuf|istream|memchr|memcmp/ { kind = "trace and its decoding" }
  /sc_core|sc_dt|tlm::|tlm_utils|tc::fabric|_Function_handler|adjust_heap/ { kind = "SystemC, sockets and clock" }
  /scheduler|selection|scoreboard|port_reservation|plan_operands|operand_fetch::(announce|issue|unit_)|reuse_cache|allocate_stage|issue_slot|tensor_(timing|demand|operation)/ {
    kind = "issue and reservations" }
  /threadgroups|tensor_(core|pipe)|dot_product_units|product_layout|octet_step|b_buffer|register_bank|write_back|operand_fetch::(read|dispatch|gather)|definedness|memmove|memset|memcpy/ {
    kind = "moving operands and results" }
  { share[kind] += $1 }
  END { for (kind in share) printf "%5.1f %%  %s\n", share[kind], kind }' | sort -nr
