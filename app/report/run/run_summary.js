// SPDX-License-Identifier: Apache-2.0
// The run in words: what was run, how long it took, whether it was right, and what the tensor cores waited for.
"use strict";

{
  const {element} = tcsim;
  const mostCauses = 4;

  // Shares by cause, the largest first, in words.
  const lossText = (causes, shares) => {
    const lost = causes.map(({key, text}, index) => ({key, text, share: shares[index]}))
                     .filter(({share}) => share >= 0.0005)
                     .sort((a, b) => b.share - a.share);
    const told = lost.slice(0, mostCauses)
                     .map(({key, text, share}) => `${key === "issued" ? "other instructions" : text} ${tcsim.formatPercent(share)}`);
    if (lost.length > mostCauses) told.push(`others ${tcsim.formatPercent(tcsim.sum(lost.slice(mostCauses).map(({share}) => share)))}`);
    return told.join("; ");
  };

  // Where matrices are multiplied: in the sub-cores, there by warpgroups, or on tensor memory.
  const tensorKinds = ["tensor", "warpgroup", "tensor_engine.matrices"];

  const slotShares = (model) => {
    const total = tcsim.sum(model.accounts.slots);
    return model.accounts.slots.map((count) => (total === 0 ? 0 : count / total));
  };

  // Sub-cores that never had a warp are left out.
  const tensorText = (model) => {
    const kind = model.kinds.find((each) => tensorKinds.includes(each.kind));
    if (!kind) return "The tensor cores were not used.";
    const used = kind.units.map((path) => model.run.utilisation[path]).filter((unit) => unit.idle || unit.busy_cycles > 0);
    const cycles = model.run.cycles * used.length;
    const which = used.length < kind.units.length ? ` of ${used.length} of ${kind.units.length} sub-cores` : "";
    const busy = `Tensor cores${which} busy ${tcsim.formatPercent(tcsim.sum(used.map((unit) => unit.busy_cycles)) / cycles)} of the cycles`;
    if (!used.some((unit) => unit.idle)) return `${busy}.`;
    const lost = model.causes.map(({key}) => tcsim.sum(used.map((unit) => unit.idle?.[key] ?? 0)) / cycles);
    return `${busy}; lost to: ${lossText(model.causes, lost)}.`;
  };

  // Statistics of older versions do not say it.
  const limitTexts = ({limits = []}) => limits.slice(0, 1).map(({text}) => element("p", {id: "limit-text"}, `Limit: ${text}.`));

  const slotText = (model) => {
    const shares = slotShares(model);
    const issued = model.causes.findIndex(({key}) => key === "issued");
    const lost = shares.map((share, index) => (index === issued ? 0 : share));
    return `Issue slots used ${tcsim.formatPercent(shares[issued])}; lost to: ${lossText(model.causes, lost)}.`;
  };

  /** Of the addresses of the trace that are not what the registers make; null if all are. */
  const addressError = ({addresses, wrong_addresses: wrong}) => {
    if (!addresses || addresses.different === 0) return null;
    const count = `${tcsim.formatNumber(addresses.different)} of ${tcsim.formatNumber(addresses.compared)} addresses`;
    return {text: `WRONG: ${count} are not what the registers make. The first: ${wrong[0].text}.`, state: "bad"};
  };

  const verdict = (model) => addressError(model.run) ?? verdictOnBytes(model);

  const verdictOnBytes = (model) => {
    if (model.mismatches === null) return {text: "Results were not compared with anything.", state: "faint"};
    const bytes = tcsim.counted(tcsim.sum(model.run.expect.map((each) => each.bytes)), "byte");
    const undefinedText = `${tcsim.formatNumber(model.undefinedBytes)} of ${bytes} ${
        model.undefinedBytes === 1 ? "is undefined: it holds" : "are undefined: they hold"} what the model did not compute`;
    const also = model.undefinedBytes === 0 ? "" : ` ${undefinedText}.`;
    if (model.mismatches > 0)
      return {text: `WRONG results: ${tcsim.formatNumber(model.mismatches)} of ${bytes} differ.${also}`, state: "bad"};
    if (model.undefinedBytes > 0) return {text: `Results as expected, but ${undefinedText}.`, state: "bad"};
    return {text: `Results exact: ${bytes} as expected.`, state: "good"};
  };

  const microseconds = (us = 0) => (us < 1000 ? `${us.toFixed(2)} µs` : `${(us / 1000).toFixed(2)} ms`);

  // Where the cycles lie of the runs that chance varied, and what limited these; nothing without them.
  const chanceTexts = ({jitter}) => {
    if (!jitter || jitter.runs === 0) return [];
    const number = tcsim.formatNumber;
    const kernels = jitter.kernels.map(
        ({kernel, median, least, most}) =>
            `${kernel}: ${number(median)} cycles in the median, ${number(least)} at least, ${number(most)} at most`);
    const limits = (jitter.limits ?? []).map(({limit, runs}) => `${limit} in ${runs}`).join(", ");
    return [
      `In ${tcsim.counted(jitter.runs, "run")} varied by chance, ${kernels.join("; ")}.${limits ? ` What limits most: ${limits}.` : ""}`
    ];
  };

  tcsim.runSummary = (host, model) => {
    const {run, data} = model;
    const names = [...new Set(model.kernels.map(({kernel}) => kernel))];
    const right = verdict(model);
    host.append(
        element("p", {class: "kind faint"}, "Run"), element("h1", {}, names.join(", ")),
        element(
            "p", {},
            `${tcsim.counted(run.cycles, "cycle")} (${microseconds(run.time_us)} at ${tcsim.formatNumber(run.config.clock_mhz)} MHz) on ${
                run.config.name}, ${tcsim.counted(run.instructions, "instruction")}, ${
                (run.cycles === 0 ? 0 : run.instructions / run.cycles).toFixed(2)} per cycle.`),
        ...chanceTexts(run).map((text) => element("p", {id: "chance-text"}, text)), ...limitTexts(run),
        element("p", {id: "tensor-text"}, tensorText(model)), element("p", {id: "slot-text"}, slotText(model)),
        element("p", {id: "verdict", class: right.state}, right.text));
    if (run.status !== "finished") host.append(element("p", {class: "bad"}, `The run did not finish: ${run.status}.`));
    for (const excess of run.beyond_the_model ?? []) {
      const kernel = excess.kernel === undefined ? "" : ` ${model.kernels[excess.kernel].kernel}`;
      host.append(element("p", {class: "bad beyond-the-model"}, `Beyond the model:${kernel} ${excess.text}.`));
    }
    if (run.energy) host.append(element("p", {}, `Energy: ${tcsim.formatNumber(run.energy.total_nj)} nJ.`));
    host.append(element("p", {class: "faint"}, `Statistics: ${data.file}.`));
  };

  const extent = (size) => (size ?? []).join(" × ");

  tcsim.kernelTable = (host, model) => {
    const heads = [
      {text: "kernel"}, {text: "trace"}, {text: "grid"}, {text: "block"}, {text: "CTAs", number: true}, {text: "warps", number: true},
      {text: "instructions", number: true}, {text: "start", number: true}, {text: "cycles", number: true},
      {text: "bytes that differ", number: true}, {text: "undefined bytes", number: true}
    ];
    const expected = ({expect}, count) =>
        (expect ?? []).length === 0 ? "\u2013" : tcsim.formatNumber(tcsim.sum(expect.map((each) => each[count] ?? 0)));
    const rows = model.kernels.map(
        (kernel) =>
            [kernel.kernel, kernel.file, extent(kernel.grid), extent(kernel.block), tcsim.formatNumber(kernel.ctas),
             tcsim.formatNumber(kernel.warps), tcsim.formatNumber(kernel.instructions), tcsim.formatNumber(kernel.start),
             tcsim.formatNumber(kernel.cycles), expected(kernel, "mismatches"), expected(kernel, "undefined")]);
    host.append(tcsim.plainTable("Kernels", heads, rows));
  };

  const mostWarnings = 200;

  tcsim.warningList = (section, host, model) => {
    const warnings = model.run.warnings ?? [];
    section.hidden = warnings.length === 0;
    host.append(element("ul", {}, warnings.slice(0, mostWarnings).map((text) => element("li", {class: "wrap"}, text))));
    if (warnings.length > mostWarnings) host.append(element("p", {class: "faint"}, `and ${warnings.length - mostWarnings} more`));
  };

  // What kept dependent instructions apart. Statistics of an older tcsim do not say it.
  const hazardsTexts = {
    silicon: "Hazards: control codes alone kept dependent instructions apart, as on silicon.",
    interlock: "Hazards: control codes and the scoreboard kept dependent instructions apart (interlock)."
  };

  tcsim.configurationView = (host, model) => {
    const {base, parameters} = model.data.differs;
    if (base === null)
      host.append(element("p", {}, `A configuration of its own, ${model.run.config.name}.`));
    else if (parameters.length === 0)
      host.append(element("p", {}, `The built-in configuration ${base}.`));
    else
      host.append(
          element("p", {}, `The built-in configuration ${base}, but for:`),
          tcsim.plainTable(
              "Configuration", [{text: "parameter"}, {text: base}, {text: "this run"}],
              parameters.map(([path, from, to]) => [path, tcsim.formatValue(from), tcsim.formatValue(to)])));
    if (model.run.hazards in hazardsTexts) host.append(element("p", {}, hazardsTexts[model.run.hazards]));
    host.append(
        element("details", {}, element("summary", {}, "All parameters"), element("pre", {}, JSON.stringify(model.run.config, null, 2))));
  };
}
