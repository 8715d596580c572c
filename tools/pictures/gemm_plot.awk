# SPDX-License-Identifier: Apache-2.0
# Draws the cycles of square matrix products by size and precision, from the table that `tcsim gemm --csv` writes:
#
#     tcsim gemm --config turing_geforce --size 128,256,384,512 --precision mixed,f16,s8,s4,b1 --csv gemm.csv
#     awk -f tools/pictures/gemm_plot.awk gemm.csv > docs/gemm.svg

BEGIN {
  FS = ","  # m, n, k, precision, instruction, ctas, cycles, ...
  split("#b35900 #1f6fb2 #2a7f3f #8a4fb0 #a83245", light, " ")
  split("#f0a35e #6db3f2 #6fcf87 #c99be8 #f08090", dark, " ")
  left = 80; top = 56; width = 520; height = 320; right = 90; bottom = 56
}

FNR > 1 {
  if (!($4 in color)) {
    precisions[++count] = $4
    color[$4] = "line" count
  }
  points[$4]++
  size[$4, points[$4]] = $1
  cycles[$4, points[$4]] = $7
  sizes[$1] = 1
  if ($1 > largest_size) largest_size = $1
  if ($7 > most_cycles) most_cycles = $7
}

function x_of(value) { return left + width * value / largest_size }
function y_of(value) { return top + height * (1 - value / axis_end) }
function text(x, y, style, content) { printf "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">%s</text>\n", x, y, style, content }

# The smallest of 1, 2 and 5 times a power of ten that divides the axis into at most eight parts.
function step_of(range,    step) {
  for (step = 1; ; step *= 10) {
    if (range <= 8 * step) return step
    if (range <= 16 * step) return 2 * step
    if (range <= 40 * step) return 5 * step
  }
}

function draw_colors(of,    p) {
  for (p = 1; p <= count; p++) printf "polyline.line%d { stroke: %s; } circle.line%d, text.line%d { fill: %s; }\n", p, of[p], p, p, of[p]
}

function draw_axes(    value, s) {
  for (value = 0; value <= axis_end; value += step) {
    printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"grid\"/>\n", left, y_of(value), left + width, y_of(value)
    text(left - 8, y_of(value) + 4, "end", value)
  }
  for (s = 1; s <= largest_size; s++) if (s in sizes) text(x_of(s), top + height + 20, "middle", s)
  text(left + width / 2, top + height + 42, "middle", "M = N = K")
  text(left, top - 30, "title", "Cycles of D = A x B, RTX 2080 Ti as modelled")
  text(left - 8, top - 12, "end", "cycles")
}

function draw_line(precision,    i, x, y, path) {
  for (i = 1; i <= points[precision]; i++) path = path sprintf("%s%.1f,%.1f", i == 1 ? "" : " ", x_of(size[precision, i]), y_of(cycles[precision, i]))
  printf "<polyline points=\"%s\" class=\"%s\"/>\n", path, color[precision]
  for (i = 1; i <= points[precision]; i++) {
    x = x_of(size[precision, i]); y = y_of(cycles[precision, i])
    printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" class=\"%s\"><title>%s, %d: %d cycles</title></circle>\n", x, y, color[precision], precision, size[precision, i], cycles[precision, i]
  }
  text(x + 10, y + 4, "name " color[precision], precision)
}

END {
  step = step_of(most_cycles)
  axis_end = step * int((most_cycles + step - 1) / step)
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">\n", left + width + right, top + height + bottom, left + width + right, top + height + bottom
  print "<title>Cycles of matrix products by size and precision</title>"
  print "<style>"
  print "text { font: 13px sans-serif; fill: #333333; } .title { font-size: 15px; font-weight: bold; } .name { font-weight: bold; }"
  print ".end { text-anchor: end; } .middle { text-anchor: middle; } .grid { stroke: #999999; stroke-opacity: 0.35; }"
  print "polyline { fill: none; stroke-width: 2.5; }"
  draw_colors(light)
  print "@media (prefers-color-scheme: dark) {"
  print "text { fill: #dddddd; }"
  draw_colors(dark)
  print "}"
  print "</style>"
  draw_axes()
  for (p = 1; p <= count; p++) draw_line(precisions[p])
  print "</svg>"
}
