#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The streams of matrix instructions keep their control codes' promises: on no machine is a result read before it is there, whatever the number
# of accumulators. What a run warns of is printed.
# usage: streams_test.sh TCSIM
set -euo pipefail

tcsim=$1
streams=$(dirname "$0")/matrix_stream.awk
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failed=0

while read -r preset operation; do
  for accumulators in 2 4 6 8; do
    awk -v operation="$operation" -v warps=4 -v accumulators=$accumulators -v instructions=384 -f "$streams" >stream.trace
    "$tcsim" run stream.trace --config "$preset" --set sms=1 --no-data >report 2>&1 || { cat report; failed=1; }
    if grep -E ' warnings?:$' report; then
      echo "$operation, $accumulators accumulators, on $preset"
      grep -A 3 -E ' warnings?:$' report
      failed=1
    fi
  done
done <<END
volta HMMA.884.F32.F32
turing HMMA.1688.F32
turing IMMA.8816.S8.S8
turing BMMA.88128.XOR.POPC
hopper HMMA.16816.F32
hopper IMMA.16832.S8.S8
END
exit $failed
