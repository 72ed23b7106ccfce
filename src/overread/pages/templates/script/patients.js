// ---- patients over time: a lane per finding, the reference above the systems
const SIGN = { worsened: "▲", improved: "▼", no_change: "=", "": "" };
const opposite = (a, b) => (a === "worsened" && b === "improved") || (a === "improved" && b === "worsened");
drawers.patients = async () => {
  if (!data.patients.length) return;
  const patients = await opened("followed");
  if (!$("patient").options.length) $("patient").append(...data.patients.map((p) => option(p, p)));
  const name = patients[state.patient] ? state.patient : worst(patients);
  $("patient").value = name;
  $("axis").value = state.axis;
  $("all-lanes").checked = Boolean(state.lanes);
  if (book === null) await theBook();
  if (state.tab !== "patients") return;
  $("timeline").replaceChildren(timeline(patients[name], name));
  equip($("patients"));
  tools($("timeline"));
  $("timeline-pairs").replaceChildren(...systems.filter((s) => patients[name].pairs[s]?.rows.length).map((s) =>
    node("details", {}, node("summary", {}, `${patients[name].pairs[s].title}: ${s}`), table({ ...patients[name].pairs[s], title: "" }, -1))));
};
function worst(patients) { // the patient with most disagreements between reference and systems
  const wrong = (p) => patients[p].lanes.reduce((sum, lane) => sum + systems.reduce((n, s) => { const j = judged(lane, s); return n + j.missing.length + j.verdicts.filter(Boolean).length; }, 0), 0);
  return data.patients.map((p) => [wrong(p), p]).reduce((a, b) => (b[0] > a[0] ? b : a))[1];
}
function judged(lane, system) {
  // Per dot of one system: what to say of it beside the reference; and the reference's dots it never tells.
  const ours = new Map(lane.reference.map((d) => [d[0], d]));
  const track = lane.systems[system] ? lane.systems[system][1] : [];
  const theirs = new Map(track.map((d) => [d[0], d]));
  const verdicts = track.map((d) => {
    const other = ours.get(d[0]);
    if (!other) return d[1] ? "invented" : "";
    if (other[1] !== d[1]) return "contradicted";
    if (opposite(other[2], d[2])) return "reversed";
    return other[2] && d[2] && other[2] !== d[2] ? "partial" : "";
  });
  const missing = lane.reference.filter((d) => d[1] && !theirs.has(d[0]));
  return { track, verdicts, missing };
}
function timeline(found, name) {
  const room = $("timeline").clientWidth || 900, narrow = room < 700, width = Math.max(620, room);
  const left = narrow ? 12 : 330, right = 34, row = 19;
  const lanes = found.lanes.filter((lane) => state.lanes || systems.some((s) => { const j = judged(lane, s); return j.missing.length || j.verdicts.some(Boolean); }));
  const x = positions(found.days, left + 16, width - right);
  const top = 58, laneHeight = (narrow ? 24 : 14) + row * (systems.length + 1);
  const height = top + Math.max(1, lanes.length) * laneHeight + 12;
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `Findings of ${name} over time` });
  axis(svg, found, x, height, left, width - right);
  if (!lanes.length) svg.append(drawn("text", { x: left, y: top + 20, class: "name" }, "All systems agree with the reference on this patient."));
  lanes.forEach((lane, n) => {
    const y = top + n * laneHeight;
    if (n % 2) svg.append(drawn("rect", { class: "stripe", x: 0, y, width, height: laneHeight }));
    const short = lane.name.length > 30 ? `${lane.name.slice(0, 29)}…` : lane.name;
    svg.append(drawn("text", { x: 4, y: y + (narrow ? 15 : 20), class: "name strong" }, short, drawn("title", {}, lane.name)));
    const first = y + (narrow ? 30 : 16);
    course(svg, "reference", lane.reference, x, first, "ref", () => "", left, narrow);
    systems.forEach((system, m) => {
      const { track, verdicts, missing } = judged(lane, system);
      const at = first + row * (m + 1);
      course(svg, system, track, x, at, colour(system), (k) => verdicts[k], left, narrow, lane.systems[system] && lane.systems[system][0] !== lane.name ? lane.systems[system][0] : "");
      for (const d of missing) svg.append(drawn("g", { class: "missed verdict" }, drawn("rect", { x: x[d[0]] - 6, y: at - 6, width: 12, height: 12, rx: 3 }), drawn("title", {}, `${system} missed: ${d[4]}`)));
    });
  });
  return svg;
}
function axis(svg, found, x, height, from, to) {
  svg.append(drawn("line", { class: "axis", x1: from, x2: to + 10, y1: 44, y2: 44 }));
  let last = [-1e9, -1e9];
  found.days.forEach((day, n) => {
    svg.append(drawn("line", { class: "axis", x1: x[n], x2: x[n], y1: 40, y2: height - 6 }));
    const level = x[n] - last[0] >= 52 ? 0 : x[n] - last[1] >= 52 ? 1 : -1;
    if (level < 0) return svg.append(studyMark(found.reports[n], x[n], 40, ""));
    last[level] = x[n];
    svg.append(studyMark(found.reports[n], x[n], level ? 15 : 34, `day ${Number(day.toFixed(1))}`));
    if (level) svg.append(drawn("line", { class: "axis", x1: x[n], x2: x[n], y1: 18, y2: 40 }));
  });
}
function studyMark(report, x, y, text) {
  const label = drawn("text", { x, y, "text-anchor": "middle", class: "link", tabindex: 0, role: "link", "aria-label": `${report}, ${text}` }, text || "·", drawn("title", {}, `${report}: show this report`));
  const go_ = () => { if (book.list.ids.includes(report)) { go({ tab: "cases", case: report }, true); scrollTo(0, 0); } };
  label.addEventListener("click", go_);
  label.addEventListener("keydown", (event) => { if (event.key === "Enter") go_(); });
  return label;
}
function positions(days, from, to) {
  const first = days[0], span = days[days.length - 1] - first;
  if (state.axis === "even" || !span) return days.map((_, n) => (days.length > 1 ? from + ((to - from) * n) / (days.length - 1) : (from + to) / 2));
  const closest = Math.min(...days.slice(1).map((day, n) => ((to - from) * (day - days[n])) / span));
  const apart = closest < 22 ? Math.min(48, (to - from) / (days.length - 1)) : 0; // marks never lie on top of each other
  const free = to - from - apart * (days.length - 1);
  return days.map((day, n) => from + apart * n + (free * (day - first)) / span); // true to the days
}
function course(svg, name, dots, x, y, kind, judge, left, narrow, other = "") {
  if (!narrow) svg.append(drawn("text", { x: left - 8, y: y + 4, "text-anchor": "end", class: "course" }, name, drawn("title", {}, other ? `${name} calls it ${other}` : name)));
  for (let n = 0; n + 1 < dots.length; n++) {
    const [a, b] = [dots[n], dots[n + 1]];
    if (a[3] === b[3]) svg.append(drawn("line", { class: `${kind} track${a[1] && b[1] ? "" : " absent"}`, x1: x[a[0]], x2: x[b[0]], y1: y, y2: y }));
  }
  dots.forEach((d, n) => {
    const verdict = judge(n), at = x[d[0]];
    const group = drawn("g", { class: `${kind}${verdict ? ` verdict ${verdict === "reversed" ? "contradicted" : verdict}` : ""}` });
    if (verdict) group.append(drawn("rect", { x: at - 9, y: y - 8, width: 18, height: 16, rx: 4 }));
    const path = kind === "ref" ? SHAPES[0] : shape(name);
    group.append(drawn("path", { class: d[1] ? "there" : "not", d: path, transform: `translate(${at} ${y})` }));
    if (d[2] || verdict === "reversed") group.append(drawn("text", { x: at + 11, y: y + 4, class: "course" }, `${SIGN[d[2]]}${verdict === "reversed" ? " ⇄" : ""}`));
    group.append(drawn("title", {}, `${name}${verdict ? `, ${verdict}` : ""}: ${d[4]}`));
    svg.append(group);
  });
}
if ($("patient")) {
  $("patient-choice").addEventListener("input", (event) => {
    const { id } = event.target;
    if (id === "all-lanes") go({ lanes: event.target.checked ? "1" : "" });
    else go({ [id]: event.target.value }, id === "patient");
  });
  let timer;
  addEventListener("resize", () => { clearTimeout(timer); timer = setTimeout(() => { if (state.tab === "patients") drawers.patients(); }, 150); });
}
