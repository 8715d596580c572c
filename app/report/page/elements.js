// SPDX-License-Identifier: Apache-2.0
// What all views of a page use: elements without markup from text, numbers for people, the page's data.
"use strict";

const tcsim = {};

{
  const wholeNumber = new Intl.NumberFormat("en", {maximumFractionDigits: 0});
  const shortNumber = new Intl.NumberFormat("en", {maximumSignificantDigits: 5});

  // element("td", {class: "number", onclick: f}, "text", child): text never becomes markup.
  tcsim.element = (tag, attributes = {}, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on"))
        made.addEventListener(name.slice(2), value);
      else if (typeof value === "boolean")
        made.toggleAttribute(name, value);
      else if (value !== undefined && value !== null)
        made.setAttribute(name, value);
    }
    made.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return made;
  };

  // A select box over [{value, text}] behind its name.
  tcsim.labelledSelect = (name, options, chosen, onchange) => {
    const select = tcsim.element("select", {onchange: () => onchange(select.value)});
    for (const {value, text} of options) select.append(tcsim.element("option", {value, selected: value === chosen}, text));
    return tcsim.element("label", {}, name, select);
  };

  tcsim.labelledCheckbox = (name, checked, onchange) => {
    const box = tcsim.element("input", {type: "checkbox", checked, onchange: () => onchange(box.checked)});
    return tcsim.element("label", {}, box, name);
  };

  tcsim.formatNumber = (value) => {
    if (value === 0) return "0";
    const size = Math.abs(value);
    if (size >= 1e15 || size < 1e-4) return value.toExponential(3);
    return Number.isInteger(value) || size >= 1e5 ? wholeNumber.format(value) : shortNumber.format(value);
  };

  // Values as they stand in a configuration or an axis: numbers without separators, so that they can be copied.
  tcsim.formatValue = (value) => {
    if (value === undefined || value === null) return "\u2013";
    return typeof value === "object" ? JSON.stringify(value) : String(value);
  };

  // With its sign, and a place behind the point.
  tcsim.formatChange = (change) => `${change < 0 ? "\u2212" : "+"}${Math.abs(change).toFixed(1)}`;

  tcsim.formatPercent = (share) => `${(100 * share).toFixed(1)} %`;

  tcsim.counted = (count, noun) => `${wholeNumber.format(count)} ${noun}${count === 1 ? "" : "s"}`;

  tcsim.readData = () => JSON.parse(document.getElementById("data").textContent);
}
