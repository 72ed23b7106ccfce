// ---- one case: the reference and every system side by side
const place = () => (book ? book.list.ids.indexOf(state.case) : -1);
const activeSystem = () => (state.active && systems.includes(state.active) ? state.active : state.system || systems[0]);
function openCase(at, system, focus) {
  pinned = null;
  go({ case: book.list.ids[at], active: system }, true);
  if (!focus) return;
  $("case").focus({ preventScroll: true });
  if (matchMedia("(max-width: 999px)").matches) $("case").scrollIntoView();
}
function step(by) {
  const at = seen.order.findIndex(([p, s]) => p === place() && s === activeSystem());
  const next = seen.order[at + by];
  if (!next) return;
  if (at + by >= seen.limit) seen.limit += PAGE;
  openCase(next[0], next[1], false);
  document.querySelector("#list [aria-current=true]")?.scrollIntoView({ block: "nearest" });
}
drawers.cases = async () => {
  await theBook();
  fillChoices();
  if (state.q && !texts) texts = await opened("texts");
  showChoices();
  const key = [...FIELDS, "best", "organ", "cell"].map((name) => state[name]).join("\n");
  if (key !== seen.key) { seen.key = key; arrange(); }
  if (place() < 0 && seen.order.length) {
    state.case = book.list.ids[seen.order[0][0]];
    state.active = seen.order[0][1];
  }
  list();
  await show();
};
async function show() {
  const at = place(), system = activeSystem();
  if (at < 0) return $("case").replaceChildren(node("p", { class: "note" }, "No cases match. Clear a filter."));
  const [errors, panels, all] = await Promise.all([errorsOf(at), panelsOf(at), opened("texts")]);
  texts = all;
  if (at !== place() || system !== activeSystem() || state.tab !== "cases") return; // another was chosen meanwhile
  const lenses = [...(errors[system].panel ? ["errors"] : []), ...(errors[system].doubts ? ["doubts"] : []), ...reportMetrics.filter((m) => panels && panels[system][m.name]).map((m) => m.name), ...(panels && panels[system].reading ? ["reading"] : [])];
  const lens = lenses.includes(state.lens) ? state.lens : lenses[0] || "";
  const panelOf = (s) => (lens === "errors" ? errors[s].panel : lens === "doubts" ? errors[s].doubts : lens && panels ? panels[s][lens] : null);
  const panel = panelOf(system), told = errors[system].told || { why: {}, parts: {} };
  $("case").replaceChildren(
    heading(at), lensTabs(lenses, lens, at, system),
    ...(told.why[lens] ? [node("p", { class: "why" }, `${titles[lens]} has no value here: ${told.why[lens]}.`)] : []),
    node("p", { class: "tell" }, dot(system), panel ? lead(panel, told.parts[lens]) : `${system}: no metric that was scored explains words.`),
    beside(at, sides(at, system, panelOf, (s) => (lens === "doubts" ? null : errors[s].doubts))),
    node("p", { class: "told-of", id: "told-of", "aria-live": "polite" }),
    ...(lens === "reading" ? [] : [legend(errors[system].doubts)]), ...(panel ? panel.tables.map((t) => table(t, systems.indexOf(system))) : []), ...(lens === "errors" && panel && panel.tables.length ? [misread(at, system, panel, lenses.includes("reading"))] : []), numbers(at, told, system),
    ...(panels ? [] : [node("p", { class: "note" }, "The tables of single metrics are kept for the most serious cases, to keep the page small; details.jsonl has all.")]));
  equip($("case"));
}
const lead = (panel, parts) => `${panel.lead}${parts ? ` Precision ${shown(parts[0])}, recall ${shown(parts[1])}.` : ""}`;
function heading(at) {
  const { ids, patients } = book.list;
  const where = seen.order.findIndex(([p, s]) => p === at && s === activeSystem());
  return node("header", {},
    node("h2", {}, ids[at], patients[at] ? node("a", { class: "tag", href: address({ tab: "patients", patient: patients[at] }) }, `patient ${patients[at]}`) : null),
    node("span", { class: "steps" }, where >= 0 ? node("span", { class: "soft" }, `${(where + 1).toLocaleString("en")} of ${seen.order.length.toLocaleString("en")} `) : null,
      node("button", { type: "button", "aria-label": "previous case", onclick: () => step(-1) }, "←"), " ",
      node("button", { type: "button", "aria-label": "next case", onclick: () => step(1) }, "→"), " ",
      node("button", { type: "button", id: "permalink", title: "Copy a link to this case", onclick: () => copied(location.href.split("#")[0] + address(), "Link") }, "Link")));
}
function lensTabs(lenses, lens, at, system) {
  return node("div", { class: "tabs lenses", role: "group", "aria-label": "Colour the words by" }, ...lenses.map((name) => node("button", {
    type: "button", "aria-pressed": name === lens, title: LENSES[name] ? LENSES[name][1] : metrics.find((m) => m.name === name).about,
    onclick: () => { pinned = null; go({ lens: name }); } },
    LENSES[name] ? LENSES[name][0] : titles[name], name === "reading" || (name === "errors" && !(data.source in book.list.values[system])) ? "" : node("b", {}, ` ${name === "doubts" ? book.list.doubts[system][at] : shown(book.list.values[system][name === "errors" ? data.source : name][at])}`))));
}
const LENSES = { reading: ["Why?", "Every finding that was read, with the words, lexicon rows and probabilities behind it"], errors: ["What is wrong", "What is wrong, in words"], doubts: ["Doubtful", "Readings that a second look at the text calls into question"] };
function sides(at, system, panelOf, doubtsOf) {
  const both = (s) => [...((panelOf(s) || {}).marks || []), ...((doubtsOf(s) || {}).marks || [])];
  const found = systems.map((s) => ({ marks: both(s) }));
  const ours = found.flatMap((panel, n) => panel.marks.filter((m) => m[0] === "r").map((m) => [m[1], m[2], m[3], `${n}:${m[4]}`, m[5], systems[n] === system]));
  const columns = systems.map((s, n) => {
    const marks = found[n].marks.filter((m) => m[0] === "c").map((m) => [m[1], m[2], m[3], `${n}:${m[4]}`, m[5], true]);
    return side(s, texts[at][n + 1], marks, at, s === system);
  });
  return node("div", { class: `sides n${Math.min(4, systems.length + 1)}` }, side("", texts[at][0], ours, at, false), ...columns);
}
function beside(at, texts) { // the images of the study, where a column of the references names them
  const id = book.list.ids[at], found = data.images[id];
  if (!found) return texts;
  const missing = (name) => ({ target }) => target.parentNode.replaceWith(node("p", { class: "note" }, `The image ${decodeURIComponent(name)} is not beside this page.`));
  return node("div", { class: "beside" }, node("div", { class: "films" }, ...found.map((name, n) => node("a", { href: name, target: "_blank", title: "Open in full size" }, node("img", { src: name, alt: `Image ${n + 1} of ${id}`, onerror: missing(name) })))), texts);
}
function side(system, text, marks, at, active) {
  const body = text.trim() ? node("p", { class: "report" }, ...pieces(text, marks)) : node("p", { class: "report empty" }, "no text");
  const note = system ? book.list.notes[system][at] : null;
  const head = system
    ? node("button", { type: "button", class: "side-head", "aria-pressed": active, title: "Compare the reference with this system", onclick: () => { pinned = null; go({ active: system }); } }, who(system))
    : node("span", { class: "side-head" }, "Reference");
  const values = system && book.list.values[system][data.main];
  const score = values ? node("span", { class: "score" }, node("small", {}, `${titles[data.main]} `), shown(values[at])) : null;
  return node("div", { class: `side${active ? " active" : ""}${system ? "" : " reference"}` }, node("h3", {}, head, note ? node("span", { class: "tag warn" }, note) : null, score),
    system && data.source ? node("p", { class: "one-line" }, book.list.verdicts[system][at]) : null, body);
}
function legend(doubts) {
  const names = [["matched", "agrees"], ["partial", "partly"], ["missed", "missed"], ["invented", "invented"], ["contradicted", "contradicted"], ["wrong", "words that differ"], ...(doubts ? [["doubtful", "doubtful reading"]] : [])];
  return node("p", { class: "legend kinds" }, ...names.map(([k, text]) => node("span", { class: `k ${k}` }, text)));
}
function table(found, n) {
  const head = node("thead", {}, node("tr", {}, ...found.head.map((name) => node("th", { scope: "col" }, name))));
  const body = node("tbody", {}, ...found.rows.map(([kind, group, cells]) =>
    node("tr", { class: kind, "data-groups": `${n}:${group}`, tabindex: 0 },
      ...cells.map(([text, own, below], c) => node("td", { "data-head": found.head[c] || "", class: `${own || ""}${["critical", "significant", "minor", "negligible"].includes(text) ? ` level ${text}` : ""}` }, text, below ? node("span", { class: "c" }, below) : null)))));
  const caption = found.title ? node("caption", {}, found.title, found.note ? node("small", {}, found.note) : null) : null;
  return node("div", { class: "scroll" }, node("table", { class: "told", "data-name": `${state.case} ${found.title}` }, caption, head, body));
}
function numbers(at, told, active) {
  const head = node("thead", {}, node("tr", {}, node("th", { scope: "col" }, "Metric"), ...systems.map((s) => node("th", { scope: "col", class: "num" }, who(s)))));
  const body = node("tbody", {}, ...reportMetrics.map((m) => node("tr", {}, node("th", { scope: "row", title: m.about }, m.title),
    ...systems.map((s) => node("td", { class: "num", title: s === active ? told.why[m.name] || "" : "" }, shown(book.list.values[s][m.name][at]))))));
  return node("details", {}, node("summary", {}, "All numbers of this case"), node("div", { class: "scroll" }, node("table", { class: "plain numbers", "data-name": `${state.case} numbers` }, head, body)));
}
