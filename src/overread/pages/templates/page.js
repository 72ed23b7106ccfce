"use strict";
// The page's own script: the case list, one case in full, patients over time. No library, nothing fetched.
(() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const { cases, systems, metrics, batch } = data;
  const reportMetrics = metrics.filter((m) => m.unit === "report");
  const title = Object.fromEntries(metrics.map((m) => [m.name, m.title]));
  const PAGE = 100;
  const STRENGTH = { contradicted: 4, missed: 3, invented: 3, partial: 2, matched: 1, "": 0 };

  // ---- small things
  function node(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name === "class") made.className = value;
      else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
    }
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
  }
  function drawn(tag, attributes = {}, ...children) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }
  const shown = (value) => (typeof value === "number" ? value.toFixed(3) : value === "failed" ? "failed" : "–");
  const colour = (system) => `s${systems.indexOf(system) % 6}`;
  const dot = (system) => node("i", { class: `dot ${colour(system)}` });
  const option = (value, text) => node("option", { value }, text);

  async function opened(element) {
    const bytes = Uint8Array.from(atob(element.textContent), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  }
  const chunks = [...document.querySelectorAll("script.chunk")];
  const known = new Map();
  async function full(place) {
    const n = Math.floor(place / batch);
    if (!known.has(n)) known.set(n, opened(chunks[n]));
    return (await known.get(n))[cases.ids[place]];
  }

  // ---- theme: as the device has it, or as the reader chose
  const themes = ["", "light", "dark"];
  function setTheme(theme) {
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
    $("theme").textContent = { "": "Auto", light: "Light", dark: "Dark" }[theme];
    try { localStorage.setItem("overread-theme", theme); } catch { /* private window: the choice is not kept */ }
  }
  let theme = "";
  try { theme = localStorage.getItem("overread-theme") || ""; } catch { /* as above */ }
  setTheme(themes.includes(theme) ? theme : "");
  $("theme").addEventListener("click", () => {
    theme = themes[(themes.indexOf(document.documentElement.dataset.theme || "") + 1) % 3];
    setTheme(theme);
  });

  // ---- the list
  const state = { order: [], limit: PAGE, place: -1, system: "", lens: "" };
  $("by-system").append(option("", "all"), ...systems.map((s) => option(s, s)));
  $("by-metric").append(option("", "Overall"), ...reportMetrics.map((m) => option(m.name, m.title)));

  function value(place, system) {
    const metric = $("by-metric").value;
    return metric ? cases.values[system][metric][place] : cases.overall[system][place];
  }
  function fits(place, system) {
    const text = $("find").value.trim().toLowerCase();
    const patient = cases.patients[place] || "";
    if (text && !cases.ids[place].toLowerCase().includes(text) && !patient.toLowerCase().includes(text)) return false;
    const odd = cases.notes[system][place];
    const wanted = $("by-note").value;
    const found = $("by-metric").value ? [value(place, system)] : reportMetrics.map((m) => cases.values[system][m.name][place]);
    if (wanted === "scored") return !odd;
    if (wanted === "odd") return Boolean(odd);
    if (wanted === "undefined") return found.some((v) => v === null);
    if (wanted === "failed") return found.some((v) => v === "failed");
    return true;
  }
  function arrange() {
    const chosen = $("by-system").value ? [$("by-system").value] : systems;
    const metric = metrics.find((m) => m.name === $("by-metric").value);
    let sign = metric && metric.direction === "lower" ? -1 : 1;
    if ($("best-first").checked) sign = -sign;
    state.order = [];
    for (let place = 0; place < cases.ids.length; place++)
      for (const system of chosen) if (fits(place, system)) state.order.push([place, system]);
    const key = ([place, system]) => {
      const found = value(place, system);
      return typeof found === "number" ? sign * found : Infinity; // without a value: at the end
    };
    state.order.sort((a, b) => key(a) - key(b) || a[0] - b[0]);
    state.limit = PAGE;
    list();
  }
  function list() {
    const metric = metrics.find((m) => m.name === $("by-metric").value);
    $("list").replaceChildren(...state.order.slice(0, state.limit).map(([place, system]) => {
      const found = value(place, system);
      const share = typeof found === "number" ? found / (metric ? metric.top : 1) : 0;
      const current = place === state.place && system === state.system;
      return node("li", {}, node("button", { type: "button", "aria-current": current, onclick: () => open(place, system, true) },
        dot(system), node("span", { class: "id" }, cases.ids[place]), node("span", { class: "val" }, shown(found)),
        cases.notes[system][place] ? node("span", { class: "odd" }, cases.notes[system][place]) : null,
        node("span", { class: `meter ${colour(system)}` }, bar(share))));
    }));
    const total = state.order.length;
    $("count").textContent = `${total.toLocaleString("en")} ${total === 1 ? "case" : "cases"}`;
    $("more").hidden = state.limit >= total;
  }
  function bar(share) {
    const made = node("i");
    made.style.width = `${Math.max(0, Math.min(1, share)) * 100}%`;
    return made;
  }
  $("more").addEventListener("click", () => { state.limit += PAGE; list(); });
  $("filters").addEventListener("input", arrange);
  $("filters").addEventListener("submit", (event) => event.preventDefault());

  // ---- one case
  async function open(place, system, focus, remember = true) {
    state.place = place;
    state.system = system;
    list();
    const found = await full(place);
    if (state.place !== place || state.system !== system) return; // another was chosen meanwhile
    show(found);
    if (remember) history.replaceState(null, "", `#case=${encodeURIComponent(cases.ids[place])}&system=${encodeURIComponent(system)}`);
    if (focus) {
      $("case").focus({ preventScroll: true });
      if (matchMedia("(max-width: 900px)").matches) $("case").scrollIntoView();
    }
  }
  function step(by) {
    const at = state.order.findIndex(([place, system]) => place === state.place && system === state.system);
    const next = state.order[at + by];
    if (next) open(next[0], next[1], false);
  }
  function show(found) {
    const told = found.systems[state.system];
    const lenses = reportMetrics.filter((m) => told.panels[m.name]);
    if (!lenses.some((m) => m.name === state.lens)) state.lens = lenses.length ? lenses[0].name : "";
    const panel = told.panels[state.lens];
    const place = state.place;
    const patient = cases.patients[place];
    const note = cases.notes[state.system][place];
    const head = node("header", {},
      node("h3", {}, cases.ids[place], patient ? node("span", { class: "tag" }, `patient ${patient}`) : null,
        note ? node("span", { class: "tag warn" }, note) : null),
      node("span", { class: "steps" },
        node("button", { type: "button", "aria-label": "previous case", onclick: () => step(-1) }, "←"), " ",
        node("button", { type: "button", "aria-label": "next case", onclick: () => step(1) }, "→")));
    const who = node("div", { class: "tabs", role: "tablist", "aria-label": "System" }, ...systems.map((s) =>
      node("button", { type: "button", role: "tab", "aria-selected": s === state.system, onclick: () => open(place, s, false) }, dot(s), s)));
    const how = node("div", { class: "tabs lenses", role: "tablist", "aria-label": "Metric" }, ...lenses.map((m) =>
      lens(m, told, cases.values[state.system][m.name][place])));
    const others = reportMetrics.filter((m) => !told.panels[m.name]);
    const numbers = node("p", { class: "others" }, ...others.map((m) =>
      node("span", { title: told.why[m.name] || m.about }, m.title, " ", node("b", {}, shown(cases.values[state.system][m.name][place])))));
    const why = told.why[state.lens];
    const marks = panel ? panel.marks : [];
    const parts = told.parts[state.lens];
    const lead = panel ? [panel.lead, parts ? ` Precision ${shown(parts[0])}, recall ${shown(parts[1])}.` : ""].join("") : "";
    $("case").replaceChildren(head, who, how, numbers,
      ...(why ? [node("p", { class: "why" }, `${title[state.lens]} has no value here: ${why}.`)] : []),
      ...(panel ? [node("p", { class: "tell soft" }, lead)] : []),
      node("div", { class: "sides" },
        side("Reference", found.reference, marks.filter((m) => m[0] === "r")),
        side(state.system, told.text, marks.filter((m) => m[0] === "c"))),
      node("p", { class: "legend kinds" }, ...["matched", "partial", "missed", "invented", "contradicted"].map((k) =>
        node("span", { class: `k ${k}` }, k === "partial" ? "partly" : k))),
      ...(panel ? panel.tables.map(table) : []));
  }
  function lens(m, told, found) {
    const attributes = { type: "button", role: "tab", "aria-selected": m.name === state.lens, title: told.why[m.name] || m.about };
    attributes.onclick = async () => { state.lens = m.name; show(await full(state.place)); };
    return node("button", attributes, m.title, " ", node("b", {}, shown(found)));
  }
  function side(name, text, marks) {
    const body = text.trim() ? node("p", { class: "report" }, ...pieces(text, marks)) : node("p", { class: "report empty" }, "no text");
    return node("div", {}, node("h4", {}, name), body);
  }
  function pieces(text, marks) {
    // Marks may overlap: cut at every edge, and colour each piece by the gravest mark on it.
    const letters = [...text].length === text.length ? text : [...text];
    const edges = [...new Set([0, letters.length, ...marks.flatMap((m) => [m[1], m[2]])])].sort((a, b) => a - b);
    const cut = (a, b) => (typeof letters === "string" ? letters.slice(a, b) : letters.slice(a, b).join(""));
    const made = [];
    for (let n = 0; n + 1 < edges.length; n++) {
      const [start, end] = [edges[n], edges[n + 1]];
      const on = marks.filter((m) => m[1] <= start && m[2] >= end);
      if (!on.length) { made.push(cut(start, end)); continue; }
      const gravest = on.reduce((a, b) => (STRENGTH[b[3]] > STRENGTH[a[3]] ? b : a));
      const groups = [...new Set(on.map((m) => m[4]))];
      made.push(node("mark", { class: gravest[3], "data-groups": groups.join(" "), title: [...new Set(on.map((m) => m[5]))].join("\n"),
        onmouseenter: () => light(groups, true), onmouseleave: () => light(groups, false) }, cut(start, end)));
    }
    return made;
  }
  function light(groups, on) {
    for (const element of $("case").querySelectorAll("[data-groups]")) {
      const own = element.dataset.groups.split(" ").map(Number);
      if (groups.some((g) => own.includes(g))) element.classList.toggle("lit", on);
    }
  }
  function table(found) {
    const caption = node("caption", {}, found.title, found.note ? node("small", {}, found.note) : null);
    const head = node("thead", {}, node("tr", {}, ...found.head.map((name) => node("th", { scope: "col" }, name))));
    const body = node("tbody", {}, ...found.rows.map(([kind, group, cells]) =>
      node("tr", { class: kind, "data-groups": group, onmouseenter: () => light([group], true), onmouseleave: () => light([group], false) },
        ...cells.map(([text, own, below]) => node("td", { class: own || "" }, text, below ? node("span", { class: "c" }, below) : null)))));
    return node("div", { class: "scroll" }, node("table", { class: "told" }, caption, head, body));
  }
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, select, textarea") || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === "ArrowRight") step(1);
    if (event.key === "ArrowLeft") step(-1);
  });

  // ---- patients over time
  let patients = null;
  const SIGN = { worsened: "▲", improved: "▼", no_change: "=", "": "" };
  async function follow() {
    patients = patients || (await opened($("followed")));
    const found = patients[$("patient").value];
    const system = $("patient-system").value;
    const title = $("patient").value;
    const known = found.pairs[system].rows.length ? [node("details", {}, node("summary", {}, `${found.pairs[system].title} (${title}, ${system})`), table({ ...found.pairs[system], title: "" }))] : [];
    $("timeline").replaceChildren(timeline(found, system), ...known);
  }
  function timeline(found, system) {
    const left = 270, right = 30, lane = 34, top = 46, width = 1100;
    const lanes = [...found.lanes[system]].sort((a, b) => weight(b) - weight(a));
    const x = positions(found.days, left + 20, width - right);
    const height = top + lanes.length * lane + 10;
    const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Findings over time" });
    found.days.forEach((day, n) => {
      svg.append(drawn("line", { x1: x[n], x2: x[n], y1: top - 8, y2: height - 6, stroke: "var(--line)" }),
        study(found.reports[n], system, x[n]),
        drawn("text", { x: x[n], y: 30, "text-anchor": "middle" }, `day ${Number(day.toFixed(1))}`));
    });
    lanes.forEach((one, n) => {
      const y = top + n * lane + lane / 2;
      if (n % 2) svg.append(drawn("rect", { x: 0, y: y - lane / 2, width, height: lane, fill: "var(--soft)", opacity: 0.5 }));
      const name = one.name.length > 40 ? `${one.name.slice(0, 39)}…` : one.name;
      svg.append(drawn("text", { x: 4, y: y + 4, class: "name" }, name, drawn("title", {}, one.candidate_name && one.candidate_name !== one.name ? `${one.name}\n${system}: ${one.candidate_name}` : one.name)));
      const missing = (dots) => new Set(dots.map((d) => d[0]));
      const [ours, theirs] = [missing(one.reference), missing(one.candidate)];
      track(svg, one.reference, x, y - 7, "var(--ink)", (d) => (theirs.has(d[0]) ? "" : "missed"));
      track(svg, one.candidate, x, y + 8, `var(--${colour(system)})`, (d) => verdict(d, one.reference, ours));
    });
    return svg;
  }
  function study(report, system, x) {
    const label = drawn("text", { x, y: 14, "text-anchor": "middle", class: "name link", tabindex: 0, role: "link" }, report, drawn("title", {}, "show this report"));
    const place = cases.ids.indexOf(report);
    const go = () => { if (place >= 0) open(place, system, true).then(() => $("case").scrollIntoView()); };
    label.addEventListener("click", go);
    label.addEventListener("keydown", (event) => { if (event.key === "Enter") go(); });
    return label;
  }
  function verdict(dot, reference, ours) {
    if (!ours.has(dot[0])) return "invented";
    const other = reference.find((d) => d[0] === dot[0]);
    return other[1] !== dot[1] || (other[2] && dot[2] && other[2] !== dot[2]) ? "contradicted" : "";
  }
  const weight = (one) => one.reference.filter((d) => d[1]).length * 4 + one.reference.length * 2 + one.candidate.length;
  function positions(days, from, to) {
    // True to the days, but never so close that two studies cannot be told apart.
    const gaps = days.slice(1).map((day, n) => day - days[n]);
    const least = Math.min(90, (to - from) / Math.max(1, gaps.length));
    const rest = Math.max(0, to - from - least * gaps.length);
    const total = gaps.reduce((a, b) => a + b, 0) || 1;
    const x = [from];
    gaps.forEach((gap) => x.push(x[x.length - 1] + least + (rest * gap) / total));
    return x;
  }
  function track(svg, dots, x, y, ink, judge) {
    for (let n = 0; n + 1 < dots.length; n++) {
      const [a, b] = [dots[n], dots[n + 1]];
      if (a[3] === b[3]) svg.append(drawn("line", { x1: x[a[0]], x2: x[b[0]], y1: y, y2: y, stroke: ink, "stroke-width": a[1] && b[1] ? 3 : 1, opacity: a[1] && b[1] ? 0.45 : 0.35, "stroke-dasharray": a[1] && b[1] ? "" : "2 3" }));
    }
    for (const dot of dots) {
      const kind = judge(dot);
      const ring = kind ? `var(--${kind})` : ink;
      if (kind) svg.append(drawn("circle", { cx: x[dot[0]], cy: y, r: 8.5, fill: ring, opacity: 0.25 }));
      svg.append(drawn("circle", { cx: x[dot[0]], cy: y, r: 5, fill: dot[1] ? ink : "var(--panel)", stroke: kind ? ring : ink, "stroke-width": 2 },
        drawn("title", {}, `${kind ? `${kind}: ` : ""}${dot[4]}`)));
      if (dot[2]) svg.append(drawn("text", { x: x[dot[0]] + 9, y: y + 4, class: "sign" }, SIGN[dot[2]]));
    }
  }
  if (data.patients.length) {
    $("patient").append(...data.patients.map((p) => option(p, p)));
    $("patient-system").append(...systems.map((s) => option(s, s)));
    $("patient-choice").addEventListener("input", follow);
    (window.requestIdleCallback || setTimeout)(follow); // after the rest of the page, so that it also prints
  }

  // ---- start
  arrange();
  const asked = new URLSearchParams(location.hash.slice(1));
  const wanted = asked.has("case") ? cases.ids.indexOf(asked.get("case")) : -1;
  if (wanted >= 0) open(wanted, systems.includes(asked.get("system")) ? asked.get("system") : systems[0], true).then(() => $("cases").scrollIntoView());
  else if (state.order.length) open(state.order[0][0], state.order[0][1], false, false);
})();
