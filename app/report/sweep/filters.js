// SPDX-License-Identifier: Apache-2.0
// What stands in the filter of a column: "4", "!=4", ">=4", "2..8", "1, 2, 4"; for texts, parts of them.
"use strict";

{
  const comparisons = {
    "<": (a, b) => a < b,
    "<=": (a, b) => a <= b,
    ">": (a, b) => a > b,
    ">=": (a, b) => a >= b,
    "=": (a, b) => a === b,
    "!=": (a, b) => a !== b,
  };

  const toNumber = (text) => {
    const number = Number(text.trim());
    if (text.trim() === "" || Number.isNaN(number)) throw new Error(`"${text.trim()}" is no number`);
    return number;
  };

  const numberTest = (text) => {
    const range = text.match(/^(.*?)\.\.(.*)$/);
    if (range) {
      const from = range[1].trim() === "" ? -Infinity : toNumber(range[1]);
      const to = range[2].trim() === "" ? Infinity : toNumber(range[2]);
      return (value) => value >= from && value <= to;
    }
    const [, sign, operand] = text.match(/^(<=|>=|!=|<|>|=)?(.*)$/);
    const bound = toNumber(operand);
    return (value) => comparisons[sign ?? "="](value, bound);
  };

  const textTest = (text) => {
    const [, sign, operand] = text.match(/^(!=|=)?(.*)$/);
    const wanted = operand.trim().toLowerCase();
    if (sign === "=") return (value) => value === wanted;
    return sign === "!=" ? (value) => value !== wanted : (value) => value.includes(wanted);
  };

  // A predicate on the values of a column, or null for an empty filter. Throws an Error that says what is wrong.
  tcsim.parseFilter = (text, isNumeric) => {
    const parts = text.split(",").map((part) => part.trim()).filter((part) => part !== "");
    if (parts.length === 0) return null;
    const tests = parts.map(isNumeric ? numberTest : textTest);
    if (isNumeric) return (value) => value !== null && tests.some((test) => test(value));
    return (value) => tests.some((test) => test(String(value).toLowerCase()));
  };
}
