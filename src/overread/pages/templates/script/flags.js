// ---- misreadings: what a reader of the page disagrees with, kept in this browser until it is saved as a file
const FLAGS = `overread-flags ${systems.join(" ")} ${data.fingerprint}`;
let flags = {};
try { flags = JSON.parse(localStorage.getItem(FLAGS) || "{}"); } catch { /* private window: they last until the page is closed */ }
function keepFlags() {
  try { localStorage.setItem(FLAGS, JSON.stringify(flags)); } catch { /* as above */ }
}
function misread(at, system, panel, explained) {
  const id = book.list.ids[at];
  const side = node("select", { "aria-label": "Which report was misread" }, option("", "the reference"), option(system, system));
  side.value = system;
  const why = node("input", { type: "text", placeholder: "what it says instead", "aria-label": "What it says instead", maxlength: 400 });
  const put = () => {
    const key = side.value ? `${id} ${side.value}` : id;
    flags[key] = { id: key, text: texts[at][side.value ? systems.indexOf(side.value) + 1 : 0], report: id, system: side.value || "reference", verdict: panel.lead, comment: [flags[key]?.comment, why.value.trim()].filter(Boolean).join("; ") };
    keepFlags();
    say(`Flagged ${key}`);
    go({});
  };
  const many = Object.keys(flags).length;
  return node("form", { class: "misread", onsubmit: (event) => { event.preventDefault(); put(); } },
    ...(explained ? [node("button", { type: "button", id: "why-read", onclick: () => { pinned = null; go({ lens: "reading" }); } }, "Why was it read this way?")] : []),
    node("label", { class: "inline" }, node("span", {}, "Misread:"), side), why, node("button", { type: "submit", id: "flag" }, "Flag as misreading"),
    ...(many ? [node("button", { type: "button", id: "save-flags", title: "A file of reports for: overread review study FOLDER lunguage misreadings.jsonl", onclick: saveFlags }, `Save ${many} flagged`),
      node("button", { type: "button", class: "chip", onclick: () => { flags = {}; keepFlags(); go({}); } }, "clear")] : []));
}
function saveFlags() {
  save("misreadings.jsonl", Object.values(flags).map((one) => `${JSON.stringify(one)}\n`).join(""), "application/jsonl");
}
