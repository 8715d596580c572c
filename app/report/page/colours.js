// SPDX-License-Identifier: Apache-2.0
// Colours of charts, for light and dark pages and for paper.
"use strict";

{
  // "Bright" of P. Tol, Colour Schemes, SRON/EPS/TN/09-002, which the colour-blind tell apart too, then six of his "muted".
  const bright = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377"];
  const muted = ["#ddaa77", "#8877cc", "#44aa99", "#882255", "#999933", "#cc99bb"];
  const categories = [...bright, ...muted];
  // Viridis of matplotlib, without its ends, which vanish on one ground or the other.
  const ramp = [[64, 67, 135], [52, 95, 141], [41, 121, 142], [33, 145, 140], [41, 175, 127], [92, 200, 99], [160, 218, 57]];

  tcsim.categoryColours = categories.length;
  tcsim.categoryColour = (index) => categories[index % categories.length];

  // Of a share from 0 to 1.
  tcsim.rampColour = (share) => {
    const place = Math.min(Math.max(share, 0), 1) * (ramp.length - 1);
    const below = Math.min(Math.floor(place), ramp.length - 2);
    const mixed = ramp[below].map((from, i) => Math.round(from + (ramp[below + 1][i] - from) * (place - below)));
    return `rgb(${mixed.join(", ")})`;
  };
  tcsim.rampGradient = `linear-gradient(to right, ${ramp.map((colour) => `rgb(${colour.join(", ")})`).join(", ")})`;

  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  tcsim.theme = () => ({
    text: css("--text"),
    faint: css("--faint"),
    line: css("--line"),
    ground: css("--ground"),
    raised: css("--raised"),
    dim: css("--dim")
  });

  // Tooltips of charts stand out from the page: its colours, swapped.
  tcsim.tooltipColours = () => {
    const {text, ground} = tcsim.theme();
    const footerFont = {weight: "normal", style: "italic"};
    return {backgroundColor: text, titleColor: ground, bodyColor: ground, footerColor: ground, footerFont};
  };

  // Calls `redraw` when the page turns light or dark, or is printed, on white.
  tcsim.onThemeChange = (redraw) => {
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
    for (const event of ["beforeprint", "afterprint"]) addEventListener(event, redraw);
  };
  for (const [event, isPrinted] of [["beforeprint", true], ["afterprint", false]])
    addEventListener(event, () => document.documentElement.classList.toggle("printed", isPrinted));
}
