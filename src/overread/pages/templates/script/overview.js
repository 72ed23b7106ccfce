// ---- overview: differences against a baseline, and the standings to take along
function differences() {
  const base = state.baseline || systems[0];
  $("baseline").value = base;
  const rows = [];
  const against = (m) => m.differences.filter((d) => d[0] === base || d[1] === base);
  const shared = metrics.filter((m) => m.top === 1).flatMap((m) => against(m).flatMap((d) => [d[2], d[3], d[4]])).filter((v) => v !== null).map(Math.abs);
  const widest = Math.max(0.1, Math.ceil(Math.max(0, ...shared) * 10) / 10); // one axis for all metrics from 0 to 1
  for (const m of metrics) {
    const found = against(m);
    found.forEach((d, n) => {
      const turn = d[0] === base ? -1 : 1, other = d[0] === base ? d[1] : d[0];
      const [low, high] = d[3] === null ? [null, null] : [turn * d[3], turn * d[4]].sort((a, b) => a - b);
      rows.push([m, n ? 0 : found.length, other, turn * d[2], low, high, d[5]]);
    });
  }
  const head = node("thead", {}, node("tr", {}, ...["Metric", "System", [node("span", {}, `worse than ${base}`), node("span", {}, "better")], "Difference", "Interval", "p"].map((text, n) =>
    node("th", { scope: "col", class: n > 2 ? `num${n === 4 ? " wide" : ""}` : n === 2 ? "plot" : "" }, text))),
    node("tr", { class: "scale" }, node("td", { colspan: 2 }), node("td", { class: "plot" }, axisOf(widest)), node("td"), node("td", { class: "wide" }), node("td")));
  const body = node("tbody", {}, ...rows.map(([m, span, other, difference, low, high, p]) => node("tr", { class: span ? "first" : "" },
    span ? node("th", { scope: "rowgroup", rowspan: span }, m.title, m.kind === "Word overlap" ? node("span", { class: "tag" }, "word overlap") : null, m.top === 1 ? null : node("span", { class: "tag" }, `axis ±${m.top.toFixed(1)}`)) : null,
    node("td", { class: "sys" }, who(other)), node("td", { class: "plot" }, forest(m, other, difference, low, high, m.top === 1 ? widest : m.top)),
    node("td", { class: "num" }, signed(difference)), node("td", { class: "num wide soft" }, low === null ? "–" : `${signed(low)} to ${signed(high)}`),
    node("td", { class: `num${p < 0.05 ? " best" : ""}` }, chance(p)))));
  $("differences").replaceChildren(node("table", { class: "board", "data-name": `differences against ${base}` }, head, body));
  equip($("differences"));
}
function axisOf(widest) {
  const at = (value) => `${50 + (value * 46) / widest}%`;
  return drawn("svg", { class: "whisker ticks", role: "img", "aria-label": `axis from −${widest} to +${widest}` }, ...[-widest, -widest / 2, 0, widest / 2, widest].map((value) =>
    drawn("text", { x: at(value), y: "70%", "text-anchor": "middle" }, value ? `${value < 0 ? "−" : "+"}${Number(Math.abs(value).toFixed(2))}` : "0")));
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
