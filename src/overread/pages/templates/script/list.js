// ---- the list of cases: found, filtered, in order
const PAGE = 60;
const seen = { order: [], limit: PAGE, key: "" };
const UNGRADED = "ungraded";
let texts = null; // of all reports, once somebody searches
function fillChoices() {
  if ($("system").options.length) return;
  const { kinds, levels, findings } = book.list;
  const count = new Map();
  for (const s of systems) for (const own of book.list.faults[s]) for (let n = 0; n < own.length; n += 4) count.set(own[n + 2], (count.get(own[n + 2]) || 0) + 1);
  const common = [...count].sort((a, b) => b[1] - a[1]).slice(0, 200).map(([n, c]) => option(findings[n], `${findings[n]} (${c})`));
  $("system").append(option("", "all"), ...systems.map((s) => option(s, s)));
  $("sort").append(option("", data.source ? "worst first" : "as in the file"), ...reportMetrics.map((m) => option(m.name, `worst ${m.title} first`)));
  $("kind").append(option("", "any"), ...kindChoices(kinds));
  $("level").append(option("", "any"), ...levels.filter((l, n) => systems.some((s) => book.list.faults[s].some((own) => own.some((v, m) => m % 4 === 1 && v === n)))).map((l) => option(l || UNGRADED, data.grades[l])));
  $("finding").append(option("", "any"), ...common);
  $("wins").append(option("", "either"), ...systems.flatMap((a) => systems.filter((b) => b !== a).map((b) => option(`${a}>${b}`, `${a} beats ${b}`))));
}
function kindChoices(kinds) {
  // A group of several kinds is a heading that can be chosen as a whole; a group of one kind is that kind.
  const named = Object.values(data.classes).flat();
  const groups = { ...data.classes, other: kinds.filter((k) => !named.includes(k)) };
  return Object.entries(groups).map(([name, own]) => [name, own.filter((k) => kinds.includes(k))]).filter(([, own]) => own.length).map(([name, own]) =>
    (own.length === 1 && name !== "other" ? option(name, own[0]) : node("optgroup", { label: name }, option(name, `${name}: all`), ...own.map((k) => option(k, k)))));
}
const FIELDS = ["q", "system", "sort", "kind", "level", "finding", "wins", "show"];
function showChoices() {
  for (const name of FIELDS) {
    const field = $(name);
    if (field.tagName === "SELECT" && state[name] && ![...field.options].some((o) => o.value === state[name])) field.append(option(state[name], state[name]));
    if (document.activeElement !== field || field.tagName === "SELECT") field.value = state[name];
  }
  $("best").checked = Boolean(state.best);
  const extra = [["organ", state.organ], ["cell", cellName()]].filter(([, text]) => text);
  const any = FIELDS.some((name) => state[name]) || state.best || extra.length;
  $("chips").replaceChildren(...extra.map(([name, text]) => node("button", { type: "button", class: "chip", onclick: () => go({ [name]: "" }) }, `${text} ×`)),
    ...(any ? [node("button", { type: "button", class: "chip", onclick: () => go({ q: "", system: "", sort: "", best: "", kind: "", level: "", finding: "", organ: "", cell: "", wins: "", show: "" }) }, "clear all")] : []));
}
function cellName() {
  if (!state.cell) return "";
  const [key, name, r, c] = state.cell.split(":");
  const { labels } = book.matrices[key];
  return `${name || "all"}: ${labels[r]} → ${labels[c]}`;
}
function value(place, system) {
  const column = book.list.values[system][state.sort];
  return column ? column[place] : null;
}
function faultFilter() {
  const { kinds, levels, findings, organs } = book.list;
  const named = Object.values(data.classes).flat();
  const wanted = state.kind ? data.classes[state.kind] || (state.kind === "other" ? kinds.filter((k) => !named.includes(k)) : [state.kind]) : null;
  const kind = wanted && new Set(wanted.map((k) => kinds.indexOf(k)));
  const level = state.level ? levels.indexOf(state.level === UNGRADED ? "" : state.level) : -1;
  const finding = state.finding ? findings.indexOf(state.finding) : -1;
  const organ = state.organ ? organs.indexOf(state.organ === "elsewhere" ? "" : state.organ) : -1;
  if (!kind && level < 0 && !state.finding && !state.organ) return null;
  return (own) => {
    for (let n = 0; n < own.length; n += 4)
      if ((!kind || kind.has(own[n])) && (level < 0 || own[n + 1] === level) && (!state.finding || own[n + 2] === finding) && (!state.organ || own[n + 3] === organ)) return true;
    return false;
  };
}
function searched() {
  const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return null;
  const { ids, patients, verdicts, faults, findings } = book.list;
  return (place, n) => {
    const system = systems[n], own = faults[system][place];
    let names = "";
    for (let m = 2; m < own.length; m += 4) names += `${findings[own[m]]} `;
    const hay = `${ids[place]} ${patients[place] || ""} ${verdicts[system][place]} ${names} ${texts ? `${texts[place][0]} ${texts[place][n + 1]}` : ""}`.toLowerCase();
    return words.every((word) => hay.includes(word));
  };
}
function better() {
  if (!state.wins) return null;
  const [a, b] = state.wins.split(">");
  const { values, gravity } = book.list;
  const metric = metrics.find((m) => m.name === state.sort);
  if (!metric) return (place) => gravity[a]?.[place] < gravity[b]?.[place];
  const turn = metric.direction === "lower" ? -1 : 1;
  return (place) => {
    const [x, y] = [values[a][state.sort][place], values[b][state.sort][place]];
    return typeof x === "number" && typeof y === "number" && turn * x > turn * y;
  };
}
function arrange() {
  const start = performance.now();
  const { ids, notes, gravity, faults, values, doubts } = book.list;
  const chosen = state.system ? [systems.indexOf(state.system)] : systems.map((_, n) => n);
  const byFault = faultFilter(), byText = searched(), byWin = better();
  const cell = state.cell ? state.cell.split(":") : null;
  const inCell = cell && systems.map((s) => new Set(places(book.matrices[cell[0]], s, cell[1], `${cell[2]},${cell[3]}`)));
  const shownFor = (place, system) => {
    const odd = notes[system][place];
    if (state.show === "scored") return !odd;
    if (state.show === "odd") return Boolean(odd);
    if (state.show === "doubtful") return doubts[system][place] > 0;
    const found = state.sort ? [value(place, system)] : reportMetrics.map((m) => values[system][m.name][place]);
    return found.some((v) => v === (state.show === "failed" ? "failed" : null));
  };
  const rows = [];
  for (let place = 0; place < ids.length; place++) {
    if (byWin && !byWin(place)) continue;
    for (const n of chosen) {
      const system = systems[n];
      if (inCell && !inCell[n].has(place)) continue;
      if (byFault && !byFault(faults[system][place])) continue;
      if (state.show && !shownFor(place, system)) continue;
      if (byText && !byText(place, n)) continue;
      rows.push([place, n, keyOf(place, system)]);
    }
  }
  const turn = state.best ? -1 : 1;
  rows.sort((a, b) => (a[2] === b[2] ? 0 : !isFinite(a[2]) ? 1 : !isFinite(b[2]) ? -1 : turn * (a[2] - b[2])) || a[0] - b[0] || a[1] - b[1]);
  seen.order = rows.map(([place, n]) => [place, systems[n]]);
  seen.limit = PAGE;
  seen.took = performance.now() - start;
  function keyOf(place, system) {
    if (!state.sort) return (notes[system][place] ? 1e9 : 0) - gravity[system][place];
    const found = value(place, system), metric = metrics.find((m) => m.name === state.sort);
    return typeof found === "number" ? (metric && metric.direction === "lower" ? -found : found) : Infinity;
  }
}
function list() {
  const { ids, notes, verdicts, faults, levels, doubts } = book.list;
  $("list").replaceChildren(...seen.order.slice(0, seen.limit).map(([place, system]) => {
    const current = ids[place] === state.case && system === activeSystem();
    const own = faults[system][place];
    const worst = own.length ? Math.min(...own.filter((_, n) => n % 4 === 1)) : -1;
    return node("li", {}, node("button", { type: "button", "aria-current": current, onclick: () => openCase(place, system, true) },
      node("span", { class: "id" }, who(system, ids[place]), systems.length > 1 ? node("small", {}, system) : null),
      state.sort ? node("span", { class: "val" }, shown(value(place, system))) : worst >= 0 && levels[worst] ? node("span", { class: `level ${levels[worst]}` }, data.grades[levels[worst]]) : "",
      notes[system][place] ? node("span", { class: "odd" }, notes[system][place]) : null,
      doubts[system][place] ? node("span", { class: "doubts" }, `${doubts[system][place]} doubtful`) : null,
      node("span", { class: "verdict" }, verdicts[system][place])));
  }));
  const total = seen.order.length;
  $("count").textContent = `${total.toLocaleString("en")} ${total === 1 ? "case" : "cases"}${systems.length > 1 ? ", one per report and system" : ""}`;
  $("more").hidden = seen.limit >= total;
}
if (matchMedia("(max-width: 999px)").matches) $("more-filters").open = false;
$("more").addEventListener("click", () => { seen.limit += PAGE; list(); });
$("filters").addEventListener("submit", (event) => event.preventDefault());
$("filters").addEventListener("input", (event) => {
  const { id } = event.target;
  go({ [id]: id === "best" ? (event.target.checked ? "1" : "") : event.target.value });
});
