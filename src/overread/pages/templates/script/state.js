// ---- the whole state is in the address: every view can be linked, and Back goes back
const TABS = ["overview", "findings", "cases", "patients", "method"];
const BLANK = { tab: "overview", case: "", active: "", lens: "", q: "", system: "", sort: "", best: "", kind: "", level: "", finding: "", organ: "", cell: "", wins: "", show: "", patient: "", axis: "", lanes: "", baseline: "", confusion: "" };
const state = { ...BLANK };
const drawers = {}; // tab -> what draws it

function readAddress() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const found = { ...BLANK };
  for (const name of Object.keys(BLANK)) if (asked.has(name)) found[name] = asked.get(name);
  if (asked.has("case") && !asked.has("tab")) found.tab = "cases";
  if (!TABS.includes(found.tab)) found.tab = TABS.includes(location.hash.slice(1)) ? location.hash.slice(1) : "overview";
  for (const name of ["system", "active", "baseline"]) if (found[name] && !systems.includes(found[name])) found[name] = "";
  return found;
}
function address(changes = {}) {
  const all = { ...state, ...changes };
  const parts = Object.keys(BLANK).filter((name) => all[name] && all[name] !== BLANK[name]);
  const text = parts.map((name) => `${name}=${encodeURIComponent(all[name])}`).join("&");
  return text ? `#${text}` : "#tab=overview";
}
function go(changes, push = false) {
  Object.assign(state, changes);
  history[push ? "pushState" : "replaceState"](null, "", address());
  draw();
}
function draw() {
  for (const tab of TABS) {
    const on = tab === state.tab, button = $(`tab-${tab}`);
    $(tab).hidden = !on;
    button.setAttribute("aria-selected", on);
    button.tabIndex = on ? 0 : -1;
  }
  if (drawers[state.tab]) drawers[state.tab]();
}
function followAddress() {
  const before = state.tab;
  Object.assign(state, readAddress());
  draw();
  if (state.tab !== before) scrollTo(0, 0);
}
function openTab(tab, focus) {
  go({ tab }, true);
  scrollTo(0, 0);
  if (focus) $(`tab-${tab}`).focus();
}
for (const tab of TABS) $(`tab-${tab}`).addEventListener("click", () => openTab(tab));
document.querySelector(".tabs.main").addEventListener("keydown", (event) => {
  const at = TABS.indexOf(state.tab);
  const next = { ArrowRight: at + 1, ArrowLeft: at - 1 + TABS.length, Home: 0, End: TABS.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  openTab(TABS[next % TABS.length], true);
});
addEventListener("popstate", followAddress);
addEventListener("hashchange", followAddress);

// ---- theme: as the device has it, or as the reader chose
const themes = ["", "light", "dark"];
function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  $("theme").textContent = { "": "Auto", light: "Light", dark: "Dark" }[theme];
  try { localStorage.setItem("overread-theme", theme); } catch { /* private window: the choice is not kept */ }
}
let chosenTheme = "";
try { chosenTheme = localStorage.getItem("overread-theme") || ""; } catch { /* as above */ }
setTheme(themes.includes(chosenTheme) ? chosenTheme : "");
$("theme").addEventListener("click", () => setTheme(themes[(themes.indexOf(document.documentElement.dataset.theme || "") + 1) % 3]));

// ---- help
$("keys").addEventListener("click", () => $("help").showModal());
$("help-close").addEventListener("click", () => $("help").close());
