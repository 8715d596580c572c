// SPDX-License-Identifier: Apache-2.0
// Whether the runs of two points differ by more than chance makes: the test of app/support/rank_test.hpp, which has the sources.
"use strict";

{
  const mostExact = 50;  // values in all
  const fewestRuns = 4;
  const level = 0.05;

  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

  // How many of the ways to take `taken` of the ranks have each sum.
  const waysBySum = (ranks, taken) => {
    const sums = 1 + sum(ranks);
    const ways = Array.from({length: taken + 1}, () => new Float64Array(sums));
    ways[0][0] = 1;
    for (const rank of ranks)
      for (let count = taken; count > 0; --count)
        for (let total = rank; total < sums; ++total) ways[count][total] += ways[count - 1][total - rank];
    return ways[taken];
  };

  // Of the absolute value of a normal variable (Abramowitz and Stegun, 7.1.26: within 1.5e-7).
  const normalTail = (z) => {
    const x = z / Math.SQRT2;
    const t = 1 / (1 + 0.3275911 * x);
    const polynomial = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
    return polynomial * Math.exp(-x * x);
  };

  // The probability that chance parts two samples of one population as far as these, or farther.
  tcsim.rankTest = (a, b) => {
    const all = [...a, ...b].sort((x, y) => x - y);
    const doubledRank = new Map();  // the mean rank of equal values, doubled
    let ties = 0;
    for (let first = 0; first < all.length;) {
      const end = all.lastIndexOf(all[first]) + 1;
      doubledRank.set(all[first], first + end + 1);
      ties += (end - first) ** 3 - (end - first);
      first = end;
    }
    const mean = a.length * (all.length + 1);
    const distance = Math.abs(sum(a.map((value) => doubledRank.get(value))) - mean);
    if (all.length > mostExact) {
      const variance = (a.length * b.length / 12) * (all.length + 1 - ties / (all.length * (all.length - 1)));
      return variance <= 0 ? 1 : normalTail(Math.max(0, distance / 2 - 0.5) / Math.sqrt(variance));
    }
    const ways = waysBySum(all.map((value) => doubledRank.get(value)), a.length);
    const asFar = ways.filter((count, total) => Math.abs(total - mean) >= distance);
    return sum(asFar) / sum(ways);
  };

  // "real", "within chance" or "too few runs to tell"; null: the points do not have several runs.
  tcsim.chanceVerdict = ({varied}, row, other) => {
    const [a, b] = [varied?.[row], varied?.[other]];
    if (!a?.length || !b?.length) return null;
    if (Math.min(a.length, b.length) < fewestRuns) return "too few runs to tell";
    const isApart = a[a.length - 1] < b[0] || b[b.length - 1] < a[0];  // runs are sorted; none can be farther apart
    return isApart || tcsim.rankTest(a, b) < level ? "real" : "within chance";
  };

  // -1: what `row` has in this column is better than what `other` has, by more than chance makes; 1: it is worse; 0: neither is known.
  tcsim.compareRows = (column, row, other) => {
    const verdict = tcsim.chanceVerdict(column, row, other);
    if (verdict !== null && verdict !== "real") return 0;
    return Math.sign(tcsim.costOf(column, column.values[row]) - tcsim.costOf(column, column.values[other]));
  };
}
