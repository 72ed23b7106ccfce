// ---- small things; nothing is fetched, no library
const $ = (id) => document.getElementById(id);
const data = JSON.parse($("data").textContent);
const { systems, metrics } = data;
const reportMetrics = metrics.filter((m) => m.unit === "report");
const titles = Object.fromEntries(metrics.map((m) => [m.name, m.title]));

function node(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "class") made.className = value;
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}
function drawn(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null && value !== undefined) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
const shown = (value) => (typeof value === "number" ? value.toFixed(3) : value === "failed" ? "failed" : "–");
const signed = (value) => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(3);
const chance = (p) => (p < 0.001 ? "<0.001" : p.toFixed(3));
const colour = (system) => { const n = systems.indexOf(system); return `s${(n + Math.floor(n / 6)) % 6}`; };
const dot = (system) => node("i", { class: `dot ${colour(system)} d${systems.indexOf(system) % 6}`, "aria-hidden": "true" });
const who = (system, text) => node("span", { class: "who" }, dot(system), text === undefined ? system : text);
const option = (value, text) => node("option", { value }, text);
const SHAPES = ["M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0Z", "M-4 -4H4V4H-4Z", "M0 -5L5 4H-5Z", "M0 -5.5L5.5 0L0 5.5L-5.5 0Z", "M-5 -4H5L0 5Z", "M-1.7 -5H1.7V-1.7H5V1.7H1.7V5H-1.7V1.7H-5V-1.7H-1.7Z"];
const shape = (system) => SHAPES[systems.indexOf(system) % 6];

function say(text) {
  $("said").textContent = text;
  $("said").classList.add("on");
  clearTimeout(say.timer);
  say.timer = setTimeout(() => $("said").classList.remove("on"), 2500);
}

// ---- packed parts of the page, opened once when they are needed
const kept = new Map();
async function unpack(id) {
  const element = $(`${id}-blob`);
  if (!element) return null;
  const bytes = Uint8Array.from(atob(element.textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}
function opened(id) {
  if (!kept.has(id)) kept.set(id, unpack(id));
  return kept.get(id);
}
let book = null; // the case list, once it is open
async function theBook() {
  if (!book) {
    const found = await opened("book");
    book = found;
    book.rank = new Map(found.order.map((place, n) => [place, n]));
  }
  return book;
}
async function errorsOf(place) {
  return (await opened(`errors-${Math.floor(place / data.batch)}`))[place % data.batch];
}
async function panelsOf(place) {
  const rank = book.rank.get(place);
  const batch = await opened(`panels-${Math.floor(rank / data.batch)}`);
  return batch ? batch[rank % data.batch] : null;
}
