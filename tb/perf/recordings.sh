#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What recordings of a whole kernel cost, against the same run without: CPU seconds, median of five runs in turn. Usage: tb/perf/recordings.sh TCSIM
set -euo pipefail

tcsim=$(realpath "${1:?usage: tb/perf/recordings.sh TCSIM}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$tcsim" gemm --config hopper --size 512 --precision mixed -o kernel.trace

# seconds OPTION...: CPU time of a run.
seconds() {
  TIMEFORMAT='%U %S'
  { time "$tcsim" run kernel.trace --config hopper "$@" >report; } 2>&1 | awk '{ print $1 + $2 }'
}

recordings=('' '--vcd run.vcd --vcd-scope sm0' '--vcd run.vcd' '--konata run.kanata' '--timeline run.json' '--stats s.json --pictures' '--stats s.json --stats-interval 1000')
for repetition in 1 2 3 4 5; do
  for r in "${!recordings[@]}"; do
    # shellcheck disable=SC2086 # several words
    echo "$r $(seconds ${recordings[r]})"
  done
done >times
for r in "${!recordings[@]}"; do
  awk -v r="$r" '$1 == r { print $2 }' times | sort -n | sed -n 3p
done | awk -v names="$(IFS='|' && echo "${recordings[*]}")" 'BEGIN { split(names, name, "|") }
  NR == 1 { off = $1 }
  { printf "%-40s %6.2f s  %.2f\n", NR == 1 ? "off" : name[NR], $1, $1 / off }'
