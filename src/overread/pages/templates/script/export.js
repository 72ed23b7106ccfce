// ---- taking things along: CSV of any table, SVG and PNG of any picture, Markdown and LaTeX of the standings
function save(name, content, type) {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = node("a", { href: url, download: name.replace(/[^\w.-]+/g, "-") });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 5000);
  say(`Saved ${link.download}`);
}
async function copied(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = node("textarea", {});
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  say(`${what} copied`);
}
const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
function csvOf(table) {
  // Cells over several rows or columns are repeated, so that every line stands alone.
  const grid = [];
  [...table.rows].filter((row) => row.closest("table") === table).forEach((row, y) => {
    grid[y] = grid[y] || [];
    let x = 0;
    for (const cell of row.cells) {
      while (grid[y][x] !== undefined) x++;
      const below = cell.querySelector(":scope > .c");
      const text = (below ? `${cell.firstChild.textContent} → ${below.textContent}` : cell.textContent).replace(/\s+/g, " ").trim();
      for (let dy = 0; dy < cell.rowSpan; dy++) for (let dx = 0; dx < cell.colSpan; dx++) (grid[y + dy] = grid[y + dy] || [])[x + dx] = text;
      x += cell.colSpan;
    }
  });
  return grid.map((row) => Array.from(row, (text) => quoted(text || "")).join(",")).join("\r\n") + "\r\n";
}
function csvOfBars(figure) {
  const lines = [["name", "system", "outcomes"]];
  for (const row of figure.querySelectorAll(".row"))
    for (const bar of row.querySelectorAll(".bar")) {
      const [before, counts] = bar.getAttribute("aria-label").split(/: (.*)/s);
      lines.push([row.querySelector(".what").textContent, before.split(", ").pop(), counts]);
    }
  return lines.map((line) => line.map(quoted).join(",")).join("\r\n") + "\r\n";
}

const PAINT = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity", "font-family", "font-size", "font-weight", "paint-order", "text-anchor"];
function painted(svg) {
  // The same drawing with its style written on every element: it must look alike without the page.
  const copy = svg.cloneNode(true);
  const ours = [svg, ...svg.querySelectorAll("*")], theirs = [copy, ...copy.querySelectorAll("*")];
  ours.forEach((element, n) => {
    const style = getComputedStyle(element);
    for (const name of PAINT) if (style.getPropertyValue(name)) theirs[n].setAttribute(name, style.getPropertyValue(name));
    theirs[n].removeAttribute("class");
  });
  return copy;
}
function pictured(element) {
  // Any part of the page as a drawing: grounds, words where they stand, and the drawings inside it.
  const frame = element.getBoundingClientRect();
  const svg = drawn("svg", { xmlns: "http://www.w3.org/2000/svg", width: Math.ceil(frame.width), height: Math.ceil(frame.height), viewBox: `0 0 ${Math.ceil(frame.width)} ${Math.ceil(frame.height)}` });
  svg.append(drawn("rect", { width: "100%", height: "100%", fill: getComputedStyle(document.querySelector(".top")).backgroundColor }));
  const at = (box) => ({ x: (box.left - frame.left).toFixed(1), y: (box.top - frame.top).toFixed(1), width: box.width.toFixed(1), height: box.height.toFixed(1) });
  (function walk(part) {
    if (part.nodeType === Node.TEXT_NODE) return words(part);
    if (part.nodeType !== Node.ELEMENT_NODE || part.classList.contains("tools")) return;
    const box = part.getBoundingClientRect();
    if (!box.width || getComputedStyle(part).visibility === "hidden") return;
    if (part.tagName === "svg") {
      const inner = painted(part);
      for (const [name, value] of Object.entries(at(box))) inner.setAttribute(name, value);
      inner.setAttribute("overflow", "visible");
      return svg.append(inner);
    }
    if (part.classList.contains("dot")) { // a system's mark is a shape, cut out by style
      const size = box.width / 10, [x, y] = [box.left - frame.left + box.width / 2, box.top - frame.top + box.height / 2];
      return svg.append(drawn("path", { d: SHAPES[Number(/\bd(\d)/.exec(part.className)?.[1] || 0)], transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${size.toFixed(2)})`, fill: getComputedStyle(part).backgroundColor }));
    }
    const ground = getComputedStyle(part).backgroundColor;
    if (part !== element && !/, 0\)$|^transparent$/.test(ground)) svg.append(drawn("rect", { ...at(box), fill: ground, rx: 2 }));
    part.childNodes.forEach(walk);
  })(element);
  function words(text) {
    const style = getComputedStyle(text.parentElement), range = document.createRange();
    for (const found of text.data.matchAll(/\S+/g)) {
      range.setStart(text, found.index);
      range.setEnd(text, found.index + found[0].length);
      const box = range.getBoundingClientRect();
      if (box.width) svg.append(drawn("text", { x: (box.left - frame.left).toFixed(1), y: (box.bottom - frame.top - box.height * 0.24).toFixed(1), fill: style.color, "font-family": style.fontFamily, "font-size": style.fontSize, "font-weight": style.fontWeight }, found[0]));
    }
  }
  return svg;
}
const textOf = (svg) => new XMLSerializer().serializeToString(svg);
async function pngOf(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(textOf(svg))}`;
  await image.decode();
  const canvas = node("canvas", { width: image.width * 2, height: image.height * 2 });
  const paper = canvas.getContext("2d");
  paper.scale(2, 2);
  paper.drawImage(image, 0, 0);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}
function tools(element) {
  if (element.previousElementSibling?.classList.contains("tools") || element.querySelector(":scope > .tools")) return;
  const name = element.dataset.name || "table";
  const bar = node("span", { class: "tools" });
  if (element.tagName === "TABLE") bar.append(tool("CSV", () => save(`${name}.csv`, csvOf(element), "text/csv"), name));
  if (element.classList.contains("bars")) bar.append(tool("CSV", () => save(`${name}.csv`, csvOfBars(element), "text/csv"), name));
  bar.append(tool("SVG", () => save(`${name}.svg`, textOf(pictured(element)), "image/svg+xml"), name),
    tool("PNG", async () => save(`${name}.png`, await pngOf(pictured(element)), "image/png"), name));
  if (element.tagName === "TABLE") element.before(bar);
  else element.prepend(bar);
}
const tool = (text, act, of) => node("button", { type: "button", class: "tool", "aria-label": `${text} of ${of}`, onclick: act }, text);
const equip = (within) => within.querySelectorAll("[data-name]").forEach(tools);

// ---- standings as text
const cellOf = (m, system) => {
  const [value, low, high] = m.scores[system] || [null, null, null];
  return value === null ? "–" : `${value.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
};
function markdown() {
  const lines = [`| metric | ${systems.join(" | ")} |`, `|---|${systems.map(() => "---:|").join("")}`];
  for (const m of metrics) lines.push(`| ${m.title}${m.direction === "lower" ? " ↓" : ""} | ${systems.map((s) => cellOf(m, s)).join(" | ")} |`);
  return `${lines.join("\n")}\n\n${metrics.map((m) => `\`${m.signature}\``).join("  \n")}\n`;
}
const tex = (text) => text.replace(/[&%$#_{}]/g, "\\$&").replace(/[<>|]/g, "\\textbar{}").replace("↓", "$\\downarrow$").replace("–", "--");
function latex() {
  const lines = ["\\begin{tabular}{l" + "r".repeat(systems.length) + "}", "\\toprule", `Metric & ${systems.map(tex).join(" & ")} \\\\`, "\\midrule"];
  for (const m of metrics) lines.push(`${tex(m.title)} & ${systems.map((s) => cellOf(m, s).replace("–", "--")).join(" & ")} \\\\`);
  return [...lines, "\\bottomrule", "\\end{tabular}", ...metrics.map((m) => `% ${m.signature}`), ""].join("\n");
}
function standingsCsv() {
  const lines = [["metric", "system", "score", "low", "high", "direction", "signature"]];
  for (const m of metrics) for (const s of systems) if (m.scores[s]) lines.push([m.name, s, ...m.scores[s].map((v) => (v === null ? "" : String(v))), m.direction, m.signature]);
  return lines.map((line) => line.map(quoted).join(",")).join("\r\n") + "\r\n";
}
