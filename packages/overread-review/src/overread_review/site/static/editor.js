// The editor: one sheet of rows beside the texts. It loads JSON from the address in <meta name="source">, saves every
// change there, and is told when somebody else saved first. No library, no inline handlers, nothing from elsewhere.
"use strict";

const $ = (id) => document.getElementById(id);
const meta = (name) => document.querySelector(`meta[name="${name}"]`).content;
const SOURCE = meta("source"), CSRF = meta("csrf");
const WAIT = 350; // milliseconds of quiet before a change is saved

let sheet = null; // what the server sent
let rows = [], active = 0, field = 0; // the answer, and where the reader stands
let picked = null; // selected words: {part, start, end}
let keysShown = false; // are the counters' keys on the page?
let counting = false; // do digits count errors, without words?
let cursor = null; // keyboard selection: {part, from, to}, word numbers
let past = []; // earlier states, for undo
let unsaved = false, saving = null, timer = null, failures = 0, blocked = false;
let doubtfulFirst = sessionStorage.getItem("doubtful-first") === "yes"; // how rows are shown; they are saved in their own order
let helping = false; // is the help below a field unfolded?
let words = []; // per text: [{start, end, node}]
let seconds = 0, lastTouch = Date.now();

// ---- elements
function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}
const kindOf = (row) => sheet.kinds.find((kind) => kind.name === row.kind);
const current = () => rows[active];
const asked = (row) => kindOf(row).fields.filter((f) => f.type !== "fixed" && (!f.when || f.when[1].includes(row.values[f.when[0]])));
const fieldOf = (row) => asked(row)[Math.min(field, asked(row).length - 1)];
function titleOf(row) {
  const kind = kindOf(row), links = kind.fields.filter((f) => f.type === "links" && f.one);
  if (links.length && kind.bare) return links.map((f) => listed(row.values[f.name]).map(nameOf)[0] || "…").join(" ↔ ");
  return String(row.values[kind.title] || "") || kind.label;
}
const addable = () => sheet.kinds.filter((kind) => kind.add || kind.bare);
const listed = (value) => (Array.isArray(value) ? value : value ? [value] : []);
const isList = (f) => ["words", "picks", "links"].includes(f.type);
const copy = (value) => JSON.parse(JSON.stringify(value));

// ---- loading and saving
async function ask(path, method = "GET", body) {
  const headers = method === "GET" ? {} : { "content-type": "application/json", "x-csrf": CSRF };
  return fetch(path, { method, headers, body: body && JSON.stringify(body), credentials: "same-origin" });
}
async function load() {
  const reply = await ask(SOURCE);
  if (!reply.ok) return say("This cannot be shown. Go back and try again.", true);
  sheet = await reply.json();
  for (const kind of sheet.kinds) for (const f of kind.fields) { f.options = f.options || []; f.marks = f.marks || []; }
  rows = normal(sheet.rows);
  past = []; unsaved = false;
  active = order().find((n) => rows[n].state === "suggested") ?? order()[0] ?? 0; field = 0;
  if (sheet.submitted) active = order()[0] ?? 0;
  drawTexts(); draw();
  if (sheet.submitted || sheet.locked) say(sheet.submitted ? "Handed in" : "Closed"); else hear(sheet.complaints);
  $("place").textContent = sheet.total ? `${sheet.position} of ${sheet.total}` : "";
  document.body.dataset.ready = "yes";
}
const normal = (found) => found.map((row) => ({ state: "suggested", added: false, values: {}, spans: {}, ...row }));
function changed(change) {
  if (sheet.locked) return say("This is handed in and not changed any more.", true);
  past.push(copy({ rows, active, field }));
  if (past.length > 300) past.shift();
  change();
  draw(); touch();
}
function touch() {
  unsaved = true; say("Not saved yet");
  clearTimeout(timer); timer = setTimeout(save, WAIT);
}
async function save() {
  if (saving || blocked || !unsaved || !sheet) return saving;
  clearTimeout(timer);
  unsaved = false; say("Saving …");
  const spent = seconds; seconds = 0;
  saving = send("PUT", SOURCE, spent).finally(() => { saving = null; });
  const reply = await saving;
  if (reply && unsaved) save();
  return reply;
}
async function send(method, path, spent) {
  let reply;
  try { reply = await ask(path, method, { version: sheet.version, rows, seconds: spent }); } catch { reply = null; }
  if (reply && reply.ok) { failures = 0; const told = await reply.json(); sheet.version = told.version; if (!unsaved) hear(told.complaints || []); return told; }
  seconds += spent; unsaved = true;
  if (reply && reply.status === 409) return inConflict(await reply.json());
  if (reply && reply.status < 500) { const told = await reply.json(); blocked = reply.status !== 422; return say(told.detail || "Not saved.", true); }
  failures += 1;
  say("Not saved: the server does not answer. Trying again.", true);
  timer = setTimeout(save, Math.min(30000, 1000 * 2 ** failures));
  return null;
}
function hear(complaints) { // what the sheet's checker says of what was saved; the rows stay, so that typing goes on
  sheet.complaints = complaints; drawComplaints();
  say(complaints.length ? `Saved; complaints: ${complaints.length}` : "Saved", complaints.length > 0);
}
function inConflict(told) {
  blocked = true;
  const theirs = () => { sheet.version = told.version; rows = normal(told.rows); past = []; unsaved = false; unblock(); say("Saved"); draw(); };
  const mine = () => { sheet.version = told.version; unblock(); touch(); };
  const box = $("notice"); box.hidden = false;
  box.replaceChildren("This sheet was saved elsewhere in the meantime, in another tab or by somebody else. Nothing is lost: what you have here is on this page, and what was refused is kept in the audit. ",
    el("button", { id: "take-theirs", onclick: theirs }, "Take the other version"), " ", el("button", { id: "keep-mine", onclick: mine }, "Keep mine"));
  say("Not saved", true);
  return null;
}
function unblock() { blocked = false; $("notice").hidden = true; }
function say(text, bad = false) { const node = $("saved"); node.textContent = text; node.classList.toggle("bad", bad); return null; }
async function submit() {
  if (sheet.submitted && sheet.reopens) return reopen();
  if (sheet.locked) return go(sheet.next);
  while (saving) await saving;
  if (unsaved && rows.some(linesOf)) await save(); // its complaints are heard before it is refused
  clearTimeout(timer);
  const spent = seconds; seconds = 0; unsaved = false;
  const told = await send("POST", `${SOURCE}/submit`, spent);
  if (!told) {
    const wrong = rows.findIndex((row) => sheet.complaints.some((one) => one.row === row.id));
    if (wrong >= 0) { active = wrong; draw(); }
    return;
  }
  unsaved = false;
  if (sheet.family === "judge" && sheet.mode === "work") { await load(); $("verdict").scrollIntoView({ block: "nearest" }); return; }
  go(told.next);
}
async function reopen() {
  const reply = await ask(`${SOURCE}/reopen`, "POST", {});
  if (reply.ok) return load();
  say((await reply.json()).detail, true);
}
async function go(path) { if (!path) return; await save(); if (!blocked) location.assign(path); }

// ---- the texts
function drawTexts() {
  words = [];
  $("texts").replaceChildren(...sheet.parts.map((part, n) => {
    const body = el("div", { class: "text", "data-part": n, tabindex: -1 });
    words[n] = [];
    let at = 0;
    for (const match of part.text.matchAll(/[\p{L}\p{N}]+(?:['’.,/-][\p{L}\p{N}]+)*|[^\s\p{L}\p{N}]/gu)) {
      if (match.index > at) body.append(part.text.slice(at, match.index));
      const node = el("span", { class: "w" }, match[0]);
      at = match.index + match[0].length;
      words[n].push({ start: match.index, end: at, node });
      body.append(node);
    }
    body.append(part.text.slice(at));
    const images = sheet.images.filter((one) => one.part === n);
    return el("article", { class: images.length ? "imaged" : null }, el("h2", {}, part.title), images.length ? el("div", { class: "images" }, ...images.map((one, k) =>
      el("a", { href: one.source, target: "_blank", title: "Full size, in a new tab" }, el("img", { src: one.source, alt: `Image ${k + 1} of ${images.length}: ${part.title}` })))) : null, body);
  }));
  $("texts").classList.toggle("several", sheet.parts.length > 1);
  document.querySelector(".desk").dataset.family = sheet.family;
  $("texts").dataset.parts = sheet.parts.length;
}
function drawMarks() {
  words.flat().forEach((word) => { word.node.className = "w"; });
  rows.forEach((row, n) => {
    for (const [name, found] of Object.entries(row.spans)) for (const [part, start, end] of found) {
      for (const word of words[part] || []) if (word.start < end && start < word.end) {
        word.node.classList.add(n === active ? "here" : row.state === "rejected" ? "out" : "seen");
        if (n === active && fieldOf(row) && name === fieldOf(row).name) word.node.classList.add("at");
      }
    }
  });
  for (const one of sheet.doubts) for (const word of words[0] || []) if (word.start < one.end && one.start < word.end) word.node.classList.add("doubtful");
  if (picked) for (const word of words[picked.part]) if (word.start < picked.end && picked.start < word.end) word.node.classList.add("sel");
  if (cursor) words[cursor.part][cursor.to].node.classList.add("cursor");
}
const pickedText = () => sheet.parts[picked.part].text.slice(picked.start, picked.end);
function pick(part, from, to) {
  const [a, b] = [Math.min(from, to), Math.max(from, to)];
  picked = { part, start: words[part][a].start, end: words[part][b].end };
  drawSelection(); drawMarks();
}
function unpick() { picked = null; cursor = null; document.getSelection().removeAllRanges(); drawSelection(); drawMarks(); }
function mousePick() {
  const chosen = document.getSelection();
  if (!chosen.rangeCount) return;
  const range = chosen.getRangeAt(0);
  const holder = (range.startContainer.nodeType === 1 ? range.startContainer : range.startContainer.parentElement).closest(".text");
  if (!holder) return;
  const part = Number(holder.dataset.part);
  const hit = words[part].map((word, n) => (range.intersectsNode(word.node) && touches(range, word.node) ? n : -1)).filter((n) => n >= 0);
  if (!hit.length) return;
  cursor = null;
  pick(part, hit[0], hit[hit.length - 1]);
  chosen.removeAllRanges();
}
function touches(range, node) { // a selection that ends just before a word does not hold it
  const own = document.createRange(); own.selectNodeContents(node);
  if (range.collapsed) return range.startContainer === node.firstChild;
  return range.compareBoundaryPoints(Range.END_TO_START, own) < 0 && range.compareBoundaryPoints(Range.START_TO_END, own) > 0;
}
function drawSelection(drawn = false) {
  const box = $("selection");
  if (!drawn && digitsCount() !== keysShown) return draw(); // other keys do something now
  box.hidden = !picked || sheet.locked;
  if (box.hidden) return;
  const kinds = sheet.kinds.filter((one) => one.add), f = current() && fieldOf(current());
  const textual = f && ["words", "text", "lines"].includes(f.type);
  box.replaceChildren(el("q", {}, pickedText()),
    ...kinds.map((kind, n) => (kind.quick ? el("span", { class: "soft" }, "then choose a counter, or press its digit") : el("button", { class: "add", onclick: () => add(kind) }, `Add ${kind.label.toLowerCase()} `, el("kbd", {}, n ? "A" : "a")))),
    textual ? el("button", { id: "use", onclick: usePicked }, `Use as ${f.label.toLowerCase()} `, el("kbd", {}, "e")) : null,
    sheet.mode === "work" && sheet.family === "correct" ? el("button", { class: "quiet", id: "propose", onclick: proposeWord, title: "Propose these words for the lexicon" }, "Propose word") : null,
    el("button", { class: "quiet", onclick: unpick, title: "Let go (Esc)" }, "✕"));
}
function proposeWord() {
  const text = pickedText();
  const table = el("select", { "aria-label": "Table" }, ...sheet.tables.map((one) => el("option", {}, one)));
  const concept = el("input", { "aria-label": "Means", placeholder: "what it means" });
  const keep = async () => {
    const reply = await ask(`${SOURCE}/words`, "POST", { words: text, table: table.value, concept: concept.value, note: "" });
    say(reply.ok ? "Word proposed" : (await reply.json()).detail, !reply.ok);
    if (reply.ok) unpick();
  };
  $("selection").replaceChildren(el("q", {}, text), " is a word of ", table, " meaning ", concept, el("button", { id: "keep-word", onclick: keep }, "Propose"), el("button", { class: "quiet", onclick: unpick }, "✕"));
  table.focus();
}
function walkWords(key, wide) {
  if (!cursor) { cursor = { part: 0, from: 0, to: 0 }; }
  const top = words[cursor.part].length - 1, row = words[cursor.part][cursor.to].node;
  const step = { ArrowLeft: -1, ArrowRight: 1, h: -1, l: 1 }[key];
  let to = cursor.to;
  if (step) to += step;
  else to = lineAway(row, key === "ArrowUp" || key === "k" ? -1 : 1);
  cursor.to = Math.max(0, Math.min(top, to));
  if (!wide) cursor.from = cursor.to;
  pick(cursor.part, cursor.from, cursor.to);
  words[cursor.part][cursor.to].node.scrollIntoView({ block: "nearest" });
}
function lineAway(node, way) { // the nearest word on the line above or below
  const here = node.getBoundingClientRect(), all = words[cursor.part];
  let best = cursor.to, least = Infinity;
  all.forEach((word, n) => {
    const there = word.node.getBoundingClientRect(), down = (there.top - here.top) * way;
    const far = down > 4 ? down * 10 + Math.abs(there.left - here.left) : Infinity;
    if (far < least) { least = far; best = n; }
  });
  return best;
}
function nextText() { const part = (cursor.part + 1) % words.length; cursor = { part, from: 0, to: 0 }; pick(part, 0, 0); }

// ---- changing rows
function add(kind, values = {}) {
  if (!picked && !kind.bare && !kind.quick) return say("Select words first: w, then arrows, or the mouse.", true);
  const place = picked ? [[picked.part, picked.start, picked.end]] : [];
  const into = kind.fields.find((f) => f.name === kind.add), text = picked ? pickedText().replace(/\s+/g, " ") : "";
  const row = { id: `n${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`, kind: kind.name, state: "accepted", added: true, values: {}, spans: {} };
  for (const f of kind.fields) row.values[f.name] = isList(f) ? [] : f.type === "choice" && f.required ? f.options[0] : "";
  if (into) { row.values[kind.add] = isList(into) ? [text] : text; row.spans[kind.add] = place; }
  Object.assign(row.values, values);
  const here = current(); // a link begins at the row one stands on
  for (const f of kind.fields) if (kind.bare && f.one && here && here.kind === f.to) row.values[f.name] = [here.id];
  changed(() => { rows.splice(placeFor(row), 0, row); active = rows.indexOf(row); field = Math.max(0, kind.bare ? asked(row).findIndex((f) => !listed(row.values[f.name]).length) : 0); });
  unpick();
}
function placeFor(row) { // in the order of the text, among rows of its kind
  const first = (one) => Math.min(...Object.values(one.spans).flat().map(([part, start]) => part * 1e7 + start), Infinity);
  const same = rows.map((one, n) => [one, n]).filter(([one]) => one.kind === row.kind);
  const after = same.find(([one]) => first(one) > first(row) && first(one) < Infinity);
  return after ? after[1] : same.length ? same[same.length - 1][1] + 1 : rows.length;
}
function usePicked() {
  const row = current(), f = fieldOf(row);
  if (!picked || !f || !["words", "text", "lines"].includes(f.type)) return;
  const text = pickedText().replace(/\s+/g, " "), place = [picked.part, picked.start, picked.end];
  changed(() => {
    if (f.type === "lines") row.values[f.name] = [row.values[f.name], `- ${text} +`].filter(Boolean).join("\n");
    else if (f.type === "words") { row.values[f.name] = [...listed(row.values[f.name]), text]; row.spans[f.name] = [...(row.spans[f.name] || []), place]; }
    else { row.values[f.name] = text; row.spans[f.name] = [place]; }
  });
  unpick();
}
const set = (row, f, value) => changed(() => { row.values[f.name] = value; });
function drop(row, f, index) {
  changed(() => {
    row.values[f.name] = listed(row.values[f.name]).filter((_, n) => n !== index);
    if (row.spans[f.name]) row.spans[f.name] = row.values[f.name].length ? row.spans[f.name].filter((_, n) => n !== index || row.spans[f.name].length !== row.values[f.name].length + 1) : [];
    if (row.spans[f.name] && !row.spans[f.name].length) delete row.spans[f.name];
  });
}
function clearField(row, f) {
  const value = listed(row.values[f.name]);
  if (isList(f)) return value.length && drop(row, f, value.length - 1);
  if (f.type === "choice" && f.required) return;
  changed(() => { row.values[f.name] = ""; delete row.spans[f.name]; });
}
function accept() {
  const row = current();
  if (!row) return toSubmit();
  if (row.state === "suggested" && !sheet.locked) changed(() => { row.state = "accepted"; });
  if (active === order().at(-1)) return toSubmit();
  move(1);
}
function toSubmit() { $("submit").focus(); }
function strike(row) {
  if (kindOf(row).reject === false) return say("This row is always there; change its fields instead.", true);
  changed(() => { row.state = row.state === "rejected" ? "accepted" : "rejected"; });
}
function shift(row, way) {
  const to = rows.indexOf(row) + way;
  if (!kindOf(row).ordered || !rows[to] || rows[to].kind !== row.kind) return;
  changed(() => { rows.splice(rows.indexOf(row), 1); rows.splice(to, 0, row); active = to; });
}
function take(reader) { // curators: that reader's row as it stands
  const votes = sheet.votes && sheet.votes[current() && current().id];
  if (!votes || reader >= votes.length) return;
  const theirs = votes[reader];
  changed(() => {
    if (!theirs) current().state = "rejected";
    else { const [fresh] = normal([copy(theirs)]); fresh.id = current().id; fresh.added = current().added; if (fresh.state !== "rejected") fresh.state = "accepted"; rows[active] = fresh; }
  });
}
function undo() {
  const before = past.pop();
  if (!before) return say("Nothing to undo.");
  ({ rows, active, field } = before);
  draw(); touch();
}
function move(way) { const all = order(); active = all[Math.max(0, Math.min(all.length - 1, all.indexOf(active) + way))] ?? 0; field = 0; draw(); }
const doubtsOf = (row) => sheet.doubts.filter((one) => one.rows.includes(row.id));
const isDoubtful = (row) => doubtsOf(row).length > 0;
function order() { // places of the rows as they are shown
  const all = rows.map((_, n) => n);
  return doubtfulFirst ? [...all.filter((n) => isDoubtful(rows[n])), ...all.filter((n) => !isDoubtful(rows[n]))] : all;
}
function sortDoubtful() {
  if (!sheet.doubts.length) return say("Nothing is doubtful here.");
  doubtfulFirst = !doubtfulFirst;
  sessionStorage.setItem("doubtful-first", doubtfulFirst ? "yes" : "no");
  if (doubtfulFirst && !sheet.submitted) active = order().find((n) => rows[n].state === "suggested") ?? active;
  draw();
}
function moveField(way) { const many = asked(current()).length; field = (Math.min(field, many - 1) + way + many) % many; draw(); }

// ---- drawing the sheet
function draw() {
  if (!sheet) return;
  active = Math.max(0, Math.min(active, rows.length - 1));
  keysShown = digitsCount();
  drawGrid();
  $("rows").replaceChildren(...order().map((n) => drawRow(rows[n], n)));
  drawDoubts(); drawVerdict(); drawMarks(); drawSelection(true);
  const here = $("rows").children[order().indexOf(active)];
  if (here) here.scrollIntoView({ block: "nearest" });
  $("submit").textContent = sheet.submitted ? (sheet.reopens ? "Reopen" : "Next") : sheet.mode === "decide" ? "Decide" : "Hand in";
  $("previous").disabled = !sheet.previous;
  $("undo").disabled = !past.length;
}
function drawRow(row, n) {
  const kind = kindOf(row), on = n === active;
  const marks = { suggested: "·", accepted: "✓", rejected: "✕" };
  const head = el("div", { class: "head" },
    el("span", { class: "mark", title: row.state }, marks[row.state]),
    el("b", {}, titleOf(row)),
    new Set(sheet.kinds.map((one) => one.label)).size > 1 && kind.label !== titleOf(row) ? el("span", { class: "tag" }, kind.label) : null,
    row.added ? el("span", { class: "tag new" }, "added") : null,
    differs(row) ? el("span", { class: "tag differ" }, "readers differ") : null,
    ...doubtsOf(row).map((one) => el("span", { class: "tag doubtful", title: `${one.read}\n${one.heard}` }, labelOf(one))),
    on || linesOf(row) ? null : el("span", { class: "summary" }, summary(row)));
  const node = el("li", { class: `row ${row.state}${on ? " on" : ""}`, "data-row": row.id, "aria-current": on ? "true" : false }, head);
  node.addEventListener("click", (event) => { if (!on && !event.target.closest("button, input, select, textarea, summary")) { active = n; field = 0; draw(); } });
  if (!on && linesOf(row)) node.append(el("pre", { class: "lines" }, row.values[linesOf(row).name] || ""));
  if (on) node.append(...doubtsOf(row).map(drawDoubt), el("div", { class: "fields" }, ...asked(row).map((f, k) => drawField(row, f, k))), drawVotes(row), drawActs(row), drawHelp(row));
  node.insertBefore(el("ul", { class: "complaints" }, ...complaintsOf(row.id)), on ? node.querySelector(".fields").nextSibling : null);
  return node;
}
const linesOf = (row) => kindOf(row).fields.find((f) => f.type === "lines");
const complaintsOf = (id) => sheet.complaints.filter((one) => one.row === id).map((one) => el("li", {}, one.line ? `Line ${one.line}: ` : "", one.problem));
function drawComplaints() { for (const node of $("rows").children) node.querySelector(".complaints").replaceChildren(...complaintsOf(node.dataset.row)); }
function drawDoubt(one) {
  return el("div", { class: "doubt doubtful" }, el("p", {}, one.read), el("p", {}, one.heard));
}
function drawDoubts() { // those that no row is about, and the button that brings the others up
  const loose = sheet.doubts.filter((one) => !one.rows.length);
  $("doubtful").hidden = !sheet.doubts.length;
  $("doubtful").setAttribute("aria-pressed", doubtfulFirst);
  $("many").textContent = sheet.doubts.length;
  $("loose").hidden = !loose.length;
  $("loose").firstElementChild.textContent = `Doubtful words without a row: ${loose.length}`;
  $("loose").lastElementChild.replaceChildren(...loose.map((one) => el("section", { class: "card loose" },
    el("span", { class: "tag doubtful" }, labelOf(one)), " ",
    el("button", { class: "quiet", title: "Select these words", onclick: () => pickSpan(one) }, `“${one.words}”`), drawDoubt(one))));
}
const labelOf = (one) => `doubtful ${one.about}`;
function pickSpan(one) {
  const hit = words[0].map((word, n) => (word.start < one.end && one.start < word.end ? n : -1)).filter((n) => n >= 0);
  if (hit.length) pick(0, hit[0], hit[hit.length - 1]);
}
function summary(row) {
  return asked(row).filter((f) => f.name !== kindOf(row).title).map((f) => (f.type === "links" ? listed(row.values[f.name]).map(nameOf).join(", ") : listed(row.values[f.name]).join(", "))).filter(Boolean).join(" · ");
}
const nameOf = (id) => { const row = rows.find((one) => one.id === id); return row ? titleOf(row) : id; };
function drawActs(row) {
  if (sheet.locked) return "";
  const bare = sheet.kinds.find((one) => one.bare);
  return el("div", { class: "acts" },
    el("button", { class: "main accept", onclick: accept }, row.state === "suggested" ? "Accept " : "Go on ", el("kbd", {}, "Enter")),
    kindOf(row).reject === false ? null : el("button", { class: "strike", onclick: () => strike(row) }, row.state === "rejected" ? "Take back " : "Strike out ", el("kbd", {}, "x")),
    bare ? el("button", { class: "add", onclick: () => add(bare) }, `Add ${bare.label.toLowerCase()} `, el("kbd", {}, "a")) : null,
    kindOf(row).ordered ? el("button", { class: "quiet", title: "Up (Shift K)", onclick: () => shift(row, -1) }, "↑") : null,
    kindOf(row).ordered ? el("button", { class: "quiet", title: "Down (Shift J)", onclick: () => shift(row, 1) }, "↓") : null);
}
function drawField(row, f, k) {
  const on = k === Math.min(field, asked(row).length - 1);
  const node = el("div", { class: `field is-${f.type}${on ? " on" : ""}`, "data-field": f.name });
  node.addEventListener("mousedown", () => { field = k; document.querySelectorAll(".field.on").forEach((one) => one.classList.remove("on")); node.classList.add("on"); drawMarks(); drawSelection(); });
  node.append(el("label", {}, f.label, f.required ? el("span", { class: "need", title: "needed" }, "*") : null), drawValue(row, f, on));
  return node;
}
const optionsOf = (f) => (f.as_rows ? f.options.slice(0, rows.length) : f.options);
const digitsCount = () => Boolean(picked || counting) && sheet.kinds.some((kind) => kind.quick);
function drawValue(row, f, on) {
  if (f.type === "choice") {
    const current = row.values[f.name];
    if (f.options.length > 9) return chooser({ disabled: sheet.locked, "aria-label": f.label }, (value) => set(row, f, value), el("option", { value: "" }, "–"), ...f.options.map((o) => el("option", { value: o, selected: o === current }, o)));
    return el("div", { class: "options", role: "group", "aria-label": f.label }, ...optionsOf(f).map((option, n) => el("button", { class: option === current ? "chosen" : "", "aria-pressed": String(option === current), disabled: sheet.locked, onclick: () => set(row, f, option) }, on && !digitsCount() && option !== String(n + 1) ? el("kbd", {}, String(n + 1)) : null, option)));
  }
  if (f.type === "text" && f.shared) {
    const known = [...new Set(rows.map((one) => one.values[f.name]).filter(Boolean))].sort();
    return el("span", { class: "chips" }, el("input", { value: row.values[f.name] || "", list: `shared-${f.name}`, "aria-label": f.label, readonly: sheet.locked, onchange: (event) => event.target.value !== (row.values[f.name] || "") && set(row, f, event.target.value) }), el("datalist", { id: `shared-${f.name}` }, ...known.map((one) => el("option", { value: one }))));
  }
  if (f.type === "lines") return linesBox(row, f);
  if (f.type === "text") return el("input", { value: row.values[f.name] || "", "aria-label": f.label, readonly: sheet.locked, onchange: (event) => event.target.value !== (row.values[f.name] || "") && set(row, f, event.target.value) });
  const chips = listed(row.values[f.name]).map((entry, n) => el("span", { class: "chip" }, f.type === "links" ? nameOf(entry) : entry, sheet.locked ? null : el("button", { title: `Drop ${entry}`, onclick: () => drop(row, f, n) }, "✕")));
  return el("div", { class: "chips" }, ...chips, sheet.locked ? null : entryFor(row, f));
}
function linesBox(row, f) { // saved while one types, without drawing the sheet anew; undo takes the whole visit back
  const box = el("textarea", { "aria-label": f.label, readonly: sheet.locked, spellcheck: "false", autocapitalize: "off", rows: 2 }, row.values[f.name] || "");
  const before = copy({ rows, active, field });
  let begun = false;
  const grow = () => { box.rows = Math.max(2, box.value.split("\n").length); };
  box.addEventListener("input", () => {
    if (!begun) { past.push(before); begun = true; $("undo").disabled = false; }
    row.values[f.name] = box.value; grow(); touch();
  });
  box.addEventListener("change", () => {
    box.value = box.value.split("\n").map((line) => line.trim()).filter(Boolean).join("\n");
    if (box.value !== row.values[f.name]) { row.values[f.name] = box.value; touch(); }
    grow();
  });
  grow();
  return box;
}
function drawHelp(row) { // unfolded until somebody folds it, row after row
  const f = fieldOf(row);
  return f && f.help ? el("details", { class: "help", open: helping, ontoggle: (event) => { helping = event.target.open; } }, el("summary", {}, f.type === "lines" ? "How it is written" : "What the options mean"), el("pre", {}, f.help)) : "";
}
function chooser(attributes, commit, ...options) { // a mouse chooses at once; keys walk first, and Enter chooses
  const node = el("select", attributes, ...options), first = node.value;
  let keyed = false;
  node.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { keyed = false; node.value = first; }
    else if (event.key === "Enter") { event.preventDefault(); event.stopPropagation(); node.blur(); }
    else if (event.key !== "Tab") keyed = true;
  });
  node.addEventListener("change", () => { if (!keyed) commit(node.value); });
  node.addEventListener("blur", () => { if (keyed && node.isConnected && node.value !== first) { keyed = false; commit(node.value); } });
  return node;
}
function entryFor(row, f) {
  if (f.type === "links") {
    const others = rows.filter((one) => one !== row && one.kind === (f.to || row.kind) && one.state !== "rejected" && !listed(row.values[f.name]).includes(one.id));
    return chooser({ "aria-label": `Link: ${f.label}` }, (to) => to && set(row, f, f.one ? [to] : [...listed(row.values[f.name]), to]), el("option", { value: "" }, f.one ? "choose …" : "link to …"), ...others.map((one) => el("option", { value: one.id }, titleOf(one))));
  }
  const put = (text) => text && set(row, f, [...listed(row.values[f.name]), text]);
  if (f.type === "words") return el("input", { placeholder: "type or select", "aria-label": f.label, onchange: (event) => put(event.target.value.trim()) });
  const id = `options-${f.name}`;
  const box = el("input", { list: id, placeholder: "type a name", "aria-label": f.label });
  const mark = f.marks.length ? el("select", { "aria-label": `${f.label}: mark` }, ...f.marks.map((one) => el("option", {}, one))) : null;
  const choose = () => {
    const typed = box.value.trim().toLowerCase();
    const option = f.options.find((one) => one.toLowerCase() === typed) || f.options.find((one) => typed && one.toLowerCase().startsWith(typed));
    if (!option) return say("Choose a name from the list.", true);
    put(mark ? `${option}: ${mark.value}` : option);
  };
  const keyed = (event) => { if (event.key === "Enter") { event.preventDefault(); event.stopPropagation(); choose(); } };
  box.addEventListener("keydown", keyed);
  if (mark) mark.addEventListener("keydown", keyed);
  return el("span", { class: "picker" }, box, mark, el("button", { onclick: choose }, "Add"), el("datalist", { id }, ...f.options.map((one) => el("option", { value: one }))));
}
function differs(row) {
  const votes = sheet.votes && sheet.votes[row.id];
  return votes && votes.length > 1 && new Set(votes.map(bare)).size > 1;
}
const bare = (vote) => (!vote || vote.state === "rejected" ? "none" : JSON.stringify(Object.entries(vote.values || {}).filter(([, v]) => v && v.length).sort()));
function drawVotes(row) {
  const votes = sheet.votes && sheet.votes[row.id];
  if (!votes || !votes.length) return "";
  const told = (vote) => (!vote ? "has no such row" : vote.state === "rejected" ? "struck it out" : linesOf(row) ? `\n${vote.values[linesOf(row).name] || "–"}` : kindOf(row).fields.filter((f) => f.type !== "fixed").map((f) => [f.label, f.type === "links" ? listed(vote.values[f.name]).map(nameOf) : listed(vote.values[f.name])]).filter(([, v]) => v.length).map(([label, v]) => `${label}: ${v.join(", ")}`).join(" · "));
  return el("ul", { class: "votes" }, ...votes.map((vote, n) => el("li", {}, el("b", {}, sheet.readers[n]), " ", el("span", { class: "said" }, told(vote)), " ", sheet.locked ? null : el("button", { class: "take", onclick: () => take(n) }, "Take ", el("kbd", {}, `⇧${n + 1}`)))));
}
function drawGrid() { // counters of a kind that is counted: category by mark
  const kind = sheet.kinds.find((one) => one.quick);
  if (!kind) return $("grid").replaceChildren();
  const [down, across] = kind.quick.map((name) => kind.fields.find((f) => f.name === name));
  const keys = picked || counting; // a key is shown where pressing it does something
  const count = (a, b) => rows.filter((row) => row.kind === kind.name && row.state !== "rejected" && row.values[down.name] === a && row.values[across.name] === b).length;
  const hint = keys ? null : el("p", { class: "soft" }, "Select the words of an error and choose a counter, or press ", el("kbd", {}, "g"), " and a digit for an error without words.");
  $("grid").replaceChildren(...[hint].filter(Boolean), el("table", { class: `counters${keys ? " keyed" : ""}` },
    el("thead", {}, el("tr", {}, el("th", {}, ""), ...across.options.map((b, k) => el("th", {}, b, " ", keys ? el("kbd", {}, k ? "⇧ digit" : "digit") : null)))),
    el("tbody", {}, ...down.options.map((a, n) => el("tr", {}, el("th", {}, keys ? el("kbd", {}, String(n + 1)) : null, " ", a),
      ...across.options.map((b) => el("td", {}, el("button", { disabled: sheet.locked, "data-count": `${n + 1}/${b}`, title: "Count an error of this kind", onclick: () => add(kind, { [down.name]: a, [across.name]: b }) }, String(count(a, b))))))))));
}
function drawVerdict() {
  const box = $("verdict");
  if (!sheet.verdict) return box.replaceChildren();
  const told = Object.entries(sheet.verdict).map(([metric, value]) => `${metric} ${value == null ? "undefined" : Number(value).toFixed(3)}`);
  const note = el("input", { "aria-label": "Note on the metric", placeholder: "why", value: (sheet.opinion || {}).note || "" });
  const give = async (opinion) => { const reply = await ask(`${SOURCE}/opinion`, "PUT", { opinion, note: note.value }); if (reply.ok) { sheet.opinion = { opinion, note: note.value }; say("Opinion kept"); drawVerdict(); } };
  box.replaceChildren(el("section", { class: "card" }, el("h2", {}, "What the metrics say"), el("p", { id: "metrics" }, told.join(" · ") || "No metric was asked."),
    el("p", {}, "Beside your judgement, the verdict is:"), el("div", { class: "options" }, ...sheet.opinions.map((one, n) => el("button", { class: (sheet.opinion || {}).opinion === one ? "chosen" : "", "data-opinion": n + 1, onclick: () => give(one) }, el("kbd", {}, String(n + 1)), one))), note));
}

// ---- keys
function editField() {
  const row = current(); if (!row) return;
  const f = fieldOf(row);
  if (picked && f && ["words", "text", "lines"].includes(f.type)) return usePicked();
  const box = document.querySelector(".row.on .field.on :is(input, select, textarea)");
  if (box) { box.focus(); if (box.tagName === "INPUT") box.select(); else if (box.setSelectionRange) box.setSelectionRange(box.value.length, box.value.length); }
}
function digit(n, wide) {
  if (sheet.verdict && sheet.opinions[n]) return document.querySelector(`[data-opinion="${n + 1}"]`).click();
  const quick = sheet.kinds.find((one) => one.quick);
  if ((picked || counting) && quick && !sheet.locked) {
    const [down, across] = quick.quick.map((name) => quick.fields.find((f) => f.name === name));
    counting = false;
    if (down.options[n]) add(quick, { [down.name]: down.options[n], [across.name]: across.options[wide ? 1 : 0] });
    return;
  }
  if (wide && quick) return say("Select words, or press g, and then the digit.", true);
  if (wide) return take(n);
  const row = current(), f = row && fieldOf(row);
  if (f && f.type === "choice" && optionsOf(f)[n] && f.options[n] !== row.values[f.name]) set(row, f, f.options[n]);
}
const KEYS = {
  j: () => move(1), ArrowDown: () => move(1), k: () => move(-1), ArrowUp: () => move(-1),
  h: () => moveField(-1), ArrowLeft: () => moveField(-1), l: () => moveField(1), ArrowRight: () => moveField(1),
  J: () => shift(current(), 1), K: () => shift(current(), -1),
  d: sortDoubtful, Enter: accept, x: () => current() && strike(current()), u: undo, e: editField,
  a: () => addable()[0] && add(addable()[0]), A: () => addable()[1] && add(addable()[1]),
  w: () => { if (!cursor) cursor = { part: 0, from: 0, to: 0 }; pick(cursor.part, cursor.from, cursor.to); },
  g: () => { if (sheet.kinds.some((kind) => kind.quick) && !sheet.locked) { counting = !counting; draw(); } },
  n: () => go(sheet.next), p: () => go(sheet.previous), Escape: () => { counting = false; unpick(); draw(); },
  Backspace: () => current() && clearField(current(), fieldOf(current())), "?": () => $("keys").showModal(),
};
function onKey(event) {
  lastTouch = Date.now();
  if (!sheet || event.ctrlKey || event.metaKey || event.altKey || $("keys").open) return;
  const typing = event.target.matches("input, select, textarea");
  if (typing) { if (event.key === "Escape" || (event.key === "Enter" && event.target.tagName === "INPUT")) { event.preventDefault(); event.target.blur(); } return; }
  if (event.key === "Enter" && event.target.matches("button, a")) return;
  const code = /^Digit([1-9])$/.exec(event.code);
  if (code) { event.preventDefault(); return digit(Number(code[1]) - 1, event.shiftKey); }
  if (cursor && (event.key.startsWith("Arrow") || (event.key === "Tab"))) { event.preventDefault(); return event.key === "Tab" ? nextText() : walkWords(event.key, event.shiftKey); }
  if (cursor && event.key === "Enter") { event.preventDefault(); return editField(); }
  const act = KEYS[event.key];
  if (act) { event.preventDefault(); act(); }
}
document.addEventListener("keydown", onKey);
document.addEventListener("mouseup", (event) => { lastTouch = Date.now(); if (event.target.closest(".texts")) setTimeout(mousePick); });
document.addEventListener("touchend", (event) => { lastTouch = Date.now(); if (event.target.closest(".texts")) setTimeout(mousePick, 50); });
$("previous").addEventListener("click", () => go(sheet.previous));
$("next").addEventListener("click", () => go(sheet.next));
$("submit").addEventListener("click", submit);
$("undo").addEventListener("click", undo);
$("doubtful").addEventListener("click", (event) => { sortDoubtful(); event.currentTarget.blur(); }); // Enter accepts the row again
$("help").addEventListener("click", () => $("keys").showModal());
setInterval(() => { if (document.visibilityState === "visible" && Date.now() - lastTouch < 60000) seconds += 1; }, 1000);
window.addEventListener("beforeunload", (event) => { if (unsaved || saving) { save(); event.preventDefault(); } });
load();
