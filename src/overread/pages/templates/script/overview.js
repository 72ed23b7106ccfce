// ---- overview: differences against a baseline, and the standings to take along
function differences() {
  const base = state.baseline || systems[0];
  $("baseline").value = base;
  const rows = [];
  const widest = {};
  for (const m of metrics) {
    const found = m.differences.filter((d) => d[0] === base || d[1] === base);
    widest[m.name] = Math.max(1e-9, ...found.flatMap((d) => [d[2], d[3], d[4]].filter((v) => v !== null).map(Math.abs)));
    found.forEach((d, n) => {
      const turn = d[0] === base ? -1 : 1, other = d[0] === base ? d[1] : d[0];
      const [low, high] = d[3] === null ? [null, null] : [turn * d[3], turn * d[4]].sort((a, b) => a - b);
      rows.push([m, n ? 0 : found.length, other, turn * d[2], low, high, d[5]]);
    });
  }
  const head = node("thead", {}, node("tr", {}, ...["Metric", "System", `worse than ${base}  ·  better`, "Difference", "Interval", "p"].map((text, n) =>
    node("th", { scope: "col", class: n > 2 ? `num${n === 4 ? " wide" : ""}` : n === 2 ? "mid" : "" }, text))));
  const body = node("tbody", {}, ...rows.map(([m, span, other, difference, low, high, p]) => node("tr", { class: span ? "first" : "" },
    span ? node("th", { scope: "rowgroup", rowspan: span }, m.title, m.kind === "Word overlap" ? node("span", { class: "tag" }, "word overlap") : null) : null,
    node("td", { class: "sys" }, who(other)), node("td", { class: "plot" }, forest(m, other, difference, low, high, widest[m.name])),
    node("td", { class: "num" }, signed(difference)), node("td", { class: "num wide soft" }, low === null ? "–" : `${signed(low)} – ${signed(high)}`),
    node("td", { class: `num${p < 0.05 ? " best" : ""}` }, chance(p)))));
  $("differences").replaceChildren(node("table", { class: "board", "data-name": `differences against ${base}` }, head, body));
  equip($("differences"));
}
function forest(m, system, difference, low, high, widest) {
  const turn = m.direction === "lower" ? -1 : 1;
  const x = (value) => `${(50 + (turn * value * 46) / widest).toFixed(2)}%`;
  const svg = drawn("svg", { class: `whisker ${colour(system)}`, role: "img", "aria-label": `${system}: ${signed(difference)}` },
    drawn("line", { class: "grid", x1: "50%", x2: "50%", y1: "0", y2: "100%" }));
  if (low !== null) svg.append(drawn("line", { class: "span", x1: x(low), x2: x(high), y1: "50%", y2: "50%" }));
  svg.append(drawn("svg", { x: x(difference), y: "50%", overflow: "visible" }, drawn("path", { class: "sign", d: shape(system) })));
  return svg;
}
if ($("baseline")) {
  $("baseline").addEventListener("input", () => go({ baseline: $("baseline").value }));
  drawers.overview = differences;
}
$("standings-tools").append(
  tool("CSV", () => save("standings.csv", standingsCsv(), "text/csv"), "the standings"),
  tool("Markdown", () => copied(markdown(), "Markdown of the standings"), "the standings"),
  tool("LaTeX", () => copied(latex(), "LaTeX of the standings"), "the standings"));
