// SPDX-License-Identifier: Apache-2.0
// The results as columns: the workload, each axis, each metric, and how each point ended. A row is the index of a point.
"use strict";

{
  const statusText = (status) => {
    if (status === null) return "not run";
    if (status > 128) return `killed by signal ${status - 128}`;
    return {0: "done", 1: "check failed", 2: "bad input", 3: "model stopped"}[status] ?? `exit status ${status}`;
  };

  // What is better of a metric that does not say so: less; or of one with negative values, what is nearest to 0.
  const preference = (better, values) => better || (values.some((value) => value < 0) ? "nearest_zero" : "less");

  const isNumber = (value) => typeof value === "number";

  const distinct = (values) => {
    const found = [...new Set(values.filter((value) => value !== null))];
    return found.every(isNumber) ? found.sort((a, b) => a - b) : found;
  };

  // Of axes the values are shown as they were set, of metrics with separators.
  const column = (name, kind, values, more = {}) => {
    const isNumeric = values.some(isNumber) && values.every((value) => value === null || isNumber(value));
    const format = kind === "metric" && isNumeric ? (value) => (value === null ? "\u2013" : tcsim.formatNumber(value)) : tcsim.formatValue;
    const unit = more.unit && more.unit !== name ? more.unit : "";  // "cycles" says it all
    return {
      name,
      kind,
      values,
      isNumeric,
      format,
      unit,
      title: unit ? `${name} [${unit}]` : name,
      description: more.description ?? "",
      better: preference(more.better, values),
      least: more.least ?? null,  // of a point's runs that chance varies; null: each ran once
      most: more.most ?? null,
      varied: more.varied ?? null,  // sorted values of these runs, by point
      distinct: distinct(values)
    };
  };

  const axisColumn = (points) => ({name, path, unit, meaning}, index) =>
      column(name, "axis", points.axes[index], {unit, description: path ? `${path}: ${meaning}` : meaning});

  const metricColumn = (points) => ({name, unit, description, better}, index) => column(
      name, "metric", points.metrics[index],
      {unit, description, better, least: points.least?.[index], most: points.most?.[index], varied: points.varied?.[index]});

  // "1,234" or, of several runs, "1,234 (1,200 to 1,250)".
  tcsim.formatWithRange = (column, row) => {
    const {least, most, format, values} = column;
    const value = format(values[row]);
    return least === null || !isNumber(least[row]) || least[row] === most[row] ? value :
                                                                                 `${value} (${format(least[row])} to ${format(most[row])})`;
  };

  // What a value costs, so that less of it is better.
  tcsim.costOf = (column, value) => ({more: -value, less: value, nearest_zero: Math.abs(value)})[column.better];

  // `data` is what the page was written with.
  tcsim.makeModel = (data) => {
    const {points, runs} = data;
    const ofRuns = (pick) => points.run.map((run) => pick(runs[run]));
    const statuses = points.status ?? ofRuns((run) => run.status);  // of repeated runs the worst
    const warnings = ofRuns((run) => (run.status === null ? null : run.warnings.length));
    const columns = [
      column("point", "number", points.number),
      column("workload", "workload", ofRuns((run) => run.workload)),
      ...data.axes.map(axisColumn(points)),
      ...data.metrics.map(metricColumn(points)),
      column("result", "status", statuses.map(statusText)),
      ...(warnings.some((count) => count > 0) ? [column("warnings", "count", warnings)] : []),
      column("seconds", "cost", ofRuns((run) => run.seconds), {unit: "s", description: "time it took the host"}),
    ];
    const of = (kind) => columns.filter((each) => each.kind === kind);
    const workload = of("workload")[0];
    const hasWorkloads = workload.distinct.length > 1;
    const axes = of("axis");
    const bases = data.axes.findIndex(({path}) => path === "");
    const shortest = (row) => `#${points.number[row]}${hasWorkloads ? ` ${workload.values[row]}` : ""}`;
    const identity = [...(hasWorkloads ? [workload] : []), ...axes];
    return {
      data,
      columns,
      axes,
      metrics: of("metric"),
      bases: bases < 0 ? null : axes[bases],  // the axis of base configurations
      workload,
      status: of("status")[0],
      hasWorkloads,
      plotted: [...(hasWorkloads ? [workload] : []), ...axes, ...of("metric"), ...of("cost")],
      column: (name) => columns.find((each) => each.name === name),
      rows: points.number.map((number, row) => row),
      run: (row) => runs[points.run[row]],
      message: (row) => points.message?.[row] ?? runs[points.run[row]].message,
      runIndex: (row) => points.run[row],
      hasResult: (row) => statuses[row] === 0 || statuses[row] === 1,
      isFailed: (row) => statuses[row] !== null && statuses[row] !== 0,
      isUnfinished: (row) => statuses[row] === null,
      // What tells a point from others: "#12 gemm, banks 2, units 4".
      name: (row) => [shortest(row), ...axes.map((axis) => `${axis.name} ${axis.format(axis.values[row])}`)].join(", "),
      shortName: shortest,
      // The same, one a line, with more columns below.
      describe: (row, more) => ({
        title: `point ${points.number[row]}`,
        lines:
            [...new Set([...identity, ...more])].map((each) => `${each.name}: ${tcsim.formatWithRange(each, row)} ${each.unit}`.trimEnd()),
      }),
    };
  };
}
