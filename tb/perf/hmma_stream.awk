# Writes a trace that keeps the tensor cores of one SM busy and touches no memory: warps that issue nothing but HMMA.16816.F32, each on its
# accumulators in turn.
#
#     awk -v warps=16 -v accumulators=8 -v instructions=200000 -f tb/perf/hmma_stream.awk > stream.trace
#     build/release/bin/tcsim run stream.trace --config hopper

BEGIN {
  a = 4; b = 8; first_c = 12
  print "tcsim-trace 1\narch sm_90\nkernel hmma_stream\ngrid 1 1 1\nblock " 32 * warps " 1 1"
  print "registers " first_c + 4 * accumulators "\ncta 0 0 0"
  for (warp = 0; warp < warps; ++warp) {
    print "warp " warp
    for (r = a; r < first_c + 4 * accumulators; ++r) print "reg R" r " 0x3c003800"
    for (i = 0; i < instructions / warps; ++i) {
      c = first_c + 4 * (i % accumulators)
      printf "/*%04x*/ [B------:R-:W-:-:S02] HMMA.16816.F32 R%d, R%d, R%d, R%d\n", 16 * i, c, a, b, c
    }
    printf "/*%04x*/ [B------:R-:W-:-:S05] EXIT\n", 16 * i
  }
}
