// ---- words linked to words: by pointing, by focus, by click
const DOUBTS = ["doubtful"]; // they lie beside the colours of a metric
const STRENGTH = { wrong: 5, contradicted: 4, missed: 3, invented: 3, partial: 2, matched: 1, "": 0 };
let pinned = null;
function pieces(text, marks) {
  // Marks may overlap: cut at every edge, and colour each piece by the gravest mark on it. A mark is
  // [start, end, kind, group, label, coloured]; uncoloured ones only answer when their counterpart is pointed at.
  const letters = [...text].length === text.length ? text : [...text];
  const edges = [...new Set([0, letters.length, ...marks.flatMap((m) => [m[0], m[1]])])].sort((a, b) => a - b);
  const cut = (a, b) => (typeof letters === "string" ? letters.slice(a, b) : letters.slice(a, b).join(""));
  const made = [];
  for (let n = 0; n + 1 < edges.length; n++) {
    const [start, end] = [edges[n], edges[n + 1]];
    const on = marks.filter((m) => m[0] <= start && m[1] >= end);
    if (!on.length) { made.push(cut(start, end)); continue; }
    const shown = on.filter((m) => m[5]), coloured = shown.filter((m) => !DOUBTS.includes(m[2]));
    const doubts = DOUBTS.filter((kind) => shown.some((m) => m[2] === kind));
    const gravest = coloured.reduce((a, b) => (a && STRENGTH[b[2]] <= STRENGTH[a[2]] ? a : b), null);
    const groups = [...new Set(on.map((m) => m[3]))].join(" ");
    const told = [...new Set(shown.map((m) => m[4]))].join("; ");
    made.push(shown.length ? node("mark", { class: [...(gravest ? [gravest[2]] : []), ...doubts].join(" "), title: doubts.length ? told : null, "data-groups": groups, "data-told": told, tabindex: 0, role: "button", "aria-label": `${cut(start, end)}: ${told}` }, cut(start, end))
      : node("span", { class: "silent", "data-groups": groups }, cut(start, end)));
  }
  return made;
}
function light(groups, on) {
  const wanted = new Set(groups.split(" "));
  for (const element of $("case").querySelectorAll("[data-groups]"))
    if (element.dataset.groups.split(" ").some((g) => wanted.has(g))) element.classList.toggle("lit", on);
}
function dark() {
  $("case").querySelectorAll(".lit").forEach((element) => element.classList.remove("lit"));
}
function tell(element) {
  const line = $("told-of");
  if (line) line.textContent = element && element.dataset.told ? element.dataset.told : "";
}
function point(element) {
  dark();
  const of = element || pinned;
  if (of) light(of.dataset.groups, true);
  tell(of);
}
const linked = (event) => event.target.closest?.("#case mark, #case tr[data-groups]");
for (const name of ["mouseover", "focusin"]) $("case").addEventListener(name, (event) => point(linked(event)));
$("case").addEventListener("mouseleave", () => point(null));
$("case").addEventListener("click", (event) => pin(linked(event)));
$("case").addEventListener("keydown", (event) => {
  if ((event.key === "Enter" || event.key === " ") && linked(event)) { event.preventDefault(); pin(linked(event)); }
});
function pin(element) {
  if (!element) return;
  pinned = pinned === element ? null : element;
  $("case").querySelectorAll(".pinned").forEach((one) => one.classList.remove("pinned"));
  if (pinned) pinned.classList.add("pinned");
  point(element);
  if (!pinned) return;
  const other = [...$("case").querySelectorAll("mark.lit")].find((one) => one.closest(".side") !== element.closest(".side"));
  if (other) other.scrollIntoView({ block: "nearest", behavior: "smooth" });
}
