// ---- findings: confusion matrices, each cell leading to its cases
const MATRICES = { presence: ["Present or absent: what the reference says, what the system says", "All conditions"], change: ["Course: what the reference says, what the system says", "All diseases"] };
drawers.findings = async () => {
  await theBook();
  if ($("matrices").dataset.drawn === state.confusion + "·") return;
  $("matrices").dataset.drawn = state.confusion + "·";
  const parts = [];
  for (const [key, [title, all]] of Object.entries(MATRICES)) {
    const found = book.matrices[key];
    const names = [...new Set(systems.flatMap((s) => Object.keys(found.cells[s])))].sort();
    if (!names.length) continue;
    const chosen = state.confusion.startsWith(`${key}:`) ? state.confusion.slice(key.length + 1) : "";
    const select = node("select", { id: `of-${key}`, oninput: (event) => go({ confusion: event.target.value ? `${key}:${event.target.value}` : "" }) }, option("", all), ...names.map((n) => option(n, n)));
    select.value = chosen;
    parts.push(node("div", { class: "titled" }, node("h2", {}, title), node("label", { class: "inline" }, node("span", {}, "of"), select)),
      node("div", { class: "matrices" }, ...systems.map((s) => matrix(key, found, s, chosen))));
  }
  $("matrices").replaceChildren(...parts);
  equip($("matrices"));
};
function places(found, system, name, key) {
  const own = found.cells[system];
  return [...new Set((name ? [name] : Object.keys(own)).flatMap((one) => (own[one] || {})[key] || []))];
}
function tallied(found, system, name, key) {
  const own = found.cells[system];
  return (name ? [name] : Object.keys(own)).reduce((sum, one) => sum + ((own[one] || {})[key] || []).length, 0);
}
function matrix(key, found, system, name) {
  const { labels } = found;
  const counts = labels.map((_, r) => labels.map((__, c) => tallied(found, system, name, `${r},${c}`)));
  const most = Math.max(1, ...counts.flat());
  const head = node("thead", {}, node("tr", {}, node("th", { scope: "col" }, who(system)), ...labels.map((l) => node("th", { scope: "col", class: "num" }, l))));
  const body = node("tbody", {}, ...labels.map((label, r) => node("tr", {}, node("th", { scope: "row" }, label), ...labels.map((to, c) => {
    const n = counts[r][c], step = n ? Math.min(9, 1 + Math.floor(8 * (n / most) ** 0.7)) : 0;
    const inside = n ? node("a", { href: address({ ...BLANK, tab: "cases", system, cell: [key, name, r, c].join(":") }), "aria-label": `${system}: reference ${label}, system ${to}: ${n}` }, String(n)) : "";
    return node("td", { class: `h${step}${r === c ? " same" : ""}` }, inside);
  }))));
  return node("div", { class: "card scroll" }, node("table", { class: "heat matrix", "data-name": `${key} ${system}` }, head, body));
}
const rare = $("all-findings");
if (rare) rare.addEventListener("click", () => {
  document.querySelectorAll("#findings .rare").forEach((row) => { row.hidden = false; });
  rare.hidden = true;
});
if ($("rates")) $("rates").addEventListener("input", () => $("findings").classList.toggle("rates", $("rates").checked));
