# SPDX-License-Identifier: Apache-2.0
# Writes a trace of warps that copy memory and compute nothing: each round loads 16 bytes a thread, `loads` times, and stores what has come.
# With many warps and loads the memory is the limit; with few, most cycles are waits.
#
#     awk -v warps=16 -v loads=4 -v rounds=1000 -f tb/perf/memory_stream.awk > copy.trace
#     build/release/bin/tcsim run copy.trace --config hopper --set sms=1
#
# Copies from 0x10000000 to 0x20000000; each round of a warp has bytes of its own.

BEGIN {
  bytes = 512 * loads * rounds * warps
  cta_warps = warps < 32 ? warps : 32
  print "tcsim-trace 1\narch sm_90\nkernel copy_stream\ngrid " warps / cta_warps " 1 1\nblock " 32 * cta_warps " 1 1"
  printf "registers %d\nmemory 0x10000000 %d fill 0x5a\nmemory 0x20000000 %d zero\n", 8 + 4 * loads, bytes, bytes
  printf "expect 0x20000000 %d fill 0x5a\n", bytes
  for (warp = 0; warp < warps; ++warp) {
    if (warp % cta_warps == 0) print "cta " warp / cta_warps " 0 0"
    print "warp " warp % cta_warps
    for (round = 0; round < rounds; ++round) {
      first = 512 * loads * (rounds * warp + round)
      for (i = 0; i < loads; ++i)
        printf "/*%04x*/ [B%s:R-:W0:-:S%02d] LDG.E.128.SYS R%d, [RZ] @ 0x%x+16\n", 16 * i, (i ? "------" : "-1----"), (i < loads - 1 ? 1 : 2), 8 + 4 * i, 268435456 + first + 512 * i  # a counter counts from the second cycle on
      for (i = 0; i < loads; ++i)
        printf "/*%04x*/ [B%s:R1:W-:-:S01] STG.E.128.SYS [RZ], R%d @ 0x%x+16\n", 16 * (loads + i), (i ? "------" : "0-----"), 8 + 4 * i, 536870912 + first + 512 * i
    }
    printf "/*%04x*/ [B------:R-:W-:-:S05] EXIT\n", 32 * loads
  }
}
